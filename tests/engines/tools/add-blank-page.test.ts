import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { addBlankPage } from '../../../engines/tools/add-blank-page'
import { Draft, numbered } from '../../fixtures/draft'
import { addXfa } from '../../fixtures/features'
import { makeBook } from '../../fixtures/make-fixtures'
import { replaceText } from '../../fixtures/damaged'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound, StrictPdf } from '../../support/strict-pdf'

const five = numbered()

/** The numbers that the pages contain as text. A page without text has 0. */
async function order(file: Buffer, options: unknown): Promise<number[]> {
  const { bytes } = await runOn('add-blank-page', file, options)
  readSound(bytes)
  return (await readPdf(bytes)).pages.map(page => (page.text === '' ? 0 : Number(/PAGE (\d+) OF/.exec(page.text)?.[1])))
}

async function sizes(file: Buffer, options: unknown): Promise<string[]> {
  return (await readPdf((await runOn('add-blank-page', file, options)).bytes)).pages.map(
    page => `${page.width.toFixed(1)}×${page.height.toFixed(1)}`,
  )
}

describe('add-blank-page: position', () => {
  it('adds a page at the end, or at the start', async () => {
    expect(await order(five, {})).toEqual([1, 2, 3, 4, 5, 0])
    expect(await order(five, { position: 'end', pageSize: 'A4' })).toEqual([1, 2, 3, 4, 5, 0])
    expect(await order(five, { position: 'start', count: 3 })).toEqual([0, 0, 0, 1, 2, 3, 4, 5])
  })

  it('adds pages before or after the named pages, in any order and repeatedly', async () => {
    expect(await order(five, { position: 'before', page: 3 })).toEqual([1, 2, 0, 3, 4, 5])
    expect(await order(five, { position: 'after', page: [5, 1, 5] })).toEqual([1, 0, 2, 3, 4, 5, 0])
    expect(await order(five, { position: 'before', page: 'odd', count: 2 })).toEqual([0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 5])
  })

  it('adds a page after every n pages', async () => {
    expect(await order(five, { position: 'every', interval: 2 })).toEqual([1, 2, 0, 3, 4, 0, 5])
    expect(await order(five, { position: 'every', interval: 1 })).toEqual([1, 0, 2, 0, 3, 0, 4, 0, 5, 0])
    expect(await order(five, { position: 'every', interval: 6 })).toEqual([1, 2, 3, 4, 5])
  })

  it('makes the number of pages even', async () => {
    expect(await order(five, { position: 'odd-end' })).toEqual([1, 2, 3, 4, 5, 0])
    expect(await order(numbered({ pages: 4 }), { position: 'odd-end' })).toEqual([1, 2, 3, 4])
  })

  it('works in page trees with many nodes and inherited attributes, in every layout', async () => {
    const expected = Array.from({ length: 150 }, (_, index) => index + 1)
    for (const layout of ['table', 'streams', 'hybrid'] as const) {
      expect(
        await order(numbered({ pages: 150, fanOut: 10, inherits: true, layout }), { position: 'after', page: 'last' }),
      ).toEqual([...expected, 0])
    }
  })
})

