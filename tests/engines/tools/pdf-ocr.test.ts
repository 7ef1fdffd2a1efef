import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../engines/pdf/open-save/open'
import type { PlacedWord } from '../../../engines/pdf/content/text-layer'
import { openRenderer } from '../../../engines/pdf/rendering/render'
import { readPdfiumWords } from '../../support/pdfium-words'
import { numbered } from '../../fixtures/draft'
import { SCAN_SIZE, makePrint, makeScan } from '../../fixtures/scan'
import { readPdf, renderPage } from '../../support/reader'
import { readZip } from '../../support/read-zip'
import { LIMITS, runOn } from '../../support/run-on'
import { readSound } from '../../support/strict-pdf'

const LINES = [
  'The lighthouse keeper wrote one line',
  'before the lamp was lit, every day.',
  'Number 90417 is pinned to the door.',
]
const OTHER = [
  'Quiet rivers carry 36 apples home',
  'and nobody counts them on the way.',
  'The second page ends with this line.',
]

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()
const read = async (file: Buffer, options: object, limits = {}): Promise<string> =>
  (await runOn('pdf-ocr', file, { outputFormat: 'text', ...options }, limits)).bytes.toString('utf8')

async function words(file: Buffer, pageIndex = 0): Promise<PlacedWord[]> {
  const renderer = await openRenderer(openDocument(new Uint8Array(file), LIMITS))
  const found = readPdfiumWords(renderer, pageIndex)
  renderer.close()
  return found
}

/** The middle of a word's baseline. */
function middle({ x, y, length, angleDeg }: PlacedWord): [number, number] {
  const angle = (angleDeg * Math.PI) / 180
  return [x + (Math.cos(angle) * length) / 2, y + (Math.sin(angle) * length) / 2]
}

describe('searchable PDF', () => {
  it('places words where they are printed, on straight, sloping and rotated pages, without changing the look', async () => {
    const slopes = [0, 2, 180, 90]
    const scan = await makeScan(
      slopes.map((slopeDeg, index) => ({ lines: LINES, slopeDeg, ...(index === 0 ? { rotate: 90 } : {}) })),
    )
    const { bytes, headers, warnings, name } = await runOn('pdf-ocr', scan, {}, { name: 'letter.pdf' })
    expect({ name, warnings, pages: headers['X-OCR-Pages'] }).toEqual({
      name: 'letter-ocr.pdf',
      warnings: [],
      pages: '4',
    })
    expect(Number(headers['X-OCR-Confidence'])).toBeGreaterThan(80)
    readSound(bytes)
    for (const [index, slopeDeg] of slopes.entries()) {
      const [found, printed] = [await words(bytes, index), await words(makePrint({ lines: LINES, slopeDeg }))]
      for (const text of ['lighthouse', '90417', 'before']) {
        const [one, other] = [found, printed].map(list => list.find(word => word.text === text)) as [
          PlacedWord | undefined,
          PlacedWord | undefined,
        ]
        if (!one || !other)
          throw new Error(`"${text}" is not on page ${index + 1}: ${found.map(word => word.text).join(' ')}`)
        const [[x, y], [wantedX, wantedY]] = [middle(one), middle(other)]
        expect(Math.hypot(x - wantedX, y - wantedY), `${text} on page ${index + 1}`).toBeLessThan(2)
        expect(Math.abs(one.length - other.length)).toBeLessThan(3)
      }
      expect((await renderPage(bytes, index)).pixels.equals((await renderPage(scan, index)).pixels)).toBe(true)
    }
    expect((await runOn('pdf-ocr', scan, {}, { name: 'letter.pdf' })).bytes.equals(bytes)).toBe(true)
  })

  it('keeps hidden text that matches the print, and replaces other hidden text', async () => {
    const layer = (text: string): string => `BT 3 Tr /F1 13 Tf 25 200 Td (${text}) Tj ET`
    const scan = await makeScan([
      { lines: LINES, content: layer('zq#x wrong l@yer of an older program') },
      { lines: LINES, content: layer(`${LINES.join(' ')} KEPT`) },
    ])
    const [first, second] = (await readPdf((await runOn('pdf-ocr', scan)).bytes)).pages
    expect(plain(first?.text ?? '')).toBe(LINES.join(' '))
    expect(plain(second?.text ?? '')).toBe(`${LINES.join(' ')} KEPT`)
    const redone = (await readPdf((await runOn('pdf-ocr', scan, { mode: 'redo', pages: [2] })).bytes)).pages
    expect(redone.map(page => plain(page.text))).toEqual(['zq#x wrong l@yer of an older program', LINES.join(' ')])
  })

  it('replaces text below the image of the page', async () => {
    const scan = await makeScan([{ lines: LINES, under: 'BT /F1 13 Tf 25 200 Td (garbage under the picture) Tj ET' }])
    const { bytes } = await runOn('pdf-ocr', scan)
    expect((await readPdf(bytes)).pages.map(page => plain(page.text))).toEqual([LINES.join(' ')])
    expect((await renderPage(bytes, 0)).pixels.equals((await renderPage(scan, 0)).pixels)).toBe(true)
  })
})

