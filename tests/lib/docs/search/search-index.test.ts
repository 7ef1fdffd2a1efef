import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PageBody } from '../../../../app/docs/docs-page'
import { writeStaticMarkup } from '../../../../app/docs/static-markup'
import { readConfig } from '../../../../lib/config'
import { findPage, listPages } from '../../../../lib/docs/pages/all'
import { ENTRY_KINDS, writeHref } from '../../../../lib/docs/search/index-format'
import { createSearchIndex } from '../../../../lib/docs/search/search-index'

const config = readConfig({})
const index = await createSearchIndex(config)

const listIds = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

describe('the search index', () => {
  it('is less than 92 KB as servers compress it, and 328 KB before', () => {
    const text = JSON.stringify(index)
    expect(gzipSync(text, { level: 6 }).length).toBeLessThan(92_000)
    expect(text.length).toBeLessThan(328_000)
  })

  it('has every page and every kind of entry', () => {
    expect(index.pages.map(([slug]) => slug)).toEqual(listPages().flatMap(({ pages }) => pages.map(({ slug }) => slug)))
    expect(new Set(index.entries.map(([kind]) => kind))).toEqual(new Set(ENTRY_KINDS.keys()))
  })

  it('leads only to elements that the pages have', () => {
    const pages = index.pages.flatMap(([slug]) => {
      const page = findPage(slug, { origin: 'https://api.example.com', config })
      if (!page) throw new Error(`there is no page ${slug}`)
      const path = slug === '' ? '/docs' : `/docs/${slug}`
      const ids = listIds(writeStaticMarkup(PageBody(page)))
      return [path, ...ids.map(id => `${path}#${id}`)]
    })
    const addresses = new Set(pages)
    const hrefs = index.entries.map(entry => writeHref(entry, index.pages))
    expect(hrefs.filter(href => !addresses.has(href))).toEqual([])
    expect(new Set(hrefs).size).toBe(hrefs.length)
    expect(hrefs).toEqual(
      expect.arrayContaining(['/docs/add-watermark#param-marks.text', '/docs/api-basics#selector-range']),
    )
  })

  it('contains no text of another server, and no Markdown marks', () => {
    const text = JSON.stringify(index)
    expect(text).not.toContain('localhost')
    expect(text).not.toMatch(/\]\(\/|\*\*/)
  })
})
