import { describe, expect, it } from 'vitest'
import { runJob } from '../../../engines/jobs'
import { Draft, numbered } from '../../fixtures/draft'
import { addOutline } from '../../fixtures/features'
import { makeBook } from '../../fixtures/make-fixtures'
import { makeScene } from '../../fixtures/scene'
import { compareImages } from '../../support/compare-images'
import { readPdf, renderPage } from '../../support/reader'
import { LIMITS, runOn } from '../../support/run-on'
import { readSound, StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

describe('merge-pdf', () => {
  it('keeps the order of the request, sizes and rotations', async () => {
    const files = [
      numbered({ pages: 2, size: [842, 595], layout: 'streams' }),
      numbered({ pages: 1, rotate: { 1: 90 } }),
      numbered({ pages: 3, inherits: true, size: [300, 400] }),
    ]
    const seen = (await readPdf((await runOn('merge-pdf', files)).bytes)).pages
    expect(seen.map(page => page.text.match(/PAGE (\d OF \d)/)?.[1])).toEqual([
      '1 OF 2',
      '2 OF 2',
      '1 OF 1',
      '1 OF 3',
      '2 OF 3',
      '3 OF 3',
    ])
    expect(seen.map(page => [page.width, page.height])).toEqual([
      [842, 595],
      [842, 595],
      [792, 612],
      [300, 400],
      [300, 400],
      [300, 400],
    ])
  })

  it('takes the same file several times', async () => {
    const file = numbered({ pages: 2, layout: 'streams' })
    expect((await readPdf((await runOn('merge-pdf', [file, file, file])).bytes)).pages).toHaveLength(6)
  })

  it('merges a hundred files into a valid file', async () => {
    const files = Array.from({ length: 100 }, (_, index) =>
      numbered({ pages: 1 + (index % 2), salt: `file ${index}`, layout: index % 3 ? 'table' : 'streams' }),
    )
    const { bytes } = await runOn('merge-pdf', files)
    const strict = readSound(bytes)
    expect(strict.pages).toHaveLength(150)
  })

  it("names the file that can't be read", async () => {
    const good = numbered({ pages: 1 })
    await expect(runOn('merge-pdf', [good, Buffer.from('no PDF'), good])).rejects.toMatchObject({
      reason: 'not_a_pdf',
      message: expect.stringMatching(/^files\[1\]: /) as string,
      problems: [{ param: 'files[1]' }],
    })
  })

  it('takes the named pages of each file, and nothing of the others', async () => {
    const drafts = ['a', 'b', 'c'].map(salt => makeBook({ salt, pages: 4 }))
    for (const layout of ['table', 'streams'] as const) {
      const { bytes } = await runOn(
        'merge-pdf',
        drafts.map(draft => draft.write(layout)),
        { pages: ['3,1', null, [4, 4]] },
      )
      const seen = await readPdf(bytes)
      expect(pagesOf(seen)).toEqual(['3 OF 4', '1 OF 4', '1 OF 4', '2 OF 4', '3 OF 4', '4 OF 4', '4 OF 4', '4 OF 4'])
      expect(seen.outline.map(entry => entry.page)).toEqual([
        undefined,
        2,
        undefined,
        1,
        undefined,
        3,
        4,
        undefined,
        5,
        6,
        undefined,
        7,
      ])
      expect(seen.attachments).toHaveLength(6)
      expect(findTraces(bytes, [...(drafts[0]?.words(2, 4) ?? []), ...(drafts[2]?.words(1, 2, 3) ?? [])])).toEqual([])
      expect(findTraces(bytes, drafts[1]?.words(1, 2, 3, 4) ?? [])).toEqual(drafts[1]?.words(1, 2, 3, 4))
      expectSound(bytes)
    }
  })

  it('refuses a wrong number of selectors, and pages that a file does not have', async () => {
    const files = [numbered({ pages: 2 }), numbered({ pages: 3 })]
    await expect(runOn('merge-pdf', files, { pages: ['1', null, '2'] })).rejects.toMatchObject({
      reason: 'options_invalid',
      message:
        'options.pages: must have one entry per file. Got 3 entries for 2 files. Use null for all pages of a file.',
    })
    await expect(runOn('merge-pdf', files, { pages: [null, [3, 4]] })).rejects.toMatchObject({
      reason: 'page_missing',
      problems: [{ param: 'options.pages[1][1]' }],
    })
    await expect(runOn('merge-pdf', files, { pages: ['3', null] })).rejects.toMatchObject({
      reason: 'page_missing',
      problems: [{ param: 'options.pages[0]' }],
    })
  })

  it('interleaves pages, and reverses the second file if requested', async () => {
    const files = [4, 2, 3].map(pages => makeBook({ pages, salt: `of ${pages}` }).write('streams'))
    const order = async (options: unknown) => {
      const { bytes } = await runOn('merge-pdf', files, options)
      expectSound(bytes)
      return pagesOf(await readPdf(bytes))
    }
    expect(await order({ mode: 'interleave' })).toEqual([
      '1 OF 4',
      '1 OF 2',
      '1 OF 3',
      '2 OF 4',
      '2 OF 2',
      '2 OF 3',
      '3 OF 4',
      '3 OF 3',
      '4 OF 4',
    ])
    expect(await order({ mode: 'interleave-reverse' })).toEqual([
      '1 OF 4',
      '2 OF 2',
      '3 OF 3',
      '2 OF 4',
      '1 OF 2',
      '2 OF 3',
      '3 OF 4',
      '1 OF 3',
      '4 OF 4',
    ])
    expect(await order({ mode: 'interleave', pages: ['1-2', '2', 'r1-r3'] })).toEqual([
      '1 OF 4',
      '2 OF 2',
      '3 OF 3',
      '2 OF 4',
      '2 OF 3',
      '1 OF 3',
    ])
  })

  it('keeps links and bookmarks on their content if pages are interleaved', async () => {
    const seen = await readPdf(
      (
        await runOn(
          'merge-pdf',
          ['x', 'y'].map(salt => makeBook({ salt, pages: 3 }).write()),
          { mode: 'interleave' },
        )
      ).bytes,
    )
    expect(seen.outline.filter(entry => entry.level === 2).map(entry => entry.page)).toEqual([1, 3, 5, 2, 4, 6])
    expect(seen.pages.map(page => page.links.find(link => link.page)?.page)).toEqual([3, 4, 5, 6, 1, 2])
  })

  it('adds blank pages between files, after each file or to start each file on a front page', async () => {
    const files = [
      numbered({ pages: 2, size: [300, 400] }),
      numbered({ pages: 1, size: [500, 200], rotate: { 1: 90 } }),
      numbered({ pages: 3, inherits: true }),
      numbered({ pages: 1 }),
    ]
    const run = async (options: unknown) => {
      const { bytes } = await runOn('merge-pdf', files, options)
      expectSound(bytes)
      return readPdf(bytes)
    }
    const always = await run({ blankBetween: 'always' })
    expect(pagesOf(always)).toEqual(['1 OF 2', '2 OF 2', '', '1 OF 1', '', '1 OF 3', '2 OF 3', '3 OF 3', '', '1 OF 1'])
    expect([2, 4, 8].map(index => [always.pages[index]?.width, always.pages[index]?.height])).toEqual([
      [300, 400],
      [200, 500],
      [612, 792],
    ])
    expect(pagesOf(await run({ blankBetween: 'odd' }))).toEqual([
      '1 OF 2',
      '2 OF 2',
      '1 OF 1',
      '',
      '1 OF 3',
      '2 OF 3',
      '3 OF 3',
      '',
      '1 OF 1',
    ])
    expect(pagesOf(await run({ blankBetween: 'odd', pages: ['1', '1', '1', '1'] }))).toEqual([
      '1 OF 2',
      '',
      '1 OF 1',
      '',
      '1 OF 3',
      '',
      '1 OF 1',
    ])
  })

  it('changes nothing else of the document for a blank page', async () => {
    const files = ['x', 'y'].map(salt => makeBook({ salt, pages: 3 }).write('streams'))
    const [plain, padded] = [
      await readPdf((await runOn('merge-pdf', files)).bytes),
      await readPdf((await runOn('merge-pdf', files, { blankBetween: 'odd' })).bytes),
    ]
    expect(padded.pages.toSpliced(3, 1).map(page => page.label)).toEqual(plain.pages.map(page => page.label))
    expect(padded.pages[3]).toMatchObject({ text: '', label: 'A-2', annotationCount: 0 })
    expect(padded.outline.map(entry => entry.page)).toEqual(
      plain.outline.map(entry => (entry.page === undefined || entry.page < 4 ? entry.page : entry.page + 1)),
    )
    expect(padded.isTagged).toBe(true)
  })

  it("adds a bookmark for each file, above the file's own bookmarks, named after the file or its title", async () => {
    const withOutline = new Draft({ pages: 2, salt: 'plain' })
    addOutline(withOutline)
    const files = [makeBook({ salt: 'a', pages: 2 }).write(), numbered({ pages: 3 }), withOutline.write('streams')]
    const outline = async (options: unknown) => {
      const { bytes } = await runOn('merge-pdf', files, options)
      expectSound(bytes)
      return (await readPdf(bytes)).outline.map(({ title, page, level }) => [
        level,
        level < 3 ? title : title.slice(0, 9),
        page,
      ])
    }
    const own = (first: number) => [
      [2, 'Part 1', undefined],
      [3, 'Chapter 1', first],
      [3, 'Chapter 2', first + 1],
    ]
    expect(await outline({ bookmarks: 'per-file' })).toEqual([
      [1, 'input-1', 1],
      ...own(1),
      [1, 'input-2', 3],
      [1, 'input-3', 6],
      ...own(6),
    ])
    expect(await outline({ bookmarks: 'per-file', bookmarkLabel: 'title' })).toEqual([
      [1, 'Title of a', 1],
      ...own(1),
      [1, 'input-2', 3],
      [1, 'input-3', 6],
      ...own(6),
    ])
    expect(await outline({ bookmarks: 'per-file', pages: ['2', '3,1', [1, 1]] })).toEqual([
      [1, 'input-1', 1],
      [2, 'Part 1', undefined],
      [3, 'Chapter 2', 1],
      [1, 'input-2', 2],
      [1, 'input-3', 4],
      [2, 'Part 1', undefined],
      [3, 'Chapter 1', 4],
    ])
    expect(await outline({ bookmarks: 'none' })).toEqual([])
  })

  it('scales all pages to one size, in landscape if they are wider than high', async () => {
    const files = [
      numbered({ pages: 1, size: [842, 595] }),
      numbered({ pages: 2, size: [300, 400], rotate: { 2: 90 } }),
      numbered({ pages: 1, size: [595, 842] }),
    ]
    const sizes = async (pageSize: unknown, options = {}) => {
      const { bytes } = await runOn('merge-pdf', files, { pageSize, ...options })
      expectSound(bytes)
      return (await readPdf(bytes)).pages.map(page => [Math.round(page.width), Math.round(page.height)])
    }
    expect(await sizes('keep')).toEqual([
      [842, 595],
      [300, 400],
      [400, 300],
      [595, 842],
    ])
    expect(await sizes('first')).toEqual([
      [842, 595],
      [595, 842],
      [842, 595],
      [595, 842],
    ])
    expect(await sizes('letter')).toEqual([
      [792, 612],
      [612, 792],
      [792, 612],
      [612, 792],
    ])
    expect(await sizes({ width: '100mm', height: 400 })).toEqual([
      [400, 283],
      [283, 400],
      [400, 283],
      [283, 400],
    ])
    expect(await sizes('first', { pages: [null, '2', '1'], blankBetween: 'always' })).toEqual([
      [842, 595],
      [842, 595],
      [842, 595],
      [842, 595],
      [595, 842],
    ])
    for (const pageSize of ['A44', '', { width: 1, height: 100 }, { width: 100 }, 'match'])
      await expect(runOn('merge-pdf', files, { pageSize })).rejects.toMatchObject({ name: 'ZodError' })
  })

  for (const [name, options] of Object.entries({
    plain: {},
    turned: { rotate: 270 },
    'cut out of a larger one': { hasMargin: true, origin: [30, -40] as [number, number], rotate: 90 },
    'of a larger unit': { userUnit: 2, scale: 0.5 },
  })) {
    it(`shows the content of a page that is ${name} unchanged at another size`, async () => {
      const isTurned = 'rotate' in options
      const lead = makeScene({ scale: 2, ...(isTurned && { rotate: options.rotate }) }).write()
      const { bytes } = await runOn('merge-pdf', [lead, makeScene(options).write('streams')], { pageSize: 'first' })
      expectSound(bytes)
      const [wanted, scaled] = [await renderPage(bytes, 0), await renderPage(bytes, 1)]
      expect([wanted.width, wanted.height]).toEqual(isTurned ? [600, 400] : [400, 600])
      expect(compareImages(scaled, wanted)).toBeLessThan(0.003)
    })
  }

  it('leaves out attachments and metadata if requested', async () => {
    const files = ['a', 'b'].map(salt => makeBook({ salt }).write('streams'))
    const kept = await readPdf((await runOn('merge-pdf', files)).bytes)
    expect({ title: kept.title, attachments: kept.attachments.length }).toEqual({ title: 'Title of a', attachments: 4 })
    const { bytes } = await runOn('merge-pdf', files, { attachments: 'drop', metadata: 'none' })
    const bare = await readPdf(bytes)
    expect({ title: bare.title, attachments: bare.attachments.length }).toEqual({ title: '', attachments: 0 })
    expect(findTraces(bytes, ['Title of a', 'Title of b', 'notes of a', 'notes of b', 'Fixture'])).toEqual([])
    expectSound(bytes)
  })

  it('takes the metadata of the first file with changes, including XMP', async () => {
    const files = ['a', 'b'].map(salt => makeBook({ salt }).write('streams'))
    const { bytes } = await runOn('merge-pdf', files, {
      metadata: { title: 'Both of them', keywords: ['one', 'two'], custom: { Case: '12' } },
    })
    expectSound(bytes)
    const strict = new StrictPdf(bytes)
    const info = strict.dict(strict.trailer.get('Info'))
    expect(['Title', 'Keywords', 'Case', 'Producer'].map(key => strict.text(info.get(key)))).toEqual([
      'Both of them',
      'one, two',
      '12',
      'Fixture',
    ])
    expect(bytes.includes('<rdf:li xml:lang="x-default">Both of them</rdf:li>')).toBe(true)
    expect(findTraces(bytes, ['Title of a', 'Title of b'])).toEqual([])
    const removed = await readPdf((await runOn('merge-pdf', files, { metadata: { title: '' } })).bytes)
    expect(removed.title).toBe('')
    for (const metadata of ['last', { titel: 'x' }, { creationDate: 'yesterday' }])
      await expect(runOn('merge-pdf', files, { metadata })).rejects.toMatchObject({ name: 'ZodError' })
  })

  it('sorts files by name or title, with numbers by value, and keeps selectors and bookmarks with their files', async () => {
    const titled = (pages: number, title?: string): Buffer => {
      const draft = new Draft({ pages, salt: `of ${pages}` })
      if (title !== undefined) draft.trailer.push(`/Info ${draft.pdf.add(`<</Title(${title})>>`)} 0 R`)
      return draft.write()
    }
    const files = [
      { name: 'Part 10.pdf', bytes: titled(1, 'beta 2') },
      { name: 'part 9.pdf', bytes: titled(2, 'Alpha') },
      { name: 'PART 10.pdf', bytes: titled(3) },
      { name: 'annex.pdf', bytes: titled(4, 'beta 10') },
    ]
    const merge = async (options: unknown) => {
      const { chunks } = await runJob(
        {
          tool: 'merge-pdf',
          options,
          files: files.map(file => ({ ...file, bytes: new Uint8Array(file.bytes) })),
          limits: LIMITS,
        },
        () => undefined,
      )
      return readPdf(Buffer.concat(chunks))
    }
    const first = { pages: ['1', '1', '1', '1'] }
    expect(pagesOf(await merge({ ...first, order: 'given' }))).toEqual(['1 OF 1', '1 OF 2', '1 OF 3', '1 OF 4'])
    expect(pagesOf(await merge({ ...first, order: 'name' }))).toEqual(['1 OF 4', '1 OF 2', '1 OF 1', '1 OF 3'])
    expect(pagesOf(await merge({ ...first, order: 'title' }))).toEqual(['1 OF 2', '1 OF 1', '1 OF 4', '1 OF 3'])
    const named = await merge({ order: 'name', pages: [null, '2', 'last', '3-4'], bookmarks: 'per-file' })
    expect(pagesOf(named)).toEqual(['3 OF 4', '4 OF 4', '2 OF 2', '1 OF 1', '3 OF 3'])
    expect(named.outline.map(entry => [entry.title, entry.page])).toEqual([
      ['annex', 1],
      ['part 9', 3],
      ['Part 10', 4],
      ['PART 10', 5],
    ])
    expect(named.title).toBe('beta 10')
    await expect(merge({ order: 'name', pages: [null, '7', null, null] })).rejects.toMatchObject({
      problems: [{ param: 'options.pages[1]' }],
    })
  })

  it('refuses conflicting options', async () => {
    const files = [numbered({ pages: 1 }), numbered({ pages: 1 })]
    for (const options of [
      { mode: 'interleave', blankBetween: 'odd' },
      { bookmarkLabel: 'title' },
      { bookmarks: 'none', bookmarkLabel: 'title' },
      { pages: ['1'] },
      { pages: ['1', 2] },
    ]) {
      await expect(runOn('merge-pdf', files, options)).rejects.toMatchObject({ name: 'ZodError' })
    }
    await expect(runOn('merge-pdf', files, { pages: ['1,1,1', null] }, { maxPagesOut: 3 })).rejects.toMatchObject({
      reason: 'too_large',
    })
  })
})

function pagesOf(seen: Awaited<ReturnType<typeof readPdf>>): string[] {
  return seen.pages.map(page => page.text.match(/PAGE (\d OF \d)/)?.[1] ?? page.text)
}

function expectSound(bytes: Buffer): void {
  readSound(bytes)
}
