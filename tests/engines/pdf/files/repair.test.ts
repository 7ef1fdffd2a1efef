import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { DAMAGED, encrypted, replaceText, withEndstreamInData } from '../../../fixtures/damaged'
import { Draft } from '../../../fixtures/draft'
import { makeBook } from '../../../fixtures/make-fixtures'
import { latin, PdfWriter } from '../../../fixtures/pdf-writer'
import { readZip } from '../../../support/read-zip'
import { readPdf } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

describe('a damaged file', () => {
  for (const [name, make] of Object.entries(DAMAGED)) {
    it(`with ${name} keeps its pages and is valid afterwards`, async () => {
      const { bytes } = await runOn('rotate-pdf', make(), { angle: 90 })
      const strict = new StrictPdf(bytes)
      expect(strict.problems.concat(strict.malformed)).toEqual([])
      const seen = await readPdf(bytes)
      expect(seen.pages.map(page => page.text.trim())).toEqual(
        [1, 2, 3, 4, 5].map(number => expect.stringMatching(new RegExp(`^PAGE ${number} OF 5 [A-Z]{14}$`))),
      )
      expect(seen.pages.every(page => page.rotation === 90)).toBe(true)
    })
  }

  it('is reported as repaired, and a valid file is not', async () => {
    for (const name of ['no startxref', 'a trailer without /Size', 'a cross-reference stream with a wrong checksum'])
      expect((await runOn('rotate-pdf', DAMAGED[name]?.() ?? Buffer.alloc(0), { angle: 90 })).warnings, name).toEqual([
        'repaired',
      ])
    expect((await runOn('rotate-pdf', new Draft().write(), { angle: 90 })).warnings).toEqual([])
  })

  it('keeps its title if the table is rebuilt', async () => {
    for (const layout of ['table', 'streams'] as const) {
      const broken = replaceText(makeBook().write(layout), /startxref\n\d+/, 'startxref\n3')
      expect((await readPdf((await runOn('rotate-pdf', broken, { angle: 90 })).bytes)).title).toBe('Title of book')
    }
  })

  it('leaves no trace of removed pages if its table is rebuilt', async () => {
    const draft = makeBook()
    const { bytes } = await runOn(
      'delete-pages',
      replaceText(draft.write('streams'), /startxref\n\d+/, 'startxref\n3'),
      { pages: [3] },
    )
    expect(findTraces(bytes, draft.words(3))).toEqual([])
    expect((await readPdf(bytes)).pages).toHaveLength(5)
  })

  it('that is truncated keeps the pages before the cut', async () => {
    const file = new Draft({ pages: 30, salt: 'cut' }).write()
    const { bytes } = await runOn('rotate-pdf', reordered(file).subarray(0, Math.floor(file.length * 0.7)), {
      angle: 90,
    })
    const seen = await readPdf(bytes)
    expect(seen.pages.length).toBeGreaterThan(10)
    expect(seen.pages.slice(0, 10).map(page => page.text.match(/PAGE \d+/)?.[0])).toEqual(
      Array.from({ length: 10 }, (_, index) => `PAGE ${index + 1}`),
    )
  })

  it('keeps a page of another type whose content is missing, merged or not', async () => {
    const page = latin(
      '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R 4 0 R]/Count ' +
        '2>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>\nendobj\n4 0 obj\n<</Parent 2 0 ' +
        'R/MediaBox[0 0 400 400]/Contents 9 0 R/Type/P',
    )
    const sizes = async (bytes: Buffer) => (await readPdf(bytes)).pages.map(({ width }) => width)
    expect(await sizes((await runOn('rotate-pdf', page, { angle: 90 })).bytes)).toEqual([300, 400])
    expect(await sizes((await runOn('merge-pdf', [page, page], {})).bytes)).toEqual([300, 400, 300, 400])
  })

  it('keeps a page that only a dangling reference marks as a page, merged, split or not', async () => {
    const page = latin(
      '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R 4 0 R 5 0 ' +
        'R]/Count 3>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>\nendobj\n4 0 ' +
        'obj\n<</Contents 46 0 R >>\nendobj\n5 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 ' +
        '400]>>\nendobj\ntrailer\n<</Root 1 0 R/Size 6>>\n',
    )
    const widths = async (bytes: Buffer) => (await readPdf(bytes)).pages.map(({ width }) => width)
    expect(await widths((await runOn('rotate-pdf', page, { angle: 180 })).bytes)).toEqual([300, 612, 400])
    expect(await widths((await runOn('merge-pdf', [page, page], {})).bytes)).toEqual([300, 612, 400, 300, 612, 400])
    const parts = readZip(
      (
        await runOn('split-pdf', page, {
          ranges: [
            { start: 1, end: 2 },
            { start: 2, end: 3 },
          ],
        })
      ).bytes,
    )
    expect(await Promise.all(parts.map(part => widths(part.bytes)))).toEqual([
      [300, 612],
      [612, 400],
    ])
  })

  it('uses the last definition of an object number if the table is rebuilt', async () => {
    const draft = new Draft({ pages: 1 })
    const file = draft.write()
    const page = draft.page(1).ref
    const newer = latin(`${page} 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>\nendobj\n`)
    const broken = Buffer.concat([file.subarray(0, file.indexOf('xref\n')), newer])
    expect((await readPdf((await runOn('rotate-pdf', broken, { angle: 90 })).bytes)).pages).toMatchObject([
      { width: 300, height: 300 },
    ])
  })
})

