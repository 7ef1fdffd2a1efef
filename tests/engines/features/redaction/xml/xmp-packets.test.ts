import { describe, expect, it } from 'vitest'
import { openRules } from '../../../../../engines/features/redaction/search-rules/rule'
import { cutMarkup } from '../../../../../engines/features/redaction/xml/xml-text'
import { XML_TRAPS } from '../../../../fixtures/xml-traps'
import { makeSecret, makeTrap, UNDER } from '../../../../fixtures/traps'
import { readPageTexts } from '../../../../support/page-texts'
import { runOn } from '../../../../support/run-on'
import { IS_COMPLETE } from '../../../../support/scope'
import { StrictPdf } from '../../../../support/strict-pdf'
import { findTraces } from '../../../../support/traces'

/** Returns whether letters are in the file in this order with only markup, comments or references between them. */
function says(file: Buffer, secret: string): boolean {
  const strict = new StrictPdf(file)
  const texts = [...strict.objects.values()].flatMap(({ value, data }) => [
    JSON.stringify(value),
    data?.toString('latin1') ?? '',
  ])
  const readings = texts
    .flatMap(text => [text, text.replaceAll('\0', '')])
    .flatMap(text => [text, text.replace(/<[^>]*>|<!--|-->|<!\[CDATA\[|\]\]>/g, '')])
  return readings.some(text => text.replace(/&#x?([0-9a-f]+);/g, '').includes(secret))
}

const packet = (properties: string): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
  `xmlns:xmp="http://ns.adobe.com/xap/1.0/">${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`

describe('a word in XML', () => {
  for (const [index, [name, make]] of Object.entries(XML_TRAPS).entries()) {
    it(`is removed, and neighboring content stays: ${name}`, async () => {
      const secret = makeSecret()
      const { file, kept, keptTexts } = make(secret)
      const rules = [
        { text: secret.toLowerCase() },
        { regex: `${secret.slice(0, 4)}[A-Z]{8}` },
        { text: secret, wholeWord: true },
      ]
      for (const rule of IS_COMPLETE ? rules : rules.slice(index % 3).slice(0, 1)) {
        const { bytes, headers } = await runOn('pdf-redaction', file, { search: [rule], keepUnknown: true })
        const strict = new StrictPdf(bytes)
        expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
        expect(findTraces(bytes, [secret, secret.slice(0, 5), secret.slice(5)])).toEqual([])
        expect(says(bytes, secret)).toBe(false)
        expect(findTraces(bytes, keptTexts)).toEqual(keptTexts)
        expect(Number(headers['X-Redactions-Applied'])).toBeGreaterThan(0)
        const text = (await readPageTexts(bytes)).join(' ')
        for (const word of kept) expect(text).toContain(word)
      }
    })
  }

  it('is replaced if the rule has a replacement', async () => {
    const { file } = makeTrap({
      catalog: pdf =>
        '/Metadata ' +
        `${pdf.addStream('/Type/Metadata/Subtype/XML', packet('<dc:title>the Qui<!-- -->m<![CDATA[by]]> file</dc:title>'))} ` +
        '0 R',
    })
    const { bytes } = await runOn('pdf-redaction', file, { search: [{ text: 'Quimby', replacementText: 'A & B' }] })
    expect(findTraces(bytes, ['<dc:title>the A &amp; B file</dc:title>'])).toHaveLength(1)
  })

  it('does not match tag names', async () => {
    const { file } = makeTrap({
      catalog: pdf =>
        '/Metadata ' +
        `${pdf.addStream('/Type/Metadata/Subtype/XML', '<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">some</dc:title></x:xmpmeta>')} ` +
        '0 R',
    })
    for (const text of ['title', 'xmpmeta'])
      expect((await runOn('pdf-redaction', file, { search: [{ text }] })).warnings).toEqual(['redaction-no-match'])
  })

  const BROKEN = [
    ...['<!--', '<![CDATA[', '<!DOCTYPE [', '<a "', '<', '&#1;&#x'],
    ...[`<${'a'.repeat(2000)} `, `<?xml${' '.repeat(2000)}`],
  ]
  it.each(IS_COMPLETE ? BROKEN : BROKEN.slice(0, 1))(
    'takes linear time in the size of a broken packet (%#)',
    { timeout: 60_000 },
    unit => {
      const rules = openRules([{ text: 'nowhere', caseSensitive: false, wholeWord: false }], 1)
      // A search that restarts at every mark would take minutes here.
      expect(cutMarkup(`<x>${unit.repeat(Math.ceil(400_000 / unit.length))}</x>`, rules)).toBeUndefined()
    },
  )

  it("can't expand the request without limit", async () => {
    const entities = Array.from(
      { length: 12 },
      (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
    ).join('')
    const { file } = makeTrap({
      catalog: pdf =>
        '/Metadata ' +
        `${pdf.addStream('/Type/Metadata/Subtype/XML', `<!DOCTYPE x [<!ENTITY e0 "some">${entities}]><x>&e12;</x>`)} ` +
        '0 R',
    })
    const { bytes } = await runOn('pdf-redaction', file, { search: [{ text: 'nowhere' }] })
    expect(findTraces(bytes, ['ENTITY'])).toEqual([])
  })
})

describe('copies of page content', () => {
  it('are removed with an area: XFA, images in XMP and thumbnails', async () => {
    const { file } = makeTrap({
      content: 'BT /F 15 Tf 60 145 Td (SECRET) Tj ET',
      page: pdf =>
        `/Thumb ${pdf.addStream('/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8', 'SECRETTHUMB!')} 0 R`,
      catalog: pdf =>
        '/Metadata ' +
        `${pdf.addStream('/Type/Metadata/Subtype/XML', packet('<xmp:Thumbnails><rdf:Alt>SECRETIMAGE</rdf:Alt></xmp:Thumbnails><dc:title>KEPTTITLE</dc:title>'))} ` +
        `0 R/AcroForm<</Fields[]/XFA ${pdf.addStream('', '<xdp:xdp>SECRETTEMPLATE</xdp:xdp>')} 0 R>>`,
    })
    const { bytes, warnings } = await runOn('pdf-redaction', file, {
      areas: [{ page: 1, origin: 'user-space', ...UNDER }],
    })
    expect(findTraces(bytes, ['SECRET', 'KEPTTITLE'])).toEqual(['KEPTTITLE'])
    expect(warnings).toEqual(['xfa-dropped'])
  })
})
