import { describe, expect, it } from 'vitest'
import { pdfRedaction } from '../../../../../engines/tools/pdf-redaction'
import { lastDark } from '../../../../fixtures/hidden-images'
import { addPicture, drawWords, placeImage } from '../../../../fixtures/placed-images'
import { makeScan } from '../../../../fixtures/scan'
import { renderPage } from '../../../../support/reader'
import { readZip } from '../../../../support/read-zip'
import { recognizeText } from '../../../../support/redaction-judges/recognized-text'
import { runOn } from '../../../../support/run-on'

const LINES = [
  'The lighthouse keeper Marlowe wrote',
  'a letter to Marlowe and others,',
  'pinned with number 90417 here.',
]

const redact = (file: Uint8Array, options: object): ReturnType<typeof runOn> =>
  runOn('pdf-redaction', file, { ocr: true, ...options })

/** The text that recognition reads on the pages, independent of our search. */
async function read(file: Uint8Array): Promise<string> {
  return (await runOn('pdf-ocr', file, { outputFormat: 'text', dpi: 300 })).bytes.toString('utf8').replace(/\s+/g, ' ')
}

/** The share of black pixels in an area of the page, from its lower-left corner. */
async function blackOf(
  file: Uint8Array,
  box: { x: number; y: number; width: number; height: number },
): Promise<number> {
  const { width, height, pixels } = await renderPage(file, 0)
  let black = 0
  for (let y = height - box.y - box.height; y < height - box.y; y++)
    for (let x = box.x; x < box.x + box.width; x++) if ((pixels[(y * width + x) * 4] ?? 255) < 40) black++
  return black / (box.width * box.height)
}

