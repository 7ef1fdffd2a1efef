import { describe, expect, it } from 'vitest'
import { drawAsPaths, drawCode, readCodes, readCodesIn } from '../../../../fixtures/barcodes'
import type { CodeKind } from '../../../../fixtures/barcodes'
import { addPicture, placeImage } from '../../../../fixtures/placed-images'
import { picturesOf } from '../../../../support/pictures-of'
import { readZip } from '../../../../support/read-zip'
import { runOn } from '../../../../support/run-on'
import { sample } from '../../../../support/scope'

const KINDS: Record<CodeKind, [text: string, other: string]> = {
  QRCode: ['https://example.org/?name=Jane%20Vexholm', 'KEEPQR'],
  DataMatrix: ['Jane Vexholm', 'KEEPDM'],
  Aztec: ['Jane Vexholm', 'KEEPAZ'],
  PDF417: ['Jane Vexholm', 'KEEP417'],
  Code128: ['JANE VEXHOLM', 'KEEP128'],
  EAN13: ['4006381333931', '9780201379624'],
}

const SQUARE: ReadonlySet<CodeKind> = new Set<CodeKind>(['QRCode', 'DataMatrix', 'Aztec'])

const search = [{ text: 'Jane Vexholm' }, { text: '4006381333931' }]
const redact = (file: Buffer, options: object = {}): ReturnType<typeof runOn> =>
  runOn('pdf-redaction', file, { search, barcodes: true, ...options })

/** A page with one code as an image, and one as paths that stays. */
async function makePage(kind: CodeKind, matrix: string): Promise<Buffer> {
  const [text, other] = KINDS[kind]
  const [code, kept] = [await drawCode(text, kind), await drawCode(other, kind, { unit: 2 })]
  return placeImage(
    pdf => addPicture(pdf, code),
    () => ({ content: `q ${matrix} cm /I Do Q\nq 120 0 0 60 20 10 cm ${drawAsPaths(kept)} Q` }),
  )
}

describe('barcodes', () => {
  for (const kind of sample(Object.keys(KINDS) as CodeKind[], one => SQUARE.has(one)))
    it(`are removed from images if their content matches: ${kind}`, async () => {
      const [text, other] = KINDS[kind]
      const isSquare = SQUARE.has(kind)
      const file = await makePage(kind, isSquare ? '120 0 0 120 150 120' : '240 0 0 90 100 120')
      expect(await readCodes(file)).toEqual([other, text].sort())
      const { bytes, headers } = await redact(file)
      expect(headers).toMatchObject({ 'X-Redactions-Applied': '1', 'X-Redaction-Verified': 'true' })
      expect(await readCodes(bytes)).toEqual([other])
      for (const picture of await picturesOf(bytes)) expect(await readCodesIn(picture)).toEqual([])
    })

  const rotated = { QRCode: '104 60 -60 104 180 60', Code128: '240 40 -14 84 100 100' }
  for (const [kind, matrix] of sample(Object.entries(rotated) as [CodeKind, string][], () => 'any'))
    it(`are removed from paths that are rotated: ${kind}`, async () => {
      const code = drawAsPaths(await drawCode('Jane Vexholm', kind, { unit: 1 }))
      const file = placeImage(
        pdf => addPicture(pdf, { width: 1, height: 1, pixels: Uint8Array.of(255) }),
        () => ({ content: `q ${matrix} cm ${code} Q` }),
      )
      expect(await readCodes(file)).toEqual(['Jane Vexholm'])
      const { bytes, headers } = await redact(file, { color: '#ffffff' })
      expect(headers['X-Redaction-Verified']).toBe('true')
      expect(await readCodes(bytes)).toEqual([])
    })

  it('are removed from images that no page shows, and counted in the report', async () => {
    const code = await drawCode('Jane Vexholm', 'QRCode')
    const file = placeImage(
      pdf => addPicture(pdf, code),
      () => ({}),
    )
    const parts = readZip((await redact(file, { report: true })).bytes)
    const [document, report] = ['.pdf', 'report.json'].map(
      end => parts.find(({ name }) => name.endsWith(end))?.bytes ?? Buffer.alloc(0),
    ) as [Buffer, Buffer]
    expect(JSON.parse(report.toString('utf8'))).toMatchObject({
      verified: true,
      rules: [{ matches: 1, inBarcodes: 1 }, {}],
    })
    for (const picture of await picturesOf(document)) expect(await readCodesIn(picture)).toEqual([])
  })

  it('stay without the option, which needs rules', async () => {
    const file = await makePage('QRCode', '120 0 0 120 150 120')
    const { bytes } = await redact(file, { barcodes: false })
    expect(await readCodes(bytes)).toEqual([...KINDS.QRCode].reverse().sort())
    const areas = [{ page: 1, x: 0, y: 0, width: 5, height: 5 }]
    await expect(redact(file, { search: undefined, areas })).rejects.toThrow('only applies to search')
  })
})
