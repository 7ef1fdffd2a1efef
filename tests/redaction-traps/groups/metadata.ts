import type { PdfWriter } from '../../fixtures/pdf-writer'
import { fromDrafts, wide } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

/** A secret that markup splits, and that an XML parser reads as one text. */
const SPLITS: ((secret: string) => string)[] = [
  secret => `${secret.slice(0, 4)}<!-- x -->${secret.slice(4)}`,
  secret => `${secret.slice(0, 4)}<![CDATA[${secret.slice(4)}]]>`,
  secret => `<![CDATA[${secret.slice(0, 4)}]]><![CDATA[${secret.slice(4)}]]>`,
  secret => Array.from(secret, letter => `&#${letter.charCodeAt(0)};`).join(''),
  secret =>
    Array.from(secret, (letter, index) => (index % 2 ? letter : `&#x${letter.charCodeAt(0).toString(16)};`)).join(''),
  secret => `${secret.slice(0, 4)}<?x y?>${secret.slice(4)}`,
]

const packet = (body: string): string =>
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
  `xmlns:dc="http://purl.org/dc/elements/1.1/">${body}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
const addPacket = (pdf: PdfWriter, text: string | Buffer): string =>
  `/Metadata ${pdf.addStream('/Type/Metadata/Subtype/XML', text)} 0 R`
const title = (text: string): string =>
  `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></dc:title>`

const RECT = '[200 40 290 60]'
const note =
  (entries: string) =>
  (pdf: PdfWriter): string =>
    `/Annots[${pdf.add(`<</Type/Annot/Subtype/FreeText/Rect${RECT}/DA(/Helv 12 Tf)/Contents(x)${entries}>>`)} 0 R]`
const body = (text: string): string =>
  `<?xml version="1.0"?><body xmlns="http://www.w3.org/1999/xhtml"><p>${text}</p></body>`

/** Rich text that formatting splits. */
const RICH: ((secret: string) => string)[] = [
  secret => `<b>${secret.slice(0, 4)}</b><i>${secret.slice(4)}</i>`,
  secret => `${secret.slice(0, 4)}<span style="color:#f00">${secret.slice(4)}</span>`,
  ...SPLITS,
]

const layer =
  (make: (pdf: PdfWriter, layerRef: number) => string) =>
  (pdf: PdfWriter): string => {
    const ref = pdf.reserve()
    pdf.set(ref, '<</Type/OCG/Name(layer)>>')
    return make(pdf, ref)
  }

export const METADATA: TrapGroup = {
  name: 'XMP, rich text and layers',
  cause: 'Layer names. Also XMP and rich text in which comments, CDATA, entities or tags split the secret.',
  constructions: [
    fromDrafts(
      'XMP that markup splits',
      SPLITS.map(split => secret => ({ parts: { catalog: pdf => addPacket(pdf, packet(title(split(secret)))) } })),
    ),
    fromDrafts('XMP in attributes and in other encodings', [
      secret => ({ parts: { catalog: pdf => addPacket(pdf, packet(`<dc:x dc:source="${secret}"/>`)) } }),
      secret => ({
        parts: {
          catalog: pdf =>
            addPacket(
              pdf,
              packet(
                '<dc:x ' +
                  `dc:source="${Array.from(secret, letter => `&#x${letter.charCodeAt(0).toString(16)};`).join('')}"/>`,
              ),
            ),
        },
      }),
      secret => ({
        parts: { catalog: pdf => addPacket(pdf, Buffer.from(`\ufeff${packet(title(secret))}`, 'utf16le')) },
      }),
      secret => ({ parts: { catalog: pdf => addPacket(pdf, packet(`<dc:${secret}>x</dc:${secret}>`)) } }),
      secret => ({ parts: { catalog: pdf => addPacket(pdf, `<!-- ${secret} -->${packet(title('x'))}`) } }),
    ]),
    fromDrafts(
      'XMP of a page',
      SPLITS.slice(0, 3).map(split => secret => ({
        parts: { page: pdf => addPacket(pdf, packet(title(split(secret)))) },
      })),
    ),
    fromDrafts(
      'rich text of a note that markup splits',
      RICH.map(split => secret => ({ parts: { page: note(`/RC(${body(split(secret))})`) } })),
    ),
    fromDrafts('rich text in UTF-16 and in streams', [
      secret => ({ parts: { page: note(`/RC${wide(body(RICH[0]?.(secret) ?? ''))}`) } }),
      secret => ({
        parts: { page: pdf => note(`/RC ${pdf.addStream('', body(RICH[1]?.(secret) ?? ''))} 0 R`)(pdf) },
      }),
    ]),
    fromDrafts(
      'rich text of a field that markup splits',
      RICH.slice(0, 4).map((split): ((secret: string) => Draft) => secret => {
        let field = 0
        return {
          parts: {
            page: pdf =>
              `/Annots[${(field = pdf.add(`<</Type/Annot/Subtype/Widget/FT/Tx/Ff 33554432/T(f)/V(x)/DA(/Helv 12 Tf)/Rect${RECT}/RV(${body(split(secret))})>>`))} ` +
              '0 R]',
            catalog: () => `/AcroForm<</Fields[${field} 0 R]>>`,
          },
        }
      }),
    ),
    fromDrafts('names of layers', [
      secret => ({
        parts: {
          catalog: pdf => {
            const ref = pdf.add(`<</Type/OCG/Name${wide(secret)}>>`)
            return `/OCProperties<</OCGs[${ref} 0 R]/D<</Order[${ref} 0 R]>>>>`
          },
        },
      }),
      secret => ({
        parts: {
          catalog: layer(
            (_, ref) =>
              `/OCProperties<</OCGs[${ref} 0 R]/D<</Order[[(${secret})${ref} 0 ` +
              `R]]/Creator(${secret})>>/Configs[<</Name(${secret})/Creator(${secret})>>]>>`,
          ),
        },
      }),
      secret => ({
        parts: {
          catalog: pdf => {
            const ref = pdf.add(
              `<</Type/OCG/Name(x)/Usage<</CreatorInfo<</Creator(${secret})/Subtype/Artwork>>/User<</Type/Ind/Name(${secret})>>/PageElement<</Subtype/HF>>>>>>`,
            )
            return `/OCProperties<</OCGs[${ref} 0 R]/D<<>>>>`
          },
        },
      }),
      secret => ({
        parts: {
          content: '/OC /L BDC BT /F 15 Tf 60 90 Td (LAYERED) Tj ET EMC',
          resources: pdf => `/Properties<</L ${pdf.add(`<</Type/OCG/Name(${secret})>>`)} 0 R>>`,
        },
        stays: ['BESIDE', 'LAYERED'],
      }),
    ]),
  ],
}
