import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { withBlankPages } from '../../fixtures/blanks'
import { Draft, noise, numbered } from '../../fixtures/draft'
import { addSignature } from '../../fixtures/features'
import { makeBook } from '../../fixtures/make-fixtures'
import { makeSharedImage } from '../../fixtures/shared-image'
import { readZip } from '../../support/read-zip'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { IS_COMPLETE } from '../../support/scope'
import { readSound } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'
import { pageNumbers } from './page-tools'

describe('split-pdf', () => {
  it('returns a ZIP of the parts, each without content of the others', async () => {
    const draft = makeBook({ pages: 5 })
    const { bytes, contentType, name } = await runOn('split-pdf', draft.write('streams'), {
      ranges: [
        { start: 1, end: 2 },
        { start: 3, end: 5 },
      ],
    })
    expect({ contentType, name }).toEqual({ contentType: 'application/zip', name: 'input-parts.zip' })
    const parts = readZip(bytes)
    expect(parts.map(part => part.name)).toEqual(['input-1.pdf', 'input-2.pdf'])
    for (const [index, pages] of [
      [1, 2],
      [3, 4, 5],
    ].entries()) {
      const part = parts[index]?.bytes ?? Buffer.alloc(0)
      expect(await pageNumbers(part)).toEqual(pages)
      expect(findTraces(part, draft.words(...[1, 2, 3, 4, 5].filter(number => !pages.includes(number))))).toEqual([])
      readSound(part)
      expect((await readPdf(part)).attachments).toEqual([])
    }
  })

  describe('with an image that all pages share', () => {
    const side = 400
    const file = makeSharedImage({ pages: 30, side })

    it('copies the image into each part', async () => {
      const parts = readZip((await runOn('split-pdf', file, { mode: 'pages' })).bytes)
      expect(parts).toHaveLength(30)
      for (const part of parts) expect(part.bytes.length).toBeGreaterThan(side * side)
    })

    it('stops at the part that exceeds the limit of the output, and names the limit', async () => {
      const maxOutputBytes = 2.5 * 2 ** 20
      const split = runOn('split-pdf', file, { mode: 'pages' }, { maxOutputBytes })
      await expect(split).rejects.toMatchObject({
        reason: 'output_too_large',
        message:
          'The output must be at most 2.5 MB (2621440 bytes). Got a larger output. Each file in the ZIP has a copy of ' +
          'all that it shows. Request fewer files or fewer pages.',
      })
      const few = await runOn('split-pdf', file, { mode: 'count', parts: 10 }, { maxOutputBytes })
      expect(readZip(few.bytes)).toHaveLength(10)
    })
  })

  it('accepts overlapping and backward ranges and selectors, and returns one part as a ZIP too', async () => {
    const run = async (ranges: unknown): Promise<number[][]> =>
      Promise.all(
        readZip((await runOn('split-pdf', numbered(), { ranges })).bytes).map(part => pageNumbers(part.bytes)),
      )
    expect(
      await run([
        { start: 4, end: 5 },
        { start: 4, end: 2 },
      ]),
    ).toEqual([
      [4, 5],
      [4, 3, 2],
    ])
    expect(await run(['first', '2-', [3, 3]])).toEqual([[1], [2, 3, 4, 5], [3, 3]])
    expect(await run([{ start: 2, end: 2 }])).toEqual([[2]])
  })

  it('names parts so that they sort in page order', async () => {
    const { bytes } = await runOn('split-pdf', numbered({ pages: 12 }), {
      mode: 'ranges',
      ranges: Array.from({ length: 12 }, (_, index) => ({ start: index + 1, end: index + 1 })),
    })
    const names = readZip(bytes).map(part => part.name)
    expect(names[0]).toBe('input-01.pdf')
    expect([...names].sort()).toEqual(names)
  })

  it('copies no images of other pages into a part', async () => {
    const whole = new Draft({ pages: 8, imageBytes: 40_000, sharesResources: true }).write()
    for (const part of readZip(
      (await runOn('split-pdf', whole, { ranges: ['1', '2', '3', '4', '5', '6', '7', '8'] })).bytes,
    ))
      expect(part.bytes.length).toBeLessThan(whole.length / 6)
  })

  it('returns the same bytes for the same input', async () => {
    const file = makeBook().write()
    const [one, two] = await Promise.all([1, 2].map(() => runOn('split-pdf', file, { ranges: ['1-3', '4-'] })))
    expect(one?.bytes.equals(two?.bytes ?? Buffer.alloc(0))).toBe(true)
  })

  it('refuses ranges outside the document and names their parameter', async () => {
    await expect(
      runOn('split-pdf', numbered(), {
        ranges: [
          { start: 1, end: 2 },
          { start: 3, end: 6 },
        ],
      }),
    ).rejects.toMatchObject({ reason: 'page_missing', problems: [{ param: 'options.ranges[1].end' }] })
    await expect(runOn('split-pdf', numbered(), { ranges: ['1', '7'] })).rejects.toMatchObject({
      reason: 'page_missing',
      problems: [{ param: 'options.ranges[1]' }],
    })
    await expect(runOn('split-pdf', numbered(), { ranges: [] })).rejects.toMatchObject({ name: 'ZodError' })
  })

  it('refuses more pages in all parts together than a response may have', async () => {
    await expect(
      runOn('split-pdf', numbered(), { ranges: ['all', 'all', 'all'] }, { maxPagesOut: 14 }),
    ).rejects.toMatchObject({ reason: 'options_invalid', message: expect.stringContaining('at most 14') as string })
  })

  it('cuts every n pages, page by page and into even parts', async () => {
    const file = numbered({ pages: 7, layout: 'streams' })
    expect(await pagesOfParts(file, { mode: 'every', every: 3 })).toEqual([[1, 2, 3], [4, 5, 6], [7]])
    expect(await pagesOfParts(file, { mode: 'every', every: 100 })).toEqual([[1, 2, 3, 4, 5, 6, 7]])
    expect(await pagesOfParts(file, { mode: 'pages' })).toEqual([[1], [2], [3], [4], [5], [6], [7]])
    expect(await pagesOfParts(file, { mode: 'count', parts: 3 })).toEqual([
      [1, 2, 3],
      [4, 5],
      [6, 7],
    ])
    expect(await pagesOfParts(file, { mode: 'count', parts: 7 })).toHaveLength(7)
  })

  it('cuts only the selected pages, in their order', async () => {
    const file = numbered({ pages: 7 })
    expect(await pagesOfParts(file, { mode: 'every', every: 2, pages: '7-4,1' })).toEqual([[7, 6], [5, 4], [1]])
    expect(await pagesOfParts(file, { mode: 'pages', pages: [2, 6] })).toEqual([[2], [6]])
    expect(await pagesOfParts(file, { mode: 'count', parts: 2, pages: 'odd' })).toEqual([
      [1, 3],
      [5, 7],
    ])
  })

  it('cuts at bookmarks down to a level, also at headings without a target of their own', async () => {
    const file = makeBook().write('streams')
    const titles = (await readPdf(file)).outline.filter(entry => entry.level === 2).map(entry => entry.title)
    expect(await pagesOfParts(file, { mode: 'bookmarks' })).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
    expect(await namesOfParts(file, { mode: 'bookmarks', nameTemplate: '{index} {title}' })).toEqual([
      '1 Part 1.pdf',
      '2 Part 2.pdf',
      '3 Part 3.pdf',
    ])
    expect(await pagesOfParts(file, { mode: 'bookmarks', level: 2 })).toEqual([[1], [2], [3], [4], [5], [6]])
    expect(await namesOfParts(file, { mode: 'bookmarks', level: 2, nameTemplate: '{title}' })).toEqual([
      'Part 1.pdf',
      `${titles[1]}.pdf`,
      'Part 2.pdf',
      `${titles[3]}.pdf`,
      'Part 3.pdf',
      `${titles[5]}.pdf`,
    ])
  })

  it('makes a part of the pages before the first bookmark, unless the request excludes it', async () => {
    const file = withBookmarks({ 3: '1.5 A/B', 5: 'Last' })
    expect(await pagesOfParts(file, { mode: 'bookmarks' })).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
    expect(await pagesOfParts(file, { mode: 'bookmarks', includeFrontMatter: false })).toEqual([
      [3, 4],
      [5, 6],
    ])
    expect(await namesOfParts(file, { mode: 'bookmarks', nameTemplate: '{title}' })).toEqual([
      'Front matter.pdf',
      '1.5 A-B.pdf',
      'Last.pdf',
    ])
    expect(await pagesOfParts(file, { mode: 'bookmarks', pages: '2-5' })).toEqual([[2], [3, 4], [5]])
    await expect(
      runOn('split-pdf', file, { mode: 'bookmarks', includeFrontMatter: false, pages: '1-2' }),
    ).rejects.toMatchObject({ reason: 'options_invalid', problems: [{ param: 'options.includeFrontMatter' }] })
    await expect(runOn('split-pdf', numbered(), { mode: 'bookmarks' })).rejects.toMatchObject({
      reason: 'options_invalid',
      problems: [{ param: 'options.mode' }],
    })
  })

  it('keeps the files of the parts below a size, with as many pages as fit', async () => {
    for (const sharesResources of [false, true]) {
      const file = new Draft({ pages: 9, imageBytes: 60_000, sharesResources }).write('streams')
      const { bytes, warnings } = await runOn('split-pdf', file, { mode: 'size', maxBytes: 200_000 })
      const parts = readZip(bytes)
      expect(await Promise.all(parts.map(part => pageNumbers(part.bytes)))).toEqual([
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ])
      for (const part of parts) expect(part.bytes.length).toBeLessThanOrEqual(200_000)
      expect(warnings).toEqual([])
    }
  })

  it('finds the cuts if page sizes vary unpredictably', async () => {
    const draft = new Draft({ pages: 40 })
    for (const page of draft.pages)
      page.content.push(`% ${noise(String(page.number), page.number % 10 === 0 ? 40_000 : 200).toString('hex')}`)
    const file = draft.write()
    const parts = readZip((await runOn('split-pdf', file, { mode: 'size', maxBytes: 100_000 })).bytes)
    const counts = (await Promise.all(parts.map(part => pageNumbers(part.bytes)))).map(pages => pages.length)
    expect(counts.reduce((sum, count) => sum + count)).toBe(40)
    for (const [index, part] of parts.entries()) {
      expect(part.bytes.length).toBeLessThanOrEqual(100_000)
      const longer = await runOn('extract-pages', file, { pages: rangeOf(counts, index) })
      if (index + 1 < parts.length) expect(longer.bytes.length).toBeGreaterThan(100_000)
    }
  })

  it('puts a page that is too large in a separate part, with a warning', async () => {
    const draft = new Draft({ pages: 4 })
    draft.page(2).content.push(`% ${noise('large', 60_000).toString('hex')}`)
    const { bytes, warnings } = await runOn('split-pdf', draft.write(), { mode: 'size', maxBytes: 50_000 })
    expect(await Promise.all(readZip(bytes).map(part => pageNumbers(part.bytes)))).toEqual([[1], [2], [3, 4]])
    expect(warnings).toEqual(['part-over-size'])
  })

  it('names parts by a template, by a list, or by their range', async () => {
    const file = numbered({ pages: 12 })
    const ranges = ['1-3', '12-11,4,6', { start: 9, end: 9, name: '../odd/name.pdf' }]
    expect(await namesOfParts(file, { ranges, nameTemplate: '{name} {index} of {start}..{end} ({range})' })).toEqual([
      'input 1 of 01..03 (01-03).pdf',
      'input 2 of 12..06 (12-11,04,06).pdf',
      'odd-name.pdf',
    ])
    expect(await namesOfParts(file, { mode: 'count', parts: 3, names: ['one', 'two.pdf', 'One'] })).toEqual([
      'one.pdf',
      'two.pdf',
      'One (2).pdf',
    ])
    expect(await namesOfParts(file, { mode: 'count', parts: 4, nameTemplate: 'same' })).toEqual([
      'same.pdf',
      'same (2).pdf',
      'same (3).pdf',
      'same (4).pdf',
    ])
    await expect(runOn('split-pdf', file, { mode: 'count', parts: 3, names: ['one'] })).rejects.toMatchObject({
      reason: 'options_invalid',
      message: 'options.names: must have exactly one name per part. Got 1 names for 3 parts.',
    })
  })

  it('lists the parts in a manifest if requested', async () => {
    const file = withBookmarks({ 3: 'Rest' })
    const entries = readZip((await runOn('split-pdf', file, { mode: 'bookmarks', manifest: true })).bytes)
    expect(entries.map(entry => entry.name)).toEqual(['input-1.pdf', 'input-2.pdf', 'manifest.json'])
    const facts = [
      [1, 2],
      [3, 4, 5, 6],
    ].map((pages, index) => {
      const bytes = entries[index]?.bytes ?? Buffer.alloc(0)
      return {
        file: `input-${index + 1}.pdf`,
        pages,
        title: [null, 'Rest'][index],
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      }
    })
    expect(JSON.parse(entries[2]?.bytes.toString() ?? '')).toEqual(facts)
  })

  it('keeps or removes the bookmarks of the pages of a part', async () => {
    const draft = makeBook({ pages: 4 })
    const outlines = async (bookmarks: string) =>
      Promise.all(
        readZip((await runOn('split-pdf', draft.write(), { mode: 'every', every: 2, bookmarks })).bytes).map(
          async part => (await readPdf(part.bytes)).outline.map(({ page, level }) => [level, page]),
        ),
      )
    expect(await outlines('keep')).toEqual([
      [
        [1, undefined],
        [2, 1],
        [2, 2],
      ],
      [
        [1, undefined],
        [2, 1],
        [2, 2],
      ],
    ])
    expect(await outlines('none')).toEqual([[], []])
  })

  it('splits many pages into the same parts as each page alone', async () => {
    for (const layout of IS_COMPLETE ? (['table', 'streams'] as const) : (['streams'] as const)) {
      const draft = makeBook({ pages: 20, fanOut: 7 })
      const file = draft.write(layout)
      const { bytes, warnings } = await runOn('split-pdf', file, { mode: 'pages', pages: '20-1,1,7' })
      const parts = readZip(bytes)
      expect(parts).toHaveLength(22)
      for (const at of [0, 10, 20, 21]) {
        const number = [20 - at, 1, 7][Math.max(0, at - 19)] ?? 0
        const part = parts[at]?.bytes ?? Buffer.alloc(0)
        const [alone] = readZip((await runOn('split-pdf', file, { ranges: [[number]] })).bytes)
        expect(await readPdf(part)).toEqual(await readPdf(alone?.bytes ?? Buffer.alloc(0)))
        expect(part.length).toBeLessThan((alone?.bytes.length ?? 0) * 1.02)
        expect(
          findTraces(part, draft.words(...draft.pages.map(page => page.number).filter(other => other !== number))),
        ).toEqual([])
        readSound(part)
      }
      expect(warnings).toEqual((await runOn('split-pdf', file, { ranges: ['1'] })).warnings)
    }
  })

  it('warns about signatures that become invalid, however many parts there are', async () => {
    const draft = new Draft({ pages: 40 })
    addSignature(draft, 2)
    for (const options of [{ mode: 'pages' }, { mode: 'size', maxBytes: 50_000 }])
      expect((await runOn('split-pdf', draft.write(), options)).warnings).toEqual(['signatures-invalidated'])
  })

  it('refuses options of another mode and missing options, and names them', async () => {
    const refused = async (options: unknown) => {
      const error: unknown = await runOn('split-pdf', numbered(), options).catch((cause: unknown) => cause)
      return error instanceof z.ZodError
        ? error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
        : [String(error)]
    }
    expect(await refused({})).toEqual(['ranges: is required for mode "ranges".'])
    expect(await refused({ mode: 'every', parts: 2 })).toEqual([
      'every: is required for mode "every".',
      'parts: only applies to mode "count". The mode is "every".',
    ])
    expect(await refused({ mode: 'pages', level: 2, maxBytes: 60_000 })).toEqual([
      'maxBytes: only applies to mode "size". The mode is "pages".',
      'level: only applies to mode "bookmarks". The mode is "pages".',
    ])
    expect(await refused({ mode: 'every', every: 2, includeFrontMatter: false, nameTemplate: '{title}' })).toEqual([
      'includeFrontMatter: only applies to mode "bookmarks". The mode is "every".',
      'nameTemplate: {title} only applies to mode "bookmarks". The mode is "every".',
    ])
    expect((await refused({ ranges: ['1'], pages: 'all' }))[0]).toMatch(/^pages: can't be combined with mode "ranges"/)
    expect((await refused({ ranges: ['1'], nameTemplate: '{page}' }))[0]).toBe(
      'nameTemplate: has the unknown placeholder {page}. Use {name}, {index}, {start}, {end}, {title}, {range}.',
    )
    expect((await refused({ ranges: ['1'], names: ['a'], nameTemplate: '{index}' }))[0]).toBe(
      "names: can't be combined with nameTemplate. Send only one of them.",
    )
    expect(await refused({ mode: 'size', maxBytes: 49_999 })).toHaveLength(1)
    expect(await refused({ mode: 'count', parts: 6 })).toEqual([
      'EngineError: options.parts: must be at most the number of pages. Got 6 parts for 5 pages. Use 2 to 5.',
    ])
  })

  it('cuts at blank pages, which are removed or stay at the end of the previous part', async () => {
    const file = withBlankPages().write('streams')
    const run = async (options: object) =>
      readZip((await runOn('split-pdf', file, { mode: 'blank', manifest: true, ...options })).bytes)
    const pages = async (options: object) =>
      (JSON.parse((await run(options)).at(-1)?.bytes.toString() ?? '') as { pages: number[] }[]).map(part => part.pages)
    expect(await pages({})).toEqual([[2], [5], [7, 8]])
    expect(await pages({ keepBlank: true })).toEqual([
      [1, 2, 3, 4],
      [5, 6],
      [7, 8],
    ])
    expect(await pages({ pages: '8-5', blankThreshold: 0.004 })).toEqual([[7], [5]])
    expect((await readPdf((await run({}))[2]?.bytes ?? Buffer.alloc(0))).pages.length).toBe(2)
    await expect(run({ pages: [1, 3] })).rejects.toThrow(
      'options.mode: "blank" leaves no part, because all 2 selected pages are blank',
    )
    await expect(run({ mode: 'pages', keepBlank: true })).rejects.toThrow('only applies to mode \\"blank\\"')
  })
})

async function pagesOfParts(file: Buffer, options: unknown): Promise<number[][]> {
  return Promise.all(readZip((await runOn('split-pdf', file, options)).bytes).map(part => pageNumbers(part.bytes)))
}

async function namesOfParts(file: Buffer, options: unknown): Promise<string[]> {
  return readZip((await runOn('split-pdf', file, options)).bytes).map(part => part.name)
}

/** Six pages with a flat outline. Titles are listed by the page that they target. */
function withBookmarks(titles: Record<number, string>): Buffer {
  const draft = new Draft({ pages: 6 })
  const { pdf } = draft
  const root = pdf.reserve()
  const items = Object.entries(titles).map(([number, title]) => ({
    ref: pdf.reserve(),
    page: draft.page(Number(number)).ref,
    title,
  }))
  for (const [index, { ref, page, title }] of items.entries()) {
    const next = items[index + 1]
    pdf.set(ref, `<</Title(${title})/Parent ${root} 0 R/Dest[${page} 0 R/Fit]${next ? `/Next ${next.ref} 0 R` : ''}>>`)
  }
  pdf.set(root, `<</Type/Outlines/First ${items[0]?.ref} 0 R/Last ${items.at(-1)?.ref} 0 R/Count ${items.length}>>`)
  draft.catalog.push(`/Outlines ${root} 0 R`)
  return draft.write()
}

/** The pages of a part and the first page of the next part. */
function rangeOf(counts: number[], part: number): string {
  const start = counts.slice(0, part).reduce((sum, count) => sum + count, 1)
  const end = start + (counts[part] ?? 0)
  return part + 1 < counts.length ? `${start}-${end}` : `${start}`
}