describe('broken Flate data in a damaged file', () => {
  const words = Array.from(
    { length: 400 },
    (_, index) => `BT /F1 9 Tf 20 ${(index * 7919) % 700} Td (WORD${(index * 104_729) % 9973}) Tj ET`,
  ).join('\n')
  const packed = deflateSync(Buffer.from(words, 'latin1'))
  const broken = Buffer.from(packed)
  broken.fill(0x5a, broken.length >> 1, (broken.length >> 1) + 40)
  const write = (data: Buffer, filter: string) =>
    Buffer.concat([
      latin(
        `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count ` +
          `1>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 800]/Contents 4 0 ` +
          `R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>\nendobj\n4 0 obj\n<</Length ` +
          `${data.length}/Filter${filter}>>\nstream\n`,
      ),
      data,
      latin('\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\nstartxref\n3\n%%EOF\n'),
    ])
  const contentOf = async (data: Buffer, filter: string, isSecond = false) => {
    const { bytes } = isSecond
      ? await runOn('merge-pdf', [new Draft({ pages: 1 }).write(), write(data, filter)], {})
      : await runOn('rotate-pdf', write(data, filter), { angle: 90 })
    const streams = [...bytes.toString('latin1').matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)].map(([, found = '']) =>
      Buffer.from(found, 'latin1'),
    )
    return streams.filter(stream => stream[0] === 0x78).toSorted((a, b) => b.length - a.length)[0]
  }

  it.each(['/FlateDecode', '[/FlateDecode]'])(
    'with filter name %s is written so that every reader can decode it, with the readable data',
    async filter => {
      const text = inflateSync((await contentOf(broken, filter)) ?? Buffer.alloc(0)).toString('latin1')
      expect(text.length).toBeGreaterThan(words.length / 3)
      expect(words.startsWith(text.slice(0, words.length / 3))).toBe(true)
    },
  )

  it('is repaired in each part of a split file', async () => {
    const parts = readZip(
      (
        await runOn('split-pdf', write(broken, '/FlateDecode'), {
          ranges: [
            { start: 1, end: 1 },
            { start: 1, end: 1 },
          ],
        })
      ).bytes,
    )
    const lengths = parts.map(
      part =>
        inflateSync(
          Buffer.from(/stream\r?\n([^]*?)\r?\nendstream/.exec(part.bytes.toString('latin1'))?.[1] ?? '', 'latin1'),
        ).length,
    )
    expect(lengths.map(length => length > words.length / 3)).toEqual([true, true])
  })

  it('is repaired in a second file of a merge too', async () => {
    expect(inflateSync((await contentOf(broken, '/FlateDecode', true)) ?? Buffer.alloc(0)).length).toBeGreaterThan(
      words.length / 3,
    )
  })

  it('has its integers of more than 64 bits written as reals', async () => {
    const odd = deflateSync(
      Buffer.from(
        '1 0 0 1 16593120448960454421 -16593120448960454421 cm (16593120448960454421) Tj [1 16593120448960454421] ' +
          '0 d 9223372036854775807000 w ',
        'latin1',
      ),
      { level: 0 },
    )
    const text = inflateSync(
      (await contentOf(odd.fill(0, odd.length - 4), '/FlateDecode')) ?? Buffer.alloc(0),
    ).toString('latin1')
    expect(text.trim()).toBe(
      '1 0 0 1 16593120448960454421.0 -16593120448960454421.0 cm (16593120448960454421) Tj [1 ' +
        '16593120448960454421.0] 0 d 9223372036854775807000.0 w',
    )
  })

  it('is left empty if its filter is unknown, because some readers refuse such a page', async () => {
    expect(inflateSync((await contentOf(packed, '/NoSuchDecode')) ?? Buffer.from('none')).length).toBe(0)
  })

  it('is left empty if only a damaged object names an unknown filter, and only there', async () => {
    const pdf = new PdfWriter()
    const root = pdf.reserve()
    const open = '/Filter/NoSuchDecode/NeverClosed['
    const page = pdf.add(
      `<</Type/Page/Parent 4 0 R/MediaBox[0 0 300 800]/Contents ${pdf.addPlainStream(open, 'UNKNOWNCONTENT')} 0 R>>`,
    )
    pdf.set(
      root,
      `<</Type/Catalog/Pages ${pdf.add(`<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)} 0 R/Other ` +
        `${pdf.addPlainStream(open, 'UNKNOWNOTHER')} 0 R>>`,
    )
    const { bytes } = await runOn('rotate-pdf', pdf.write({ root }), { angle: 90 })
    expect(['UNKNOWNCONTENT', 'UNKNOWNOTHER'].map(word => bytes.includes(word))).toEqual([false, true])
  })

  it('is the only data that changes', async () => {
    // A missing object is null.
    const { bytes } = await runOn('rotate-pdf', write(Buffer.from(words), ' 9 0 R'), { angle: 90 })
    expect(bytes.includes(words)).toBe(true)
    expect((await contentOf(packed, '/FlateDecode'))?.equals(packed)).toBe(true)
  })
})

describe('a stream', () => {
  it.each([
    ['[1 0 R CONTENT]', 'that is no stream'],
    ['[[7] CONTENT]', 'an array'],
    ['[CONTENT 4711 0 R null]', 'what is not there'],
  ])('is all that a page lists as its content: %s, %s', async contents => {
    const pdf = new PdfWriter()
    const root = pdf.reserve()
    const tree = pdf.reserve()
    const content = pdf.addPlainStream('', 'BT ET')
    pdf.set(
      tree,
      `<</Type/Pages/Kids[${pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 300 300]/Contents${contents.replace('CONTENT', `${content} 0 R`)}>>`)} ` +
        '0 R]/Count 1>>',
    )
    pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
    const { bytes, warnings } = await runOn('rotate-pdf', pdf.write({ root }), { angle: 90 })
    expect(bytes.toString('latin1')).toContain(`/Contents[${content} 0 R]`)
    expect(warnings).toEqual(['repaired'])
  })

  it('keeps every byte if its data contains the word endstream and its /Length is indirect', async () => {
    const { file, data } = withEndstreamInData()
    const { bytes, warnings } = await runOn('rotate-pdf', file, { angle: 90 })
    expect(bytes.includes(data)).toBe(true)
    expect(warnings).toEqual([])
    const strict = new StrictPdf(bytes)
    expect(strict.problems.concat(strict.malformed)).toEqual([])
  })
})