describe('words in images', () => {
  for (const [kind, slopeDeg, rotate] of [
    ['straight', 0, 0],
    ['sloping', 3, 0],
    ['on its head', 180, 0],
    ['turned', 0, 90],
  ] as const) {
    it(`are found in a scan and removed from its pixels, while neighboring words stay: ${kind}`, async () => {
      const file = await makeScan([{ lines: LINES, slopeDeg, rotate }])
      expect(await read(file)).toContain('Marlowe')
      const { bytes, headers, warnings } = await redact(file, { color: '#ffffff', search: [{ text: 'marlowe' }] })
      const text = await read(bytes)
      expect(text).not.toMatch(/marl|lowe/i)
      for (const word of ['lighthouse', 'keeper', 'wrote', 'letter', 'others', 'pinned', '90417'])
        expect(text).toContain(word)
      expect({ warnings, applied: headers['X-Redactions-Applied'], verified: headers['X-Redaction-Verified'] }).toEqual(
        { warnings: [], applied: '2', verified: 'true' },
      )
    })
  }

  it('are covered by a box at their old position', async () => {
    const file = await makeScan([{ lines: ['Marlowe'] }])
    const { bytes } = await redact(file, { search: [{ text: 'Marlowe' }] })
    expect(await blackOf(file, { x: 25, y: 209, width: 45, height: 9 })).toBeLessThan(0.6)
    expect(await blackOf(bytes, { x: 25, y: 209, width: 45, height: 9 })).toBe(1)
  })

  it('are found in a small image on a page with text, and have a separate count in the report', async () => {
    const file = await makeScan([
      { lines: LINES, place: [150, 20, 80, 80], content: 'BT /F1 13 Tf 25 240 Td (Printed: Marlowe, in full.) Tj ET' },
    ])
    const { bytes } = await redact(file, { search: [{ text: 'Marlowe' }], report: true })
    const [document, report] = ['.pdf', 'report.json'].map(
      end => readZip(bytes).find(({ name }) => name.endsWith(end))?.bytes ?? Buffer.alloc(0),
    ) as [Buffer, Buffer]
    expect(JSON.parse(report.toString('utf8'))).toMatchObject({ rules: [{ matches: 3, recognized: 2 }] })
    expect((await runOn('pdf-ocr', document, { outputFormat: 'text', dpi: 576 })).bytes.toString('utf8')).not.toMatch(
      /marl|lowe/i,
    )
  })

  it('are found if a word continues from an image to text', async () => {
    const picture = await drawWords('The name is Mar')
    const end = 40 + (lastDark(picture) * 320) / picture.width + 1
    const file = placeImage(
      pdf => addPicture(pdf, picture),
      () => ({ content: `q 320 0 0 48 40 180 cm /I Do Q BT /F1 24 Tf ${end} 194 Td (lowe here) Tj ET` }),
    )
    expect(await recognizeText(file)).toContain('Marlowe')
    const { bytes, headers } = await redact(file, { color: '#ffffff', search: [{ text: 'Marlowe' }] })
    const text = await recognizeText(bytes)
    expect(text).not.toMatch(/mar|lowe/i)
    for (const word of ['KEEPA', 'name', 'here']) expect(text).toContain(word)
    expect(headers).toMatchObject({ 'X-Redactions-Applied': '1', 'X-Redaction-Verified': 'true' })
  })

  it('count once if hidden text contains the same', async () => {
    const layer = LINES.map((line, index) => `BT 3 Tr /F1 13 Tf 25 ${210 - 24 * index} Td (${line}) Tj ET`).join(' ')
    const { bytes, headers } = await redact(await makeScan([{ lines: LINES, content: layer }]), {
      search: [{ text: 'Marlowe' }],
    })
    expect(headers['X-Redactions-Applied']).toBe('2')
    expect(await read(bytes)).not.toMatch(/marl|lowe/i)
  })

  it('are found by expressions and kinds of data, and across lines', async () => {
    const file = await makeScan([
      {
        lines: [
          'Contact jane@example.com today',
          'or see file AB-1234 and the confi-',
          'dential annex of Captain',
          'Haddock before noon.',
        ],
      },
    ])
    const { bytes, headers } = await redact(file, {
      color: '#ffffff',
      search: [
        { preset: 'email' },
        { regex: '[A-Z]{2}-\\d{4}' },
        { text: 'confidential' },
        { text: 'Captain Haddock' },
      ],
    })
    expect(headers['X-Redactions-Applied']).toBe('4')
    const text = await read(bytes)
    expect(text).not.toMatch(/jane|example|1234|confi|dential|Captain|Haddock/)
    for (const word of ['today', 'see file', 'annex', 'before noon']) expect(text).toContain(word)
  })

  it('are only searched if requested, and only on the pages of the rule', async () => {
    const file = await makeScan([{ lines: LINES }, { lines: LINES }])
    expect((await redact(file, { ocr: false, search: [{ text: 'Marlowe' }] })).warnings).toEqual(['redaction-no-match'])
    const { bytes } = await redact(file, { search: [{ text: 'Marlowe', pages: [2] }] })
    const [first, second] = (await runOn('pdf-ocr', bytes, { outputFormat: 'text' })).bytes.toString('utf8').split('\f')
    expect(first).toContain('Marlowe')
    expect(second).not.toContain('Marlowe')
  })

  it("cause a warning if a scan can't be read with confidence", async () => {
    const file = await makeScan([{ lines: ['~ # ^ . , : ; | / ~'], specks: 0.3 }])
    expect((await redact(file, { search: [{ text: 'Marlowe' }] })).warnings).toContain('ocr-low-confidence')
  })

  it('may take as long as text recognition, and no other redaction may', () => {
    const options = (ocr: boolean): Parameters<NonNullable<typeof pdfRedaction.timeLimits>>[0] =>
      pdfRedaction.options.parse({ search: [{ text: 'a' }], ocr })
    expect([true, false].map(ocr => pdfRedaction.timeLimits?.(options(ocr)))).toEqual(['ocr', undefined])
  })

  it("are refused on more pages than the limit, in languages that aren't installed, and without rules", async () => {
    const pages = Array.from({ length: 201 }, () => ({ lines: [] as string[] }))
    await expect(redact(await makeScan(pages), { search: [{ text: 'Marlowe' }] })).rejects.toMatchObject({
      reason: 'too_large',
      problems: [{ param: 'options.ocr' }],
    })
    await expect(
      redact(await makeScan([{ lines: LINES }]), { search: [{ text: 'Marlowe' }], languages: ['xxx'] }),
    ).rejects.toMatchObject({ reason: 'options_invalid', problems: [{ param: 'options.languages[0]' }] })
    const mistakes = (options: object): string[] =>
      pdfRedaction.options.safeParse(options).error?.issues.map(({ path }) => path.join('.')) ?? []
    expect(mistakes({ areas: [{ page: 1, x: 1, y: 1, width: 1, height: 1 }], ocr: true })).toEqual(['ocr'])
    expect(mistakes({ search: [{ text: 'a' }], languages: ['eng'] })).toEqual(['languages'])
  })
})