describe('add-blank-page: size', () => {
  it('is the displayed size of the neighbor', async () => {
    const file = replaceText(
      numbered({ pages: 3, size: [300, 400], rotate: { 2: 90 } }),
      '/MediaBox[0 0 300 400]',
      '/MediaBox[-50 0 300 500]/CropBox[0 0 600 450]',
    )
    expect(await sizes(file, { position: 'start' })).toEqual([
      '300.0×450.0',
      '300.0×450.0',
      '400.0×300.0',
      '300.0×400.0',
    ])
    expect(await sizes(file, { position: 'after', page: 2 })).toEqual([
      '300.0×450.0',
      '400.0×300.0',
      '400.0×300.0',
      '300.0×400.0',
    ])
    expect(await sizes(file, { position: 'before', page: 2, pageSize: 'match', orientation: 'portrait' })).toEqual([
      '300.0×450.0',
      '300.0×400.0',
      '400.0×300.0',
      '300.0×400.0',
    ])
  })

  it('ignores inherited rotation and boxes', async () => {
    const file = replaceText(
      numbered({ pages: 2, inherits: true, crop: [100, 100, 300, 500] }),
      '/Count 2',
      '/Count 2/Rotate 90',
    )
    expect(await sizes(file, { pageSize: 'Letter' })).toEqual(['400.0×200.0', '400.0×200.0', '612.0×792.0'])
  })

  it('has the unit of the neighbor whose size it uses', async () => {
    const file = replaceText(numbered({ pages: 1 }), '/MediaBox', '/UserUnit 30/MediaBox')
    const matching = new StrictPdf((await runOn('add-blank-page', file)).bytes).pages[1]?.dict
    expect([matching?.get('MediaBox'), matching?.get('UserUnit')]).toEqual([[0, 0, 612, 792], 30])
    const named = new StrictPdf((await runOn('add-blank-page', file, { pageSize: 'legal' })).bytes).pages[1]?.dict
    expect([named?.get('MediaBox'), named?.has('UserUnit')]).toEqual([[0, 0, 612, 1008], false])
  })

  it('is set by name in any case, or by width and height, in portrait or landscape', async () => {
    const last = async (options: object) => (await sizes(five, options)).at(-1)
    expect(await last({ pageSize: 'a4' })).toBe('595.3×841.9')
    expect(await last({ pageSize: 'EXECUTIVE', orientation: 'portrait' })).toBe('522.0×756.0')
    expect(await last({ pageSize: 'Tabloid', orientation: 'landscape' })).toBe('1224.0×792.0')
    expect(await last({ pageSize: { width: 300, height: '10cm' } })).toBe('300.0×283.5')
    expect(await last({ pageSize: { width: 300, height: '10cm' }, orientation: 'portrait' })).toBe('283.5×300.0')
  })
})

describe('add-blank-page: the rest of the document', () => {
  it('keeps bookmarks, links, destinations, fields, tags and files on their content', async () => {
    for (const layout of ['table', 'streams', 'hybrid'] as const) {
      const file = makeBook().write(layout)
      const before = await readPdf(file)
      const { bytes, warnings } = await runOn('add-blank-page', file, { position: 'before', page: [1, 4] })
      const after = await readPdf(bytes)
      const moved = (page: number | undefined) => page && page + (page >= 4 ? 2 : 1)
      expect(warnings).toEqual([])
      expect(after.outline).toEqual(before.outline.map(entry => ({ ...entry, page: moved(entry.page) })))
      const links = before.pages.map(page => page.links.map(link => (link.page ? { page: moved(link.page) } : link)))
      const kept = after.pages.filter((_, index) => index !== 0 && index !== 4)
      expect(kept).toEqual(before.pages.map((page, index) => ({ ...page, links: links[index] })))
      expect({ ...after, pages: [], outline: [] }).toEqual({ ...before, pages: [], outline: [] })
    }
  })

  it("gives blank pages labels between the labels of their neighbors, which don't change", async () => {
    const labels = async (ranges: string, options: object, tool = 'add-blank-page') => {
      const draft = new Draft({ pages: 4 })
      if (ranges) draft.catalog.push(`/PageLabels<</Nums[${ranges}]>>`)
      const { bytes } = await runOn(tool, draft.write(), options)
      const seen = (await readPdf(bytes)).pages.map(page => page.label)
      const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, isEvalSupported: false })
      const others = await (await task.promise).getPageLabels()
      await task.destroy()
      if (ranges) expect(others).toEqual(seen)
      else expect([others, new StrictPdf(bytes).catalog.has('PageLabels')]).toEqual([null, false])
      return seen
    }
    const front = '0<</S/r>>2<</S/D/P(A-)>>'
    expect(await labels('', { count: 2 })).toEqual(['', '', '', '', '', ''])
    expect(await labels(front, { count: 2 })).toEqual(['i', 'ii', 'A-1', 'A-2', 'A-3', 'A-4'])
    expect(await labels(front, { position: 'after', page: 2 })).toEqual(['i', 'ii', 'iii', 'A-1', 'A-2'])
    const between = await labels(front, { position: 'after', page: [1, 3], count: 2 })
    expect(between).toEqual(['i', 'i-a', 'i-b', 'ii', 'A-1', 'A-1a', 'A-1b', 'A-2'])
    expect(await labels(front, { position: 'start', count: 2 })).toEqual(['0', '0a', 'i', 'ii', 'A-1', 'A-2'])
    expect(await labels('0<</S/D/St 7>>', { position: 'start', count: 2 })).toEqual(['5', '6', '7', '8', '9', '10'])
    expect(await labels('0<</S/D/St 2>>', { position: 'start', count: 2 })).toEqual(['0', '0a', '2', '3', '4', '5'])
    expect(await labels('0<</S/A/St 27>>', { position: 'after', page: 1 })).toEqual(['AA', 'AA-a', 'BB', 'CC', 'DD'])
    expect(await labels('0<</P(Cover)>>1<</S/D>>', { position: 'after', page: 1 })).toEqual([
      'Cover',
      'Cover',
      '1',
      '2',
      '3',
    ])
    // The next number belongs to another page.
    const elsewhere = '0<</S/D>>2<</S/D/P(x)>>3<</S/D/St 3>>'
    expect(await labels(elsewhere, { position: 'after', page: 2 })).toEqual(['1', '2', '2a', 'x1', '3'])
    const wide = '0<</S/D>>2<</S/D/P<FEFF041C>>>'
    expect(await labels(wide, { position: 'after', page: 3 })).toEqual(['1', '2', 'М1', 'М1a', 'М2'])
    expect(await labels('0<</S/D>>2<</S/r>>', { preset: 'booklet' }, 'organize-pdf')).toEqual(['ii', '1', '2', 'i'])
  })

  it('draws nothing', async () => {
    const { pixels } = await renderPage((await runOn('add-blank-page', five, { position: 'start' })).bytes, 0)
    expect(pixels.every((value, at) => at % 4 === 3 || value === 255)).toBe(true)
  })

  it('removes an XFA form, which would not show the page', async () => {
    const draft = new Draft({ salt: 'twin' })
    addXfa(draft)
    expect((await runOn('add-blank-page', draft.write())).warnings).toEqual(['xfa-dropped'])
  })

  it('returns the same bytes again', async () => {
    const [one, two] = [
      await runOn('add-blank-page', five, { count: 7 }),
      await runOn('add-blank-page', five, { count: 7 }),
    ]
    expect(one.bytes.equals(two.bytes)).toBe(true)
  })
})

