import type { MetadataRoute } from 'next'
import { listPages } from '../lib/docs/pages/all'
import { currentOrigin } from './_server/current-origin'

export const dynamic = 'force-dynamic'

/** All public pages. They have no dates, because the time of their last change isn't known. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const origin = await currentOrigin()
  const docs = listPages().flatMap(({ pages }) => pages.map(({ slug }) => (slug === '' ? '/docs' : `/docs/${slug}`)))
  return ['/', ...docs, '/status'].map(path => ({ url: `${origin}${path}` }))
}
