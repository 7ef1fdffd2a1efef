import { deflateSync } from 'node:zlib'
import { makeGrayProfile } from '../../fixtures/gray-profile'
import { makeJpeg } from '../../fixtures/jpeg'
import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { Parts } from '../../fixtures/traps'
import { BY_AREA, fromDrafts } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

const drawn = (resources: (pdf: PdfWriter) => string, content = ''): Draft => ({ parts: { content, resources } })

/** A spot color whose tint is this function. */
const spot = (pdf: PdfWriter, entries: string, data: string | Buffer): string =>
  `/ColorSpace<</S[/Separation/Spot/DeviceGray ${pdf.addStream(`/Domain[0 1]/Range[0 1]${entries}`, data)} 0 R]>>`
const SPOT = '/S cs .5 scn 10 10 20 20 re f'

const tag = (kind: string, text: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${kind}\0\0\0\0`), Buffer.from(text)])
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const profiled = (profile: Buffer): Draft =>
  drawn(
    pdf => `/ColorSpace<</S[/ICCBased ${pdf.addStream('/N 1/Alternate/DeviceGray', profile)} 0 R]>>`,
    '/S cs .5 scn 10 10 20 20 re f',
  )

/** A page that draws a mesh of gray. */
const mesh = (entries: string, data: Buffer): Draft =>
  drawn(
    pdf =>
      '/Shading<</H ' +
      `${pdf.addStream(`${entries}/ColorSpace/DeviceGray/BitsPerCoordinate 16/BitsPerComponent 16/Decode[0 99 0 99 0 1]`, data)} ` +
      '0 R>>',
    '/H sh',
  )

/** A font that shows the codes of `XY`, with this ToUnicode CMap. */
const mapped =
  (blocks: (secret: string) => string) =>
  (secret: string): Draft => ({
    parts: {
      content: 'BT /M 12 Tf 20 20 Td (XY) Tj ET',
      resources: pdf =>
        '/Font<</M ' +
        `${pdf.add(`<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode ${pdf.addStream('', `begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <58> <0058> <59> <0059> endbfchar ${blocks(secret)} endcmap`)} 0 R>>`)} ` +
        '0 R',
    },
  })
const hex = (text: string): string => wide(text).toString('hex')

const packet = (properties: string): Parts => ({
  catalog: (pdf: PdfWriter) =>
    '/Metadata ' +
    `${pdf.addStream('/Type/Metadata/Subtype/XML', `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:q="http://ns.adobe.com/xap/1.0/" xmlns:g="http://ns.adobe.com/xap/1.0/g/img/">${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`)} ` +
    '0 R',
})

/** An image of the page as text. The secret stands for its pixels. */
const picture = (secret: string): string => `${secret}${'QUJD'.repeat(100)}`

export const STREAM_DATA: TrapGroup = {
  name: 'Data of streams',
  cause: 'Bytes that readers skip in functions, halftones, profiles, CMaps and fonts, and images in XMP.',
  constructions: [
    fromDrafts('stream: a function', [
      secret => drawn(pdf => spot(pdf, '/FunctionType 4', `{ %${secret}\n 1 exch sub }`), SPOT),
      secret => drawn(pdf => spot(pdf, '/FunctionType 4', `{ 1 exch sub } ${secret}`), SPOT),
      secret => drawn(pdf => spot(pdf, '/FunctionType 4', `{ 1 exch sub false { ${secret} } if }`), SPOT),
      secret =>
        drawn(
          pdf =>
            spot(
              pdf,
              '/FunctionType 0/Size[2]/BitsPerSample 8',
              Buffer.concat([Buffer.from([0, 255]), Buffer.from(secret)]),
            ),
          SPOT,
        ),
    ]),
    fromDrafts('stream: a mesh', [
      secret =>
        mesh(
          '/ShadingType 4/BitsPerFlag 16',
          Buffer.concat([Buffer.alloc(24), Buffer.from(secret), Buffer.from(secret.slice(0, 3))]).subarray(0, 39),
        ),
      secret => mesh('/ShadingType 5/VerticesPerRow 9', Buffer.concat([Buffer.alloc(108), Buffer.from(secret)])),
      secret => mesh('/ShadingType 6/BitsPerFlag 8', Buffer.concat([Buffer.alloc(57), Buffer.from(`\0${secret}`)])),
    ]),
    fromDrafts('stream: a halftone', [
      secret =>
        drawn(
          pdf =>
            '/ExtGState<</G<</HT ' +
            `${pdf.addStream('/Type/Halftone/HalftoneType 6/Width 4/Height 4', `${secret}${secret}`.slice(0, 16))} 0 R>>>>`,
          '/G gs',
        ),
      secret =>
        drawn(
          pdf =>
            '/ExtGState<</G ' +
            `${pdf.add(`<</HT<</Type/Halftone/HalftoneType 5/Default ${pdf.addStream('/HalftoneType 10/Xsquare 4/Ysquare 4', `${secret}${secret}${secret}`)} 0 R>>>>`)} ` +
            '0 R>>',
          '/G gs',
        ),
    ]),
    fromDrafts('stream: a color profile', [
      secret => profiled(makeGrayProfile([['desc', tag('desc', `\0\0\0\x0d${secret}\0`)]])),
      secret => profiled(makeGrayProfile([['cprt', tag('text', secret)]])),
      secret => profiled(makeGrayProfile([['dmdd', tag('mluc', wide(secret))]])),
      secret => profiled(makeGrayProfile([['QQQQ', tag('data', secret)]])),
      secret => profiled(Buffer.concat([makeGrayProfile([]), Buffer.from(secret)])),
      secret => profiled(Buffer.from(secret)),
    ]),
    fromDrafts('stream: a map from codes to text', [
      mapped(secret => `%${secret}\n`),
      mapped(secret => `/CMapName /${secret} def`),
      mapped(secret => `1 beginbfchar <41> <${hex(secret)}> endbfchar`),
      mapped(secret => `1 beginbfrange <41> <42> [<${hex(secret)}> <0042>] endbfrange`),
    ]),
    fromDrafts('stream: bytes behind its end', [
      secret => ({
        parts: {
          content: 'q 20 0 0 20 10 10 cm /I Do Q',
          resources: pdf =>
            '/XObject<</I ' +
            `${pdf.addPlainStream('/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode', Buffer.concat([deflateSync(Buffer.alloc(4)), Buffer.from(secret)]))} ` +
            '0 R>>',
        },
      }),
      secret => ({
        parts: {
          content: 'q 20 0 0 20 10 10 cm /I Do Q',
          resources: pdf =>
            '/XObject<</I ' +
            `${pdf.addPlainStream('/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8/Filter[/FlateDecode/DCTDecode]', deflateSync(Buffer.concat([makeJpeg({ blocks: [[[128]]] }), Buffer.from(secret)])))} ` +
            '0 R>>',
        },
      }),
    ]),
    fromDrafts('XMP: an image of the page', [
      secret => ({
        ...BY_AREA,
        parts: packet(`<q:Thumbnails><rdf:Alt><rdf:li>${picture(secret)}</rdf:li></rdf:Alt></q:Thumbnails>`),
      }),
      secret => ({
        ...BY_AREA,
        parts: packet(
          `<q:PageInfo><rdf:Seq><rdf:li rdf:parseType="Resource"><g:image>${picture(secret)}</g:image></rdf:li></rdf:Seq></q:PageInfo>`,
        ),
      }),
      secret => ({ ...BY_AREA, parts: packet(`<q:Other g:image="${picture(secret)}"/>`) }),
      secret => ({ ...BY_AREA, parts: packet(`<q:Other>${picture(secret)}</q:Other>`) }),
    ]),
    fromDrafts('XMP: a URL', [
      secret => ({
        parts: packet(
          `<dc:source>https://x.example/?q=A%20${secret.slice(0, 5)}%${secret.charCodeAt(5).toString(16)}${secret.slice(6)}</dc:source>`,
        ),
      }),
      secret => ({
        options: { search: [{ text: `Ann ${secret}` }] },
        parts: packet(`<dc:source>https://x.example/?q=Ann+${secret}</dc:source>`),
      }),
      secret => ({
        options: { search: [{ text: `Ann ${secret}` }] },
        parts: packet(`<dc:relation q:source="https://x.example/?q=Ann%20${secret}"/>`),
      }),
    ]),
  ],
}
