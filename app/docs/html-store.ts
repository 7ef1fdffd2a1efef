import { singleton } from '../../lib/registry'

/** HTML by its ID. Pages and their client components are compiled apart, so they share it as a singleton. */
export type HtmlStore = Map<string, string>

export const HTML_STORE = 'docs-html'
/** More than the pages of the documentation at one address. */
const MOST_ENTRIES = 400

/** Stores HTML for a `StaticHtml` with the same ID. The oldest entries make room. */
export function storeHtml(id: string, html: string): void {
  const store = singleton<HtmlStore>(HTML_STORE, () => new Map())
  store.delete(id)
  store.set(id, html)
  for (const oldest of store.keys()) {
    if (store.size <= MOST_ENTRIES) break
    store.delete(oldest)
  }
}
