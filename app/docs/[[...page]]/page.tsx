import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { currentAccount } from '../../../lib/accounts/session'
import { findCall } from '../../../lib/docs/calls'
import { currentOrigin } from '../../_server/current-origin'
import '../docs.css'
import { CallPage } from '../call-page'
import { DocsFrame } from '../docs-frame'
import { ErrorsPage } from '../errors-page'
import { GUIDES } from '../guides'
import { LimitsPage } from '../limits-page'
import { OverviewPage } from '../overview-page'
import { SelectorsPage } from '../selectors-page'
import { WarningsPage } from '../warnings-page'

export const dynamic = 'force-dynamic'

interface DocsPageProps {
  params: Promise<{ page?: string[] }>
}

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  const slug = readSlug(await params)
  const title = slug === '' ? 'Documentation' : (GUIDES.find(guide => guide.slug === slug)?.title ?? findCall(slug)?.title)
  return title === undefined ? {} : { title }
}

export default async function DocsPage({ params }: DocsPageProps) {
  const slug = readSlug(await params)
  const [account, origin] = await Promise.all([currentAccount(), currentOrigin()])
  const page = choosePage(slug, origin)
  if (page === undefined) notFound()
  return (
    <DocsFrame slug={slug} signedIn={account !== null}>
      {page}
    </DocsFrame>
  )
}

function readSlug({ page = [] }: { page?: string[] }): string {
  return page.join('/')
}

function choosePage(slug: string, origin: string): ReactNode {
  if (slug === '') return <OverviewPage origin={origin} />
  if (slug === 'selectors') return <SelectorsPage />
  if (slug === 'errors') return <ErrorsPage />
  if (slug === 'warnings') return <WarningsPage />
  if (slug === 'limits') return <LimitsPage />
  const call = findCall(slug)
  return call && <CallPage call={call} origin={origin} />
}
