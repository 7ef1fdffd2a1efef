import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../fixtures/draft'
import { makeScan } from '../../fixtures/scan'
import { addTags } from '../../fixtures/tagged'
import { makeTextPages } from '../../fixtures/text-page'
import { runOn } from '../../support/run-on'

async function extract(file: Uint8Array, options: unknown = {}): Promise<string> {
  return (await runOn('extract-text', file, options)).bytes.toString('utf8')
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface JsonPage {
  page: number
  width: number
  height: number
  source: string
  blocks: {
    type: string
    text: string
    box: Box
    lines?: { text: string; fontSize: number; words: { text: string; box: Box }[] }[]
    cells?: { row: number; column: number; columnSpan: number; text: string }[]
  }[]
}

async function toJson(file: Uint8Array, options: object = {}): Promise<JsonPage[]> {
  return JSON.parse(await extract(file, { format: 'json', ...options })).pages
}

const BODY = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
  'of the water comes from melting snow in the spring, and',
  'the mills along its banks once ground corn for a county.',
]

describe('extract-text', () => {
  it('returns pages as plain text with form feeds, and names the file', async () => {
    const { bytes, contentType, name } = await runOn('extract-text', numbered())
    expect(contentType).toBe('text/plain; charset=utf-8')
    expect(name).toBe('input-text.txt')
    const pages = bytes.toString('utf8').split('\f')
    expect(pages.map(page => /PAGE \d OF 5/.exec(page)?.[0])).toEqual([1, 2, 3, 4, 5].map(n => `PAGE ${n} OF 5`))
  })

  it('extracts the selected pages in the order of the document', async () => {
    const pages = await toJson(numbered(), { pages: [4, 2] })
    expect(pages.map(({ page }) => page)).toEqual([2, 4])
  })

  it('writes headings, lists and paragraphs as Markdown', async () => {
    const file = await makeTextPages(1, page =>
      page
        .text('Rivers of the north', 40, 60, { size: 20 })
        .lines(BODY, 40, 90)
        .text('Bridges', 40, 160, { isBold: true })
        .lines(BODY, 40, 180)
        .lines(['• First of all', '• Second of all', '1. Not in a list * of stars'], 50, 250, { leading: 14 }),
    )
    const { bytes, contentType, name } = await runOn('extract-text', file, { format: 'markdown' })
    expect(contentType).toBe('text/markdown; charset=utf-8')
    expect(name).toBe('input-text.md')
    const markdown = bytes.toString('utf8')
    expect(markdown).toMatch(/^# Rivers of the north\n\nThe river begins in the hills above the town and runs through/)
    expect(markdown).toContain('\n\n## Bridges\n\n')
    expect(markdown).toContain('- First of all\n- Second of all\n')
    expect(markdown).toContain('\\* of stars')
  })

  it('reads two columns one after the other', async () => {
    const left = BODY.map(line => line.slice(0, 28))
    const right = BODY.map(line => line.slice(0, 28).toUpperCase())
    const file = await makeTextPages(1, page =>
      page.lines([...left, ...left], 40, 60).lines([...right, ...right], 220, 60),
    )
    const text = (await extract(file)).replace(/\s+/g, ' ')
    expect(text).toContain([...left, ...left].join(' '))
    expect(text.indexOf('THE RIVER')).toBeGreaterThan(text.lastIndexOf('the mills'))
  })

  it('joins words that a line break divides', async () => {
    const lines = [
      'A paragraph with a very long expla-',
      'nation of something, and COVID-',
      '19 keeps its hyphen here, as it',
    ]
    const text = await extract(await makeTextPages(1, page => page.lines(lines, 40, 60)))
    expect(text).toContain('long explanation of')
    expect(text).toContain('COVID-19 keeps')
  })

  it('finds tables with borders, and cells that span columns', async () => {
    const file = await makeTextPages(1, page => {
      page.lines(BODY, 40, 50).grid([40, 140, 240, 340], [120, 140, 160, 180])
      for (const [row, cells] of [
        ['Item', 'Price', 'Stock'],
        ['Bolt', '1.20', '40'],
        ['Nut', '0.80', '7'],
      ].entries())
        for (const [column, cell] of cells.entries()) page.text(cell, 46 + column * 100, 134 + row * 20)
    })
    const markdown = await extract(file, { format: 'markdown' })
    expect(markdown).toContain(
      '| Item | Price | Stock |\n| --- | --- | --- |\n| Bolt | 1.20 | 40 |\n| Nut | 0.80 | 7 |',
    )
    const [page] = await toJson(file)
    const table = page?.blocks.find(({ type }) => type === 'table')
    expect(table?.box).toEqual({ x: 40, y: 420, width: 300, height: 60 })
    expect(table?.cells?.[4]).toMatchObject({ row: 1, column: 1, columnSpan: 1, text: '1.20' })
  })

  it('finds tables without borders', async () => {
    const rows = [
      ['Town', 'Height', 'People'],
      ['Arden', '120 m', '4,100'],
      ['Bly', '86 m', '950'],
      ['Corve', '310 m', '12'],
    ]
    const file = await makeTextPages(1, page => {
      page.lines(BODY, 40, 50)
      for (const [row, cells] of rows.entries())
        for (const [column, cell] of cells.entries()) page.text(cell, 40 + column * 90, 130 + row * 16)
      page.lines(BODY, 40, 220)
    })
    const markdown = await extract(file, { format: 'markdown' })
    expect(markdown).toContain(
      rows
        .slice(1)
        .map(cells => `| ${cells.join(' | ')} |`)
        .join('\n'),
    )
    expect(await extract(file)).toContain('Arden\t120 m\t4,100\n')
  })

  it('marks, keeps or removes headers and footers', async () => {
    const file = await makeTextPages(3, (page, number) =>
      page
        .text('Annual report', 40, 30)
        .lines(BODY, 40, 200 + number * 10)
        .text(`Page ${number} of 3`, 180, 580),
    )
    expect(await extract(file)).toMatch(/^\[Header\] Annual report\n\nThe river.*\n\n\[Footer\] Page 1 of 3\n\f/s)
    expect(await extract(file, { format: 'markdown' })).toContain('<!-- Footer: Page 2 of 3 -->')
    expect(await extract(file, { headersFooters: 'keep' })).toMatch(/^Annual report\n\n/)
    const removed = await extract(file, { headersFooters: 'remove' })
    expect(removed).not.toMatch(/Annual|Page \d/)
    expect(removed.match(/The river/g)).toHaveLength(3)
    const [page] = await toJson(file)
    expect(page?.blocks.map(({ type }) => type)).toEqual(['header', 'paragraph', 'footer'])
  })

  it('follows the tags, and uses /ActualText', async () => {
    const draft = new Draft()
    addTags(draft)
    const [page] = await toJson(draft.write())
    expect(page?.source).toBe('tags')
    expect(page?.blocks[0]?.text).toMatch(/^[A-Z]+$/)
  })

  it('states boxes in points from the lower-left corner of the displayed page', async () => {
    const file = await makeTextPages(1, ({ page }) => page.setRotation({ type: 'degrees', angle: 90 } as never))
    expect((await toJson(file))[0]).toMatchObject({ width: 600, height: 400, source: 'none', blocks: [] })
    const [plain] = await toJson(await makeTextPages(1, page => page.text('Word', 100, 200)))
    const word = plain?.blocks[0]?.lines?.[0]?.words[0]
    expect(word?.text).toBe('Word')
    expect(word?.box.x).toBeCloseTo(100, 0)
    expect(word?.box.y).toBeCloseTo(398, 0)
    expect(word?.box.height).toBeCloseTo(10, 0)
  })

  it('reads sideways text and pages that are turned', async () => {
    const file = await makeTextPages(1, page =>
      page.lines(BODY, 40, 60).text('Sideways words here', 380, 300, { turnDeg: 90 }),
    )
    expect(await extract(file)).toContain('Sideways words here')
  })

  it('warns about a scan, and recognizes it with ocr', async () => {
    const file = await makeScan([{ lines: ['INVOICE', 'TOTAL'] }])
    const without = await runOn('extract-text', file)
    expect(without.warnings).toContain('page-without-text')
    expect(without.bytes.toString()).toBe('')
    const { bytes, headers, warnings } = await runOn('extract-text', file, {
      ocr: true,
      languages: ['eng'],
      format: 'json',
    })
    expect(warnings).not.toContain('page-without-text')
    expect(headers['X-OCR-Pages']).toBe('1')
    expect(JSON.parse(bytes.toString()).pages[0].source).toBe('ocr')
    expect(bytes.toString()).toContain('INVOICE')
  }, 60_000)

  it('refuses languages without ocr, and languages that are not installed', async () => {
    await expect(extract(numbered(), { languages: ['eng'] })).rejects.toThrow(/ocr/)
    await expect(extract(numbered(), { ocr: true, languages: ['xyz'] })).rejects.toMatchObject({
      problems: [{ param: expect.stringMatching(/^options\.languages/) }],
    })
  })

  it('returns the same bytes for the same request', async () => {
    const one = await extract(numbered(), { format: 'json' })
    expect(await extract(numbered(), { format: 'json' })).toBe(one)
  })

  it('reads amounts, dates and addresses of a right-to-left invoice as they are shown', async () => {
    const invoice = readFileSync('public/samples/invoice-arabic.pdf')
    const text = (await runOn('extract-text', invoice)).bytes.toString('utf8')
    for (const part of ['٣٦٣٫٣٦٦ د.ك.', '٢٠٢٦/٠٣/٠٢', 'info@alnoor.example', 'الرقم الضريبي KW-998877', '(٥٪)'])
      expect(text).toContain(part)
  })
})
