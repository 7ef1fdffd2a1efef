'use client'

import { findSingleton } from '../../lib/registry'
import { type HtmlStore, HTML_STORE } from './html-store'

/**
 * HTML that only the server writes. In the browser, the element keeps what the server wrote: React leaves the content of
 * an element with `dangerouslySetInnerHTML` as it is when it starts. So the page contains the HTML once.
 */
export function StaticHtml({ id, className }: { id: string; className?: string | undefined }) {
  const html = typeof window === 'undefined' ? (findSingleton<HtmlStore>(HTML_STORE)?.get(id) ?? '') : ''
  // oxlint-disable-next-line react/no-danger -- made on the server by static-markup.ts, which escapes all text
  return <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
}