describe("a file that can't be repaired", () => {
  for (const [name, file] of Object.entries(encrypted())) {
    it(`is refused as encrypted if /Encrypt is ${name}`, async () => {
      await expect(runOn('rotate-pdf', file, { angle: 90 })).rejects.toMatchObject({
        name: 'EngineError',
        reason: 'encrypted',
      })
    })
  }

  const others: Record<string, Buffer> = {
    'nothing at all': Buffer.alloc(0),
    'a ZIP': latin('PK\u0003\u0004 this is no PDF'),
  }
  for (const [name, file] of Object.entries(others)) {
    it(`is refused as another format: ${name}`, async () => {
      await expect(runOn('rotate-pdf', file, { angle: 90 })).rejects.toMatchObject({
        name: 'EngineError',
        reason: 'not_a_pdf',
      })
    })
  }

  const hopeless: Record<string, Buffer> = {
    'a header and nothing else': latin('%PDF-1.4\n'),
    'a file without pages': replaceText(new Draft({ pages: 1 }).write(), /\/Kids\[[^\]]*\]/, '/Kids[]'),
    'a catalog without a page tree': replaceText(new Draft({ pages: 1 }).write(), '/Pages 2 0 R', ''),
    'a page tree that holds only itself': replaceText(
      new Draft({ pages: 1 }).write(),
      /\/Kids\[[^\]]*\]/,
      '/Kids[2 0 R]',
    ),
  }
  for (const [name, file] of Object.entries(hopeless)) {
    it(`is refused as damaged: ${name}`, async () => {
      await expect(runOn('rotate-pdf', file, { angle: 90 })).rejects.toMatchObject({
        name: 'EngineError',
        reason: 'damaged',
      })
    })
  }
})

/** The objects of the pages in page order. Each content follows its page, so that a cut removes only the last pages. */
function reordered(file: Buffer): Buffer {
  const text = file.toString('latin1')
  const objects = text.slice(text.indexOf('1 0 obj'), text.indexOf('xref\n0')).split(/(?<=endobj\n)/)
  const head = objects.slice(0, 3)
  const pages = objects.filter(object => object.includes('/Type/Page/'))
  const contents = objects.slice(3).filter(object => !object.includes('/Type/Page/'))
  return latin(
    text.slice(0, text.indexOf('1 0 obj')) +
      head.join('') +
      pages.map((page, index) => page + (contents[index] ?? '')).join('') +
      text.slice(text.indexOf('xref\n0')),
  )
}
