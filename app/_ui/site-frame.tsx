import Link from 'next/link'
import type { ReactNode } from 'react'
import { Mark } from './brand'

/** Header, content and footer of every page of the site. */
export function SiteFrame({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="site-header">
        <div className="wide">
          <Link className="brand" href="/">
            <Mark />
            Sheaf
          </Link>
          <nav aria-label="Site">
            <a href="/docs">Docs</a>
            {signedIn ? <Link href="/account">Account</Link> : <Link href="/sign-in">Sign in</Link>}
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <div className="wide">{children}</div>
      </main>
      <footer className="site-footer">
        <div className="wide">
          <span>Sheaf keeps no document that you send.</span>
          <a href="/docs">Documentation</a>
          <a href="/api/openapi.json">OpenAPI</a>
          <a href="/api/health">Health</a>
        </div>
      </footer>
    </>
  )
}