describe('add-blank-page: errors', () => {
  const mistakes = (options: unknown) =>
    addBlankPage.options.safeParse(options).error?.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`) ??
    []
  const nested = (options: unknown) => JSON.stringify(addBlankPage.options.safeParse(options).error?.issues)

  it('lists the known sizes', () => {
    for (const name of ['Z9', 'constructor', '__proto__', '']) {
      const problems = nested({ pageSize: name })
      expect(problems).toContain(JSON.stringify(`must be a page size. Got "${name}". `).slice(1, -1))
      expect(problems).toContain(
        'Use match, A0, A1, A2, A3, A4, A5, A6, B4, B5, Letter, Legal, Tabloid, Executive, or an object',
      )
    }
  })

  it('limits sizes', () => {
    for (const width of [2.9, 14_401, -5, 1e300, '1mm', '600cm'])
      expect(nested({ pageSize: { width, height: 100 } })).toContain('must be 3 to 14,400 points')
    expect(nested({ pageSize: { width: 'wide', height: 100 } })).toContain('must be a length')
    expect(nested({ pageSize: { width: 100 } })).toContain('height')
  })

  it('requires the options of a position, and refuses others', () => {
    expect(mistakes({ position: 'before' })).toEqual(['page: is required with position "before".'])
    expect(mistakes({ position: 'every' })).toEqual(['interval: is required with position "every".'])
    expect(mistakes({ page: 2 })).toEqual(['page: doesn\'t apply to position "end". Use position "before" or "after".'])
    expect(mistakes({ position: 'after', page: 1, interval: 2 })).toEqual([
      'interval: doesn\'t apply to position "after". Use position "every".',
    ])
    expect(mistakes({ position: 'odd-end', count: 2 })).toEqual([
      'count: must be 1 with position "odd-end", which adds at most one page. Got 2.',
    ])
    for (const count of [0, 101, 1.5]) expect(mistakes({ count })).toHaveLength(1)
  })

  it('refuses pages that do not exist, and more pages than a response may have', async () => {
    await expect(runOn('add-blank-page', five, { position: 'after', page: 6 })).rejects.toMatchObject({
      reason: 'page_missing',
      message: 'options.page: page 6 is not in this 5-page document. Use 1 to 5.',
    })
    await expect(
      runOn('add-blank-page', five, { position: 'every', interval: 1, count: 100 }, { maxPagesOut: 300 }),
    ).rejects.toMatchObject({
      reason: 'options_invalid',
      message: 'options.count: the result must have at most 300 pages. Got 505 (count 100 at 5 places).',
    })
  })
})
