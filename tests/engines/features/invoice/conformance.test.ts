import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../engines/features/invoice/input/invoice-schema'
import { ENCODED } from '../../../fixtures/encoded-images'
import { INVOICE_SAMPLES } from '../../../fixtures/invoice-samples'
import { validateFile } from '../../../support/conformance'
import { runOn } from '../../../support/run-on'
import { IS_COMPLETE, sample } from '../../../support/scope'

const TEMPLATES = ['classic', 'modern', 'compact'] as const
/** The Latin script first. */
const SCRIPTS = { latin: ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'], other: ['ja', 'zh', 'ar', 'he'] }
const LOOKS = TEMPLATES.flatMap(template => [...SCRIPTS.latin, ...SCRIPTS.other].map(locale => ({ template, locale })))
/** Each template in Latin script, and the first in each other script. */
const KINDS = sample(
  LOOKS.filter(({ template, locale }) => IS_COMPLETE || template === 'classic' || SCRIPTS.latin.includes(locale)),
  ({ template, locale }) => template + (SCRIPTS.latin.includes(locale) ? '' : locale),
)

async function draw(fields: Record<string, unknown>, logo: Buffer[] = []): Promise<Buffer> {
  const options = invoiceSchema.parse({ ...INVOICE_SAMPLES['invoice-classic'], logo: undefined, ...fields })
  return (await runOn('invoice', logo, options, { now: new Date(0) })).bytes
}

function expectConforming(file: Buffer): void {
  for (const profile of ['pdfa-3b', 'pdfua-1'] as const)
    expect(validateFile(file, profile)).toEqual({ conforms: true, profile, failures: [], undecided: [] })
}

describe('an invoice conforms to PDF/A-3b and PDF/UA-1', () => {
  it.each(KINDS)('$template $locale', async look => expectConforming(await draw(look)))

  it.each(Object.keys(INVOICE_SAMPLES))('the sample %s', async name =>
    expectConforming((await runOn('invoice', [], invoiceSchema.parse(INVOICE_SAMPLES[name]))).bytes),
  )

  it.each([
    ['an invisible character', { notes: 'a\ufeffb' }],
    ['a code without a description', { labels: { scan: '' }, qr: 'url', payment: { link: 'https://example.com' } }],
  ])('with %s, although nothing but its text is new', async (_, fields) => {
    await draw({ ...fields, notes: 'ab', labels: {} })
    expectConforming(await draw(fields))
  })
})

describe('the option conformance', () => {
  const claims = (file: Buffer): string[] =>
    [...file.toString('latin1').matchAll(/<(pdfaid|pdfuaid):part>(\d)</g)].map(([, kind, part]) => `${kind} ${part}`)

  it('makes both claims by default', async () => {
    expect(claims(await draw({}))).toEqual(['pdfaid 3', 'pdfuaid 1'])
  })

  it('does not claim PDF/A for a logo whose colors are undefined, in any of its invoices', async () => {
    const cmyk = [Buffer.from(ENCODED.cmyk, 'base64')]
    const refused = { reason: 'not_conforming', problems: [{ rule: '6.2.4.3-3' }] }
    expect(claims(await draw({}))).toEqual(['pdfaid 3', 'pdfuaid 1'])
    expect(claims(await draw({}, cmyk))).toEqual(['pdfuaid 1'])
    await expect(draw({ conformance: ['pdfa-3b', 'pdfa-3b'] }, cmyk)).rejects.toMatchObject(refused)
    expect(claims(await draw({}, cmyk))).toEqual(['pdfuaid 1'])
  })

  it('makes only the claims that it names', async () => {
    expect(claims(await draw({ conformance: 'pdfua-1' }))).toEqual(['pdfuaid 1'])
    expect(claims(await draw({ conformance: ['pdfa-3b'] }))).toEqual(['pdfaid 3'])
    expect(claims(await draw({ conformance: [] }))).toEqual([])
  })

  it('refuses unknown standards', () => {
    const { success } = invoiceSchema.safeParse({ ...INVOICE_SAMPLES['invoice-classic'], conformance: 'pdfa-9' })
    expect(success).toBe(false)
  })
})
