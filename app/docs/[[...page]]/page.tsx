import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { getConfig } from '../../../lib/config'
import { findPage } from '../../../lib/docs/pages/all'
import { describeForSearch } from '../../../lib/docs/pages/search-description'
import type { DocsPage } from '../../../lib/docs/pages/page'
import { currentOrigin } from '../../_server/current-origin'
import { describePage } from '../../_server/page-metadata'
import { DocsFrame } from '../docs-frame'
import { OnThisPage, PageBody, PageHead } from '../docs-page'
import classes from '../docs.module.css'
import { storeHtml } from '../html-store'
import { PageBehavior } from '../page-behavior'
import { StaticHtml } from '../static-html'
import { writeStaticMarkup } from '../static-markup'

export const dynamic = 'force-dynamic'

interface DocsPageProps {
  params: Promise<{ page?: string[] }>
}

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  const page = await findCurrentPage(readSlug(await params))
  if (!page) return {}
  const path = page.slug === '' ? '/docs' : `/docs/${page.slug}`
  return describePage({
    title: page.title,
    description: describeForSearch(page),
    path,
    types: { 'text/markdown': `${path}.md` },
  })
}

export default async function Docs({ params }: DocsPageProps) {
  const slug = readSlug(await params)
  const page = await findCurrentPage(slug)
  if (page === undefined) notFound()
  const id = `${await currentOrigin()}/${slug}`
  storeHtml(id, writeStaticMarkup(<PageBody blocks={page.blocks} />))
  storeHtml(`${id}#`, writeStaticMarkup(<OnThisPage blocks={page.blocks} />))
  return (
    <DocsFrame slug={slug}>
      <article className={classes.page}>
        <PageHead page={page} />
        <StaticHtml id={id} />
      </article>
      <StaticHtml id={`${id}#`} className={classes.bare} />
      <PageBehavior />
    </DocsFrame>
  )
}

const findCurrentPage = cache(async (slug: string): Promise<DocsPage | undefined> =>
  findPage(slug, { origin: await currentOrigin(), config: getConfig() }),
)

function readSlug({ page = [] }: { page?: string[] }): string {
  return page.join('/')
}
