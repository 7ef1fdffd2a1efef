import { LinkButton } from './_ui/elements/link-button'
import { MessagePage } from './_ui/frame/message-page'

export const metadata = {
  title: 'Page not found',
  description: 'Sheaf has no page at this URL. Find all endpoints and guides in the documentation.',
}

export default function NotFound() {
  return (
    <MessagePage title="Page not found">
      <p>Check the URL. The page may have moved.</p>
      <LinkButton href="/">Start page</LinkButton>
      <LinkButton href="/docs">Docs</LinkButton>
    </MessagePage>
  )
}
