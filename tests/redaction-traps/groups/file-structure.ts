import { deflateSync } from 'node:zlib'
import { appendRevision, PdfWriter } from '../../fixtures/pdf-writer'
import type { Layout } from '../../fixtures/pdf-writer'
import { addForm, makeTrap } from '../../fixtures/traps'
import { BY_AREA, fromDrafts, shownText } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

/** Encoders of the filters that content streams may have. */
const hexEncode = (data: Buffer): Buffer => Buffer.from(`${data.toString('hex')}>`, 'latin1')
const runEncode = (data: Buffer): Buffer =>
  Buffer.concat([
    ...Array.from({ length: Math.ceil(data.length / 100) }, (_, at) => {
      const part = data.subarray(at * 100, at * 100 + 100)
      return Buffer.concat([Buffer.from([part.length - 1]), part])
    }),
    Buffer.from([128]),
  ])

function ascii85(data: Buffer): Buffer {
  let text = ''
  for (let at = 0; at < data.length; at += 4) {
    const part = data.subarray(at, at + 4)
    let value = Buffer.concat([part, Buffer.alloc(4 - part.length)]).readUInt32BE(0)
    let digits = ''
    for (let digit = 0; digit < 5; digit++) {
      digits = String.fromCharCode(33 + (value % 85)) + digits
      value = Math.floor(value / 85)
    }
    text += digits.slice(0, part.length + 1)
  }
  return Buffer.from(`${text}~>`, 'latin1')
}

/** LZW in codes of 9 bits, with a clear code before the table grows. */
function lzwEncode(data: Buffer): Buffer {
  const codes = Array.from(data).flatMap((byte, index) => (index % 200 === 0 ? [256, byte] : [byte]))
  const bits = [...codes, 257].map(code => code.toString(2).padStart(9, '0')).join('')
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map(octet => Number.parseInt(octet.padEnd(8, '0'), 2)))
}

const FILTERS: [string, (data: Buffer) => Buffer][] = [
  ['/ASCIIHexDecode', hexEncode],
  ['/ASCII85Decode', ascii85],
  ['/RunLengthDecode', runEncode],
  ['/LZWDecode', lzwEncode],
  ['[/ASCII85Decode/FlateDecode]', data => ascii85(deflateSync(data))],
  ['[/ASCIIHexDecode/LZWDecode]', data => hexEncode(lzwEncode(data))],
]

/** The secret in a form XObject whose stream has these filters. */
const filtered =
  ([filter, encode]: [string, (data: Buffer) => Buffer]) =>
  (secret: string): Draft => ({
    parts: {
      content: '/X Do',
      resources: (pdf, font) =>
        '/XObject<</X ' +
        `${pdf.addPlainStream(`/Type/XObject/Subtype/Form/BBox[0 0 300 300]/Filter${filter}/Resources<</Font<</F ${font} 0 R>>>>`, encode(Buffer.from(shownText(secret))))} ` +
        '0 R>>',
    },
    seenBy: ['pdfium', 'pdfjs'],
  })

