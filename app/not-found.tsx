import Link from 'next/link'
import { SiteFrame } from './_ui/site-frame'

export const metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <SiteFrame signedIn={false}>
      <div className="narrow stack">
        <h1>There is no such page</h1>
        <p>The address may be mistyped, or the page has moved.</p>
        <p className="actions">
          <Link className="button" href="/">
            Start page
          </Link>
          <a className="button" href="/docs">
            Docs
          </a>
        </p>
      </div>
    </SiteFrame>
  )
}