describe('force', () => {
  const LINK =
    '/Annots[<</Type/Annot/Subtype/Link/Rect[25 200 120 220]/Border[0 0 0]/A<</S/URI/URI(https://example.com/)>>>>]'

  it("reads visible text as it looks, and an image replaces the page's old content", async () => {
    const print = makePrint({ lines: LINES, rotate: 90, isGarbled: true, entries: LINK })
    expect(plain((await readPdf(print)).pages[0]?.text ?? '')).not.toContain('lighthouse')
    expect(await read(print, {})).not.toContain('lighthouse')
    expect(plain(await read(print, { mode: 'force' }))).toBe(LINES.join(' '))
    const { bytes, warnings, headers } = await runOn('pdf-ocr', print, { mode: 'force' })
    expect({ warnings, pages: headers['X-OCR-Pages'] }).toEqual({ warnings: ['page-rasterized'], pages: '1' })
    const [page] = (await readPdf(bytes)).pages
    expect(plain(page?.text ?? '')).toBe(LINES.join(' '))
    const [found, printed] = [await words(bytes), await words(makePrint({ lines: LINES, rotate: 90 }))].map(
      list => list.find(({ text }) => text === '90417') as PlacedWord,
    )
    const [[x, y], [wantedX, wantedY]] = [middle(found as PlacedWord), middle(printed as PlacedWord)]
    expect(Math.hypot(x - wantedX, y - wantedY)).toBeLessThan(2)
    const [before, after] = [await renderPage(print, 0), await renderPage(bytes, 0)]
    expect([after.width, after.height]).toEqual([before.width, before.height])
    const difference =
      before.pixels.reduce((sum, shade, at) => sum + Math.abs(shade - (after.pixels[at] as number)), 0) /
      before.pixels.length
    expect(difference).toBeLessThan(3)
    readSound(bytes)
    expect(page?.links).toHaveLength(1)
    expect(page?.links).toEqual((await readPdf(print)).pages[0]?.links)
  })

  it('keeps images of scans, other pages, and pages without readable text', async () => {
    const scan = await makeScan([
      { lines: LINES, content: 'BT 3 Tr /F1 13 Tf 25 200 Td (an older layer) Tj ET' },
      { lines: OTHER, content: 'BT /F1 11 Tf 30 262 Td (Typed heading) Tj ET' },
      { lines: [], content: 'BT /F1 1 Tf 30 262 Td (tiny) Tj ET' },
    ])
    const { bytes, warnings } = await runOn('pdf-ocr', scan, { mode: 'force', pages: [1, 3] })
    expect(warnings).toEqual(['ocr-low-confidence'])
    const { pages } = await readPdf(bytes)
    expect(pages.map(page => plain(page.text))).toEqual([LINES.join(' '), 'Typed heading', 'tiny'])
    for (const index of [0, 1, 2])
      expect((await renderPage(bytes, index)).pixels.equals((await renderPage(scan, index)).pixels)).toBe(true)
  })
})

describe('text', () => {
  it('is returned page by page, for the selected pages, with a form feed between pages', async () => {
    const scan = await makeScan([{ lines: LINES }, { lines: OTHER, specks: 0.01 }, { lines: [] }])
    const { bytes, contentType, name, warnings } = await runOn('pdf-ocr', scan, { outputFormat: 'text' })
    expect({ contentType, name, warnings }).toEqual({
      contentType: 'text/plain; charset=utf-8',
      name: 'input-ocr.txt',
      warnings: [],
    })
    expect(bytes.toString('utf8').split('\f').map(plain)).toEqual([LINES.join(' '), OTHER.join(' '), ''])
    expect(plain(await read(scan, { pages: [2] }))).toBe(OTHER.join(' '))
  })

  it("is the page's own text without recognition, if the page has text", async () => {
    const { bytes, headers } = await runOn('pdf-ocr', numbered({ pages: 2 }), { outputFormat: 'text' })
    expect(bytes.toString('utf8')).toMatch(/^PAGE 1 OF 2 \w+\n\fPAGE 2 OF 2 \w+\n$/)
    expect(headers).toEqual({ 'X-OCR-Pages': '0' })
  })

  it('includes text in an image on a page that has text', async () => {
    const scan = await makeScan([
      {
        lines: OTHER,
        place: [0, 0, SCAN_SIZE.width, SCAN_SIZE.height * 0.9],
        content: 'BT /F1 11 Tf 30 262 Td (Typed heading) Tj ET',
      },
    ])
    expect(plain(await read(scan, { dpi: 300 }))).toBe(`Typed heading ${OTHER.join(' ')}`)
    const searchable = (await runOn('pdf-ocr', scan, { dpi: 300 })).bytes
    expect(
      plain((await readPdf(searchable)).pages[0]?.text ?? '')
        .split(' ')
        .sort(),
    ).toEqual(`Typed heading ${OTHER.join(' ')}`.split(' ').sort())
  })

  it('is empty, with a warning, if there is nothing to read', async () => {
    const { bytes, warnings, headers } = await runOn('pdf-ocr', await makeScan([{ lines: [] }]), {
      outputFormat: 'text',
    })
    expect({ text: bytes.toString('utf8'), warnings, headers }).toEqual({
      text: '',
      warnings: ['ocr-low-confidence'],
      headers: { 'X-OCR-Pages': '1', 'X-OCR-Confidence': '0.0' },
    })
  })
})

