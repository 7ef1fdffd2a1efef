import { LinkButton } from './_ui/elements/link-button'
import { MessagePage } from './_ui/frame/message-page'

export const metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <MessagePage title="There is no such page">
      <p>The address may be mistyped, or the page has moved.</p>
      <LinkButton href="/">Start page</LinkButton>
      <LinkButton href="/docs">Docs</LinkButton>
    </MessagePage>
  )
}
