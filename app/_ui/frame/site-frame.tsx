import type { ReactNode } from 'react'
import { SearchButton } from '../search/search-button'
import { ColorSchemeSwitch } from './color-scheme-switch'
import { LegalLinks } from './legal-pages'
import classes from './site-frame.module.css'

interface Props {
  /** Undefined if the page is the same for everyone. */
  signedIn?: boolean
  /** For pages with navigation next to their content. */
  wide?: boolean
  children: ReactNode
}

/** Header with search, content and footer of every page of the site, except for error pages. */
export function SiteFrame({ signedIn, wide = false, children }: Props) {
  const width = wide ? `${classes.inner} ${classes.wide}` : classes.inner
  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.header}>
        <div className={`${classes.inner} ${classes.wide}`}>
          <a className={classes.brand} href="/">
            <Mark />
            Sheaf
          </a>
          <SearchButton />
          <nav className={classes.links} aria-label="Site">
            <a href="/docs">Docs</a>
            <a href="/#price" className={classes.roomy}>
              Price
            </a>
            {signedIn === false ? <a href="/sign-in">Sign in</a> : <a href="/account">Account</a>}
          </nav>
          <ColorSchemeSwitch />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={width}>{children}</div>
      </main>
      <footer className={classes.footer}>
        <div className={`${classes.inner} ${classes.wide}`}>
          <span>Sheaf doesn’t store your documents.</span>
          <a href="/docs">Documentation</a>
          <a href="/docs/changelog">Changelog</a>
          <a href="/api/openapi.json">OpenAPI</a>
          <a href="/status">Status</a>
          <LegalLinks />
        </div>
      </footer>
    </>
  )
}

/** The logo, as in `app/icon.svg`: three sheets and a band. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0b6b54" />
      <g fill="none" stroke="#fff" strokeWidth="2" strokeLinejoin="round">
        <path d="M12 6h9v17" opacity=".55" />
        <path d="M9.5 8.5h9v17" opacity=".8" />
        <path d="M7 11h9v15H7z" fill="#fff" />
      </g>
      <path d="M5 18.5h13" stroke="#e8b53a" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
