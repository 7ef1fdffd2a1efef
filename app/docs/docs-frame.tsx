import type { ReactNode } from 'react'
import { listCalls } from '../../lib/docs/calls'
import { SiteFrame } from '../_ui/site-frame'
import { GUIDES } from './guides'

/** A page of the documentation with the list of all pages beside it, on small screens below it. */
export function DocsFrame({ slug, signedIn, children }: { slug: string; signedIn: boolean; children: ReactNode }) {
  const calls = listCalls()
  const groups = [...new Set(calls.map(({ group }) => group))]
  return (
    <SiteFrame signedIn={signedIn}>
      <div className="docs">
        <article className="docs-page">
          <a className="docs-jump" href="#docs-pages">
            All pages
          </a>
          {children}
        </article>
        <nav className="docs-nav" id="docs-pages" aria-label="Documentation">
          <PageList title="Guide" pages={GUIDES} current={slug} />
          {groups.map(group => (
            <PageList key={group} title={group} pages={calls.filter(call => call.group === group)} current={slug} />
          ))}
        </nav>
      </div>
    </SiteFrame>
  )
}

interface PageListProps {
  title: string
  pages: readonly { slug: string; title: string }[]
  current: string
}

function PageList({ title, pages, current }: PageListProps) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {pages.map(page => (
          <li key={page.slug}>
            <a href={page.slug === '' ? '/docs' : `/docs/${page.slug}`} aria-current={page.slug === current ? 'page' : undefined}>
              {page.title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