/** A page whose content is split into streams at arbitrary positions. */
function splitContent(secret: string, pieces: string[], layout: Layout = 'table', info = ''): Buffer {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')
  const streams = [...pieces, 'BT /F 15 Tf 60 200 Td (BESIDE) Tj ET'].map(piece => `${pdf.addStream('', piece)} 0 R`)
  const trailer = info === '' ? '' : `/Info ${pdf.add(info.replace('?', secret))} 0 R`
  const page = pdf.add(
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 300 300]/Contents[${streams.join(' ')}]/Resources<</Font<</F ` +
      `${font} 0 R>>>>>>`,
  )
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return pdf.write({ root, layout, trailer })
}

/** A later revision that changes one object of the fixture's page. The root is object 1. */
function revise(before: Buffer, objects: Map<number, string>, freed: number[] = []): Buffer {
  const size =
    1 +
    Math.max(
      ...[...before.toString('latin1').matchAll(/(\d+) 0 obj/g)].map(({ 1: number }) => Number(number)),
      ...objects.keys(),
    )
  return appendRevision(before, { objects, freed, trailer: `/Size ${size}/Root 1 0 R` })
}

export const FILE_STRUCTURE: TrapGroup = {
  name: 'Streams, filters and revisions',
  cause: 'Content with rare filters, in several streams, in object streams, in old revisions and in unused objects.',
  constructions: [
    fromDrafts('content with rare filters', FILTERS.map(filtered)),
    fromDrafts('content in several streams', [
      secret => ({
        file: splitContent(secret, ['BT /F 15 Tf 60 145 Td', `(${secret})`, 'Tj ET']),
        seenBy: ['pdfium'],
      }),
      secret => ({
        file: splitContent(secret, [
          'BT /F 15 Tf 60 145 Td [',
          `(${secret.slice(0, 6)})`,
          `(${secret.slice(6)})] TJ ET`,
        ]),
        seenBy: ['pdfium'],
      }),
      secret => ({
        ...BY_AREA,
        file: splitContent(secret, ['q BT /F 15 Tf', `60 145 Td (${secret}) Tj`, 'ET Q']),
        seenBy: ['pdfium'],
      }),
    ]),
    fromDrafts('objects in object streams', [
      secret => ({ file: splitContent(secret, [shownText(secret)], 'streams', '<</Title(?)/Author(x)>>') }),
      secret => ({ file: splitContent(secret, [], 'streams', '<</Subject(?)/Author<feff0078>>>') }),
    ]),
    fromDrafts('an earlier revision', [
      secret => ({
        file: revise(
          makeTrap({ trailer: () => '', catalog: pdf => `/Extra ${pdf.add(`<</Note(${secret})>>`)} 0 R` }).file,
          new Map([[1, '<</Type/Catalog/Pages 2 0 R>>']]),
        ),
      }),
      secret => ({
        ...BY_AREA,
        file: revise(
          makeTrap({ content: shownText(secret) }).file,
          new Map([[1, '<</Type/Catalog/Pages 2 0 R/Lang(en)>>']]),
        ),
      }),
      secret => ({
        file: revise(
          makeTrap({ catalog: pdf => `/Extra ${pdf.addStream('', secret)} 0 R` }).file,
          new Map([[1, '<</Type/Catalog/Pages 2 0 R>>']]),
          [6],
        ),
      }),
    ]),
    fromDrafts('objects that nothing refers to', [
      secret => ({
        parts: {
          content: shownText(secret),
          resources: pdf => `/Unused<<>>${String(pdf.add(`<</Note(${secret})>>`)).slice(0, 0)}`,
        },
      }),
      secret => ({
        ...BY_AREA,
        parts: {
          content: shownText(secret),
          resources: pdf => `/Unused<<>>${String(pdf.addStream('', secret)).slice(0, 0)}`,
        },
      }),
    ]),
    fromDrafts('bytes after the end of the file', [
      secret => ({
        file: Buffer.concat([makeTrap({ content: shownText(secret) }).file, Buffer.from(`${secret}\n`)]),
      }),
      secret => ({
        ...BY_AREA,
        file: Buffer.concat([
          Buffer.from(''),
          makeTrap({ content: shownText(secret) }).file,
          Buffer.from(`%${secret}`),
        ]),
      }),
    ]),
    fromDrafts('strings with escapes and line continuations', [
      secret => ({
        parts: { content: shownText(Array.from(secret, letter => `\\${letter.charCodeAt(0).toString(8)}`).join('')) },
      }),
      secret => ({ parts: { content: shownText(`${secret.slice(0, 5)}\\\n${secret.slice(5)}`) } }),
      secret => ({
        parts: {
          content:
            `BT /F 15 Tf 60 145 Td < ${secret.replace(/./g, letter => `${letter.charCodeAt(0).toString(16)}\n`)}> Tj ` +
            'ET',
        },
        seenBy: ['pdfium'],
      }),
      secret => ({ parts: { page: () => `/Note(${secret.slice(0, 5)}\\\n${secret.slice(5)})` } }),
    ]),
    fromDrafts('a form XObject that a page shows twice', [
      secret => ({
        ...BY_AREA,
        parts: {
          content: '/X Do q 1 0 0 1 0 0 cm /X Do Q',
          resources: (pdf, font) => `/XObject<</X ${addForm(pdf, font, shownText(secret))} 0 R>>`,
        },
      }),
    ]),
  ],
}
