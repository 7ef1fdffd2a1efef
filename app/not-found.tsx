import { LinkButton } from './_ui/elements/link-button'
import { MessageBox } from './_ui/frame/message-box'
import { SiteFrame } from './_ui/frame/site-frame'

export const metadata = {
  title: 'Page not found',
  description: 'Sheaf has no page at this URL. Find all endpoints and guides in the documentation.',
}

export default function NotFound() {
  return (
    <SiteFrame signedIn={false}>
      <MessageBox title="Page not found">
        <p>Check the URL. The page may have moved.</p>
        <LinkButton href="/">Start page</LinkButton>
        <LinkButton href="/docs">Docs</LinkButton>
      </MessageBox>
    </SiteFrame>
  )
}
