import { openArchive } from '../archive/open-archive'
import { createPageSite } from '../egress/page-site'
import type { PageSite } from '../egress/page-site'
import type { PageSource } from '../request/page-source'

/** Returns the site of a page that the caller sent. */
export function openSite(source: Exclude<PageSource, { kind: 'url' }>): PageSite {
  const site =
    source.kind === 'archive' ? openArchive(source.zip, source.index) : createPageSite(source.path, source.bytes)
  return { ...site, baseUrl: source.baseUrl }
}
