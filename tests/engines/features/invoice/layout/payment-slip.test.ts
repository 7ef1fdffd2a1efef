import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { type SeenCharacter, findOverlaps, readCharacters } from '../../../../support/character-boxes'
import { listBrokenRules } from '../../../../support/conformance'
import { PdfDict, PdfName } from '../../../../support/pdf-syntax'
import { readPdf } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import { StrictPdf } from '../../../../support/strict-pdf'

const swiss = (street: string, postCode: string, city: string) => ({ street, postCode, city, country: 'CH' })
const base = {
  invoiceNumber: '2026-33',
  locale: 'de-CH',
  currency: 'CHF',
  issueDate: '2026-11-02',
  from: {
    name: 'Robert Schneider AG',
    vatId: 'CHE-123.456.789 MWST',
    address: swiss('Rue du Lac 1268', '2501', 'Biel'),
  },
  billTo: { name: 'Pia Rutschmann', address: swiss('Marktgasse 28', '9400', 'Rorschach') },
  items: [{ description: 'Garten', quantity: 1, rate: 1949.75 }],
  payment: { iban: 'CH4431999123000889012', reference: '210000000003139471430009017', bankName: 'Musterbank' },
  qr: 'swiss',
}

const draw = async (more: object = {}) =>
  (await runOn('invoice', [], invoiceSchema.parse({ ...base, ...more }), { now: new Date(0) })).bytes

const textsOf = async (more: object = {}) =>
  (await readPdf(await draw(more))).pages.map(({ text }) => text.normalize('NFKC').replace(/\s+/g, ' '))

/** The left edge and the lower edge of a text in millimeters from the upper left corner of the slip. */
function placeOf(characters: SeenCharacter[], text: string, { isLast = false } = {}): [x: number, y: number] {
  const joined = characters.map(character => character.text).join('')
  const solid = text.replaceAll(' ', '')
  const letter = characters[isLast ? joined.lastIndexOf(solid) : joined.indexOf(solid)]
  const mm = (points: number): number => Math.round((points / 72) * 25.4)
  return [mm(letter?.left ?? 0), mm(297.638 - (letter?.bottom ?? 0))]
}

describe('the payment slip of a Swiss QR-bill', () => {
  it('has the official texts at the official places', async () => {
    const pdf = await draw()
    const [characters = []] = await readCharacters(pdf)
    expect(placeOf(characters, 'Empfangsschein')).toEqual([5, 8])
    expect(placeOf(characters, '1 949.75')).toEqual([18, 74])
    expect(placeOf(characters, 'Annahmestelle')).toEqual([42, 84])
    expect(placeOf(characters, 'Zahlteil')).toEqual([67, 8])
    expect(placeOf(characters, '1 949.75', { isLast: true })).toEqual([84, 75])
    expect(placeOf(characters, 'Zusätzliche Informationen')).toEqual([118, 42])
    expect((await readPdf(pdf)).pages[0]?.text.replace(/\s+/g, ' ')).toContain(
      'Vor der Einzahlung abzutrennen Empfangsschein Konto / Zahlbar an CH44 3199 9123 0008 8901 2 Robert Schneider AG ' +
        'Rue du Lac 1268 2501 Biel Referenz 21 00000 00003 13947 14300 09017 Zahlbar durch Pia Rutschmann ' +
        'Marktgasse 28 9400 Rorschach Währung CHF Betrag 1 949.75 Annahmestelle Zahlteil',
    )
  })

  it('is set in a font that the guidelines allow', async () => {
    const slip = await draw({ billTo: { name: 'Client' } })
    const names = [...new StrictPdf(slip).objects.values()].flatMap(({ value }) =>
      value instanceof PdfDict && value.get('BaseFont') instanceof PdfName
        ? [(value.get('BaseFont') as PdfName).name]
        : [],
    )
    expect(names.map(name => name.replace(/^.*\+/, ''))).toEqual(expect.arrayContaining(['Arimo', 'Arimo-Bold']))
  })

  it.each(['de-CH', 'fr-CH', 'it', 'en', 'ar'])('conforms and has no overlaps in %s', async locale => {
    const name = 'Gesellschaft für besonders lange Namen und ihre Abkürzungen in Biel AG'
    const reference = 'Kundennummer 4711, Objekt 12, Vertrag über die Pflege des Gartens hinter dem Haus'
    const pdf = await draw({
      locale,
      from: { ...base.from, name },
      billTo: { ...base.billTo, name },
      payment: { iban: 'CH9300762011623852957', reference },
    })
    for (const profile of ['pdfa-3b', 'pdfua-1'] as const) expect(listBrokenRules(pdf, profile)).toEqual([])
    const [characters = []] = await readCharacters(pdf)
    expect(findOverlaps(characters)).toEqual([])
    expect(Math.min(...characters.map(({ left }) => left))).toBeGreaterThan(13)
  })

  it('says on the page what it does not say itself', async () => {
    const [text = ''] = await textsOf()
    expect(text).toContain('UID CHE-123.456.789 MWST')
    expect(text).toContain('Zahlung Bank Musterbank ')
    expect(text.match(/CH44/g)).toHaveLength(2)
    expect(text).not.toContain('USt')
    expect((await textsOf({ labels: { vatId: 'MWST-Nr.' } }))[0]).toContain('MWST-Nr. CHE-123.456.789')
  })

  it('has empty fields for a debtor from abroad, and no reference if there is none', async () => {
    const billTo = { name: 'Client', address: { city: 'Paris', postCode: '75001', country: 'FR' } }
    const [text = ''] = await textsOf({ locale: 'fr', billTo, payment: { iban: 'CH9300762011623852957' } })
    expect(text.match(/Payable par \(nom\/adresse\)/g)).toHaveLength(2)
    expect(text).not.toContain('Référence')
  })

  it('is on a page of its own if there is too little room, with the footer above it', async () => {
    const items = Array.from({ length: 14 }, () => ({ description: 'Garten', quantity: 1, rate: 10 }))
    const texts = await textsOf({ items })
    expect(texts.map(text => text.includes('Empfangsschein'))).toEqual([false, true])
    expect(texts[1]).toMatch(/Seite 2 von 2/)
  })

  it('needs an A4 page', () => {
    expect(invoiceSchema.safeParse({ ...base, pageSize: 'Letter' }).error?.issues[0]?.message).toBe(
      'must be A4 for the code "swiss", because the payment slip is 210 mm wide.',
    )
  })
})
