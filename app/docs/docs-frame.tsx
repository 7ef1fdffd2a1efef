import type { ReactNode } from 'react'
import { listPages, type PageGroup } from '../../lib/docs/pages/all'
import { SiteFrame } from '../_ui/frame/site-frame'
import classes from './docs.module.css'
import { storeHtml } from './html-store'
import { StaticHtml } from './static-html'
import { writeStaticMarkup } from './static-markup'

/**
 * A page of the documentation with the list of all pages. On small screens, the list is collapsed above the page. The
 * frame is the same for everyone, so that pages can be cached.
 */
export function DocsFrame({ slug, children }: { slug: string; children: ReactNode }) {
  const id = `pages ${slug}`
  storeHtml(id, writeStaticMarkup(<PageNav groups={listPages()} current={slug} />))
  return (
    <SiteFrame wide>
      <div className={classes.docs}>
        <details className={classes.menu}>
          <summary>All pages</summary>
          <StaticHtml id={id} />
        </details>
        <div className={classes.side} data-side>
          <StaticHtml id={id} />
        </div>
        {children}
      </div>
    </SiteFrame>
  )
}

function PageNav({ groups, current }: { groups: PageGroup[]; current: string }) {
  return (
    <nav className={classes.nav} aria-label="Documentation">
      {groups.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map(page => (
              <li key={page.slug}>
                <a
                  href={page.slug === '' ? '/docs' : `/docs/${page.slug}`}
                  aria-current={page.slug === current ? 'page' : undefined}
                >
                  {page.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
