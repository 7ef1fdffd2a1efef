import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PageBody } from '../../../app/docs/docs-page'
import { writeStaticMarkup } from '../../../app/docs/static-markup'
import { readConfig } from '../../../lib/config'
import { findPage, listPages } from '../../../lib/docs/pages/all'
import { sample } from '../../support/scope'

const context = { origin: 'https://api.example.com', config: readConfig({}) }
const pages = listPages().flatMap(group => group.pages.map(({ slug }) => ({ slug, group })))
const slugs = sample(pages, ({ group }) => group).map(({ slug }) => slug)
/** HTML of the page, of which the frame adds less than 40 KB. */
const MOST_BYTES = 170_000

/** React writes quotes in texts as entities, which isn't necessary. */
const plain = (html: string) => html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"')

describe('the HTML of a page', () => {
  it.each(slugs)('is what React writes, and small: /docs/%s', slug => {
    const page = findPage(slug, context)
    if (!page) throw new Error(`there is no page ${slug}`)
    const html = writeStaticMarkup(PageBody(page))
    expect(plain(html)).toBe(plain(renderToStaticMarkup(createElement(PageBody, page))))
    expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES)
  })

  it('escapes texts and attributes', () => {
    const element = createElement(
      'p',
      { title: '"><script>', hidden: true },
      '<b>&',
      createElement(Fragment, null, 1, null, false),
    )
    expect(writeStaticMarkup(element)).toBe('<p title="&quot;&gt;&lt;script&gt;" hidden="">&lt;b&gt;&amp;1</p>')
  })
})
