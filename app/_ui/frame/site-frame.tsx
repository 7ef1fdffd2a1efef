import type { ReactNode } from 'react'
import { SearchButton } from '../search/search-button'
import { Mark } from './brand'
import { ColorSchemeSwitch } from './color-scheme-switch'
import { LegalLinks } from './legal-pages'
import classes from './site-frame.module.css'

interface Props {
  signedIn: boolean
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
        <div className={width}>
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
            {signedIn ? <a href="/account">Account</a> : <a href="/sign-in">Sign in</a>}
          </nav>
          <ColorSchemeSwitch />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={width}>{children}</div>
      </main>
      <footer className={classes.footer}>
        <div className={width}>
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