describe('data', () => {
  it('contains words, positions and confidence in all formats', async () => {
    const scan = await makeScan([{ lines: LINES }])
    const json = JSON.parse(await read(scan, { outputFormat: 'json', languages: ['eng', 'deu', 'eng'] })) as {
      languages: string[]
      pages: {
        page: number
        width: number
        words: { text: string; confidence: number; box: Record<string, number>; line: number }[]
      }[]
    }
    expect(json.languages).toEqual(['eng', 'deu'])
    const found = json.pages[0]?.words.find(({ text }) => text === '90417')
    const printed = (await words(makePrint({ lines: LINES }))).find(({ text }) => text === '90417')
    if (!found || !printed) throw new Error('90417 was not read')
    expect(found).toMatchObject({ line: 3, confidence: expect.any(Number) as number })
    expect(found.box['x']).toBeCloseTo(printed.x, -0.5)
    expect(found.box['y']).toBeCloseTo(printed.y, -0.5)
    const entries = readZip((await runOn('pdf-ocr', scan, { outputFormat: 'zip' }, { name: 'letter.pdf' })).bytes)
    expect(entries.map(({ name }) => name)).toEqual(['letter.pdf', 'letter.txt', 'letter.json'])
    expect(plain(entries[1]?.bytes.toString('utf8') ?? '')).toBe(LINES.join(' '))
    const tsv = (await read(scan, { outputFormat: 'tsv', dpi: 144 }))
      .trimEnd()
      .split('\n')
      .map(row => row.split('\t'))
    expect(new Set(tsv.map(row => row.length))).toEqual(new Set([12]))
    expect(tsv[1]).toEqual(['1', '1', '0', '0', '0', '0', '0', '0', '560', '560', '-1', ''])
    expect(Number(tsv.find(row => row[11] === '90417')?.[6]) / 2).toBeCloseTo(printed.x, -0.5)
    const hocr = await read(scan, { outputFormat: 'hocr' })
    expect(hocr).toMatch(
      /<span class="ocrx_word" id="word_1_\d+" title="bbox \d+ \d+ \d+ \d+; x_wconf \d+">90417<\/span>/,
    )
  })
})

describe('errors', () => {
  it.each([
    [
      'a language that is not installed',
      { languages: ['eng', 'xyz'] },
      'options.languages[1]: must be an installed language. Got "xyz". Use ara, ces, chi_sim, chi_tra, deu, eng',
    ],
    [
      'a language with a path in it',
      { languages: ['../../eng'] },
      'options.languages[0]: must be an installed language. Got "../../eng".',
    ],
    [
      'a page that does not exist',
      { pages: [2] },
      'options.pages[0]: page 2 is not in this 1-page document. Use 1 to 1.',
    ],
  ])('names %s', async (_, options, message) => {
    await expect(runOn('pdf-ocr', numbered({ pages: 1 }), options)).rejects.toMatchObject({
      reason: 'options_invalid',
      message: expect.stringContaining(message) as string,
    })
  })

  it('name the limit of pages', async () => {
    await expect(runOn('pdf-ocr', numbered({ pages: 201 }))).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('must select at most 200 pages. Got 201') as string,
    })
  })

  it('end a page that takes too long, and the next document is read', async () => {
    const scan = await makeScan([{ lines: LINES }])
    await expect(runOn('pdf-ocr', scan, {}, { ocrPageTimeoutMs: 1 })).rejects.toMatchObject({
      reason: 'timed_out',
      message: expect.stringContaining('Page 1 could not be recognized within 0.001 seconds') as string,
    })
    expect(plain(await read(scan, {}))).toBe(LINES.join(' '))
  })
})
