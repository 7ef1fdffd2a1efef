import { expect, it } from 'vitest'
import { isEngineError } from '../../../../engines/errors'
import { ENCODED } from '../../../fixtures/encoded-images'
import { makePng } from '../../../fixtures/png'
import { validateFile } from '../../../support/conformance'
import { runOn } from '../../../support/run-on'
import { Random } from '../redaction/search-rules/random'
import { makeRandomInvoice } from './random-invoice'

// RANDOM_INVOICES=2000 tries more of them. RANDOM_SEED=1 tries others.
const COUNT = Number(process.env['RANDOM_INVOICES'] ?? 80)
const SEED = Number(process.env['RANDOM_SEED'] ?? 0)

const png = (colorType: 0 | 2 | 4 | 6, bits: 8 | 16) =>
  makePng({
    width: 9,
    height: 5,
    colorType,
    bits,
    pixel: (x, y) => [x * 20, y * 20, 90, 128].slice(0, { 0: 1, 2: 3, 4: 2, 6: 4 }[colorType]),
  })
const CMYK = Buffer.from(ENCODED.cmyk, 'base64')
const LOGOS = [png(0, 8), png(2, 8), png(4, 8), png(6, 16), Buffer.from(ENCODED.baseline, 'base64'), CMYK]
const CLAIMS = { 'pdfa-3b': '<pdfaid:part>3<', 'pdfua-1': '<pdfuaid:part>1<' } as const

it(`claims what holds for ${COUNT} random invoices`, { timeout: COUNT * 3_000 }, async () => {
  const random = new Random(SEED)
  for (let index = 0; index < COUNT; index++) {
    const invoice = makeRandomInvoice(random)
    const logo = random.next() < 0.3 ? random.pick(LOGOS) : undefined
    const { conformance, eInvoice } = invoice
    const wanted = conformance === undefined ? Object.keys(CLAIMS) : [conformance].flat()
    try {
      const { bytes } = await runOn('invoice', logo ? [logo] : [], invoice, { now: new Date(0) })
      if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) continue
      for (const [profile, claim] of Object.entries(CLAIMS)) {
        const isClaimed = bytes.includes(claim)
        if (isClaimed)
          expect(validateFile(bytes, profile as keyof typeof CLAIMS), `${index}`).toMatchObject({
            conforms: true,
            failures: [],
            undecided: [],
          })
        const isWanted = wanted.includes(profile) || (profile === 'pdfa-3b' && eInvoice !== undefined)
        expect(isClaimed, `${index}: ${profile}`).toBe(isWanted && (logo !== CMYK || profile === 'pdfua-1'))
      }
    } catch (error) {
      // An output intent for RGB doesn't define the colors of this logo.
      if (!isEngineError(error) || logo !== CMYK) throw error
      expect(error.problems.map(({ rule }) => rule)).toEqual(['6.2.4.3-3'])
    }
  }
})
