import { describe, expect, it } from 'vitest'
import { linkTo, makeTaggedText, run, toUrl } from '../../../fixtures/tagged-text'
import type { Run, Tag } from '../../../fixtures/tagged-text'
import { runOn } from '../../../support/run-on'

async function extract(file: Uint8Array, options: object = { format: 'markdown' }): Promise<string> {
  return (await runOn('extract-text', file, options)).bytes.toString('utf8')
}

async function toLinks(file: Uint8Array, options: object = {}): Promise<{ text: string; url: string; box: object }[]> {
  return JSON.parse(await extract(file, { format: 'json', ...options })).pages[0].links
}

/** A line with a word under a link, at x 100 to 125. */
const LINE = [run('See', 78, 100), run('river', 100, 100), run('below', 125, 100)]
const RIVER = [100, 92, 20, 10] as const

const pageOf = (action: string, runs: Run[] = LINE): Uint8Array =>
  makeTaggedText([{ loose: runs, annotations: [linkTo(action, RIVER)] }])

describe('links', () => {
  it.each([
    ['https://example.com/', 'https://example.com/'],
    ['HTTP://example.com/a_b*c', 'HTTP://example.com/a_b*c'],
    ['https://example.com/C_(language)', '<https://example.com/C_(language)>'],
    ['https://example.com/a b<c>', 'https://example.com/a%20b%3Cc%3E'],
    ['https://example.com/?a=1&copy;=`|', 'https://example.com/?a=1&amp;copy;=%60%7C'],
    ['https://example.com/a\\b"', 'https://example.com/a%5Cb%22'],
    ['mailto:post@example.com', 'mailto:post@example.com'],
    [' tel:+15550100 ', 'tel:+15550100'],
  ])('writes %s as Markdown', async (url, written) => {
    expect(await extract(pageOf(toUrl(url)))).toBe(`See [river](${written}) below\n`)
    expect(await toLinks(pageOf(toUrl(url)))).toMatchObject([{ text: 'river', url: url.trim() }])
  })

  it.each([
    toUrl('javascript:alert\\(1\\)'),
    toUrl(' JavaScript:alert'),
    toUrl('java\nscript:alert'),
    toUrl('data:text/html,hello'),
    toUrl('file:///etc/hosts'),
    toUrl('vbscript:x'),
    toUrl('page.html'),
    toUrl(`https://example.com/${'a'.repeat(2000)}`),
    '/Dest[0 /Fit]',
    '/A<</S/GoTo/D[0 /Fit]>>',
    `/F 2${toUrl('https://example.com/')}`,
  ])('leaves text for %s', async action => {
    expect(await extract(pageOf(action))).toBe('See river below\n')
    expect(await toLinks(pageOf(action))).toEqual([])
  })

  it.each<[string, Run[], readonly [number, number, number, number], string]>([
    ['punctuation', [run('(river),', 100, 100)], [103, 92, 20, 10], '([river](https://a.example)),'],
    ['an exclamation mark', [run('Oh!', 80, 100), run('river', 100, 100)], RIVER, 'Oh! [river](https://a.example)'],
    ['brackets', [run('[1]', 100, 100)], [100, 92, 12, 10], '[\\[1\\]](https://a.example)'],
    ['two words', [run('two words', 100, 100)], [100, 92, 50, 10], '[two words](https://a.example)'],
    ['two lines', [run('long', 100, 100), run('river', 100, 112)], [90, 90, 60, 25], '[long river](https://a.example)'],
    [
      'a divided word',
      [run('of the moun-', 100, 100), run('tains', 100, 112)],
      [90, 90, 80, 25],
      '[of the mountains](https://a.example)',
    ],
  ])('covers %s', async (_, loose, rectangle, expected) => {
    const file = makeTaggedText([{ loose, annotations: [linkTo(toUrl('https://a.example'), rectangle)] }])
    expect(await extract(file)).toBe(`${expected}\n`)
  })

  it('joins the links of a word that a line break divides', async () => {
    const action = toUrl('https://a.example')
    const annotations = [linkTo(action, [100, 90, 40, 12]), linkTo(action, [40, 102, 30, 12])]
    const loose = [
      run('A paragraph with', 20, 100),
      run('moun-', 100, 100),
      run('tains and so on for a while', 20, 112),
    ]
    const marked = makeTaggedText([{ loose, annotations: [annotations[0] ?? '', linkTo(action, [20, 104, 22, 10])] }])
    expect(await extract(marked)).toBe('A paragraph with [mountains](https://a.example) and so on for a while\n')
  })

  it.each<[string, Tag, string]>([
    ['headings', ['H2', ...LINE], '## See [river](https://a.example) below\n'],
    [
      'list items',
      ['L', ['LI', ['Lbl', run('1.', 60, 100)], ['LBody', ...LINE]]],
      '1. See [river](https://a.example) below\n',
    ],
    ['tables', ['Table', ['TR', ['TD', ...LINE]]], '| See [river](https://a.example) below |\n'],
    ['quotes', ['BlockQuote', ['P', ...LINE]], '> See [river](https://a.example) below\n'],
    ['captions', ['Caption', ...LINE], 'See [river](https://a.example) below\n'],
  ])('stand in tagged %s', async (_, tag, expected) => {
    const annotations = [linkTo(toUrl('https://a.example'), RIVER)]
    const file = makeTaggedText([{ tags: [tag, ['P', run('End', 78, 200)]], annotations }])
    expect(await extract(file)).toContain(expected)
  })

  it('are in JSON with their text and box, also without text', async () => {
    const annotations = [
      linkTo(toUrl('https://a.example'), RIVER),
      linkTo(toUrl('https://b.example'), [200, 300, 50, 40]),
    ]
    const file = makeTaggedText([{ loose: LINE, annotations }])
    expect(await toLinks(file)).toEqual([
      { text: 'river', url: 'https://a.example', box: { x: 100, y: 498, width: 20, height: 10 } },
      { text: '', url: 'https://b.example', box: { x: 200, y: 260, width: 50, height: 40 } },
    ])
    expect(await extract(file, {})).toBe('See river below\n')
  })

  it('go with headers that are left out', async () => {
    const tags: Tag[] = [['H1', run('The rivers of the north begin in the hills', 40, 200)]]
    const file = makeTaggedText([{ tags, loose: LINE, annotations: [linkTo(toUrl('https://a.example'), RIVER)] }])
    expect(await toLinks(file)).toHaveLength(1)
    expect(await toLinks(file, { headersFooters: 'remove' })).toEqual([])
  })
})
