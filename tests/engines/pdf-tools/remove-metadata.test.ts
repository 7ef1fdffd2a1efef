import { describe, expect, it } from 'vitest'
import { Draft, noise, numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import type { Layout } from '../../fixtures/pdf-writer'
import { PdfDict, PdfText } from '../../support/pdf-syntax'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

const ID = '00112233445566778899AABBCCDDEEFF'

/** A file that says things about itself in every place where files do. */
function described(layout: Layout = 'table'): { bytes: Buffer; words: string[] } {
  const draft = new Draft({ pages: 2, salt: 'described' })
  const { pdf } = draft
  const words: string[] = []
  const word = (): string => {
    const made = `SECRET${String.fromCharCode(65 + words.length).repeat(4)}`
    words.push(made)
    return made
  }
  const xmp = (): string => `${pdf.addStream('/Type/Metadata/Subtype/XML', `<x:xmpmeta xmlns:x="adobe:ns:meta/">${word()}</x:xmpmeta>`)} 0 R`
  const piece = (): string => `<</Acme ${pdf.add(`<</LastModified(D:20200101)/Private(${word()})>>`)} 0 R>>`
  const picture = pdf.addStream(`/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Metadata ${xmp()}/PTEX.FileName(${word()})`, noise('p', 4))
  const form = pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 9 9]/PieceInfo${piece()}/LastModified(D:20200101${word()})/Resources<</XObject<</Thumb ${picture} 0 R>>/Font<</Metadata ${draft.font} 0 R>>>>`, '/Thumb Do')
  const stamp = pdf.add(`<</Type/Annot/Subtype/Stamp/Rect[9 9 20 20]/AP<</N ${form} 0 R>>>>`)
  const thumb = pdf.addStream('/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8', word())
  draft.page(1).annotations.push(`${stamp} 0 R`)
  draft.page(1).entries.push(`/Meta#64ata ${xmp()}/PieceInfo${piece()}/LastModified(D:2020${word()})/Thumb ${thumb} 0 R`)
  const file = pdf.addStream(`/Type/EmbeddedFile/Params<</Size 4/CreationDate(D:2020${word()})/ModDate(D:2021${word()})>>`, 'text')
  draft.names.push(`/EmbeddedFiles<</Names[(a.txt)<</Type/Filespec/F(a.txt)/EF<</F ${file} 0 R>>>>]>>`)
  draft.catalog.push(`/Lang(en-GB)/Metadata ${xmp()}/PieceInfo${piece()}`)
  draft.trailer.push(`/Info ${pdf.add(`<</Title(Title ${word()})/Producer(${word()})/Company(${word()})/CreationDate(D:20200101)>>`)} 0 R/ID[<${ID}><${ID}>]`)
  return { bytes: draft.write(layout), words }
}

async function remove(file: Buffer, options: unknown = {}): Promise<{ bytes: Buffer; file: StrictPdf }> {
  const { bytes } = await runOn('remove-metadata', file, options)
  const strict = new StrictPdf(bytes)
  expect(strict.problems).toEqual([])
  return { bytes, file: strict }
}

function keysIn(file: StrictPdf): Set<string> {
  const keys = new Set<string>()
  const stack: unknown[] = [...file.objects.values()].map(object => object.value)
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) stack.push(...value)
    if (!(value instanceof PdfDict)) continue
    for (const [key, item] of value) {
      keys.add(key)
      stack.push(item)
    }
  }
  return keys
}

describe('remove-metadata', () => {
  for (const layout of ['table', 'streams', 'hybrid'] as const) {
    it(`leaves nothing of what a file written as ${layout} said of itself`, async () => {
      const source = described(layout)
      const { bytes, file } = await remove(source.bytes)
      expect(findTraces(bytes, [...source.words, ID])).toEqual([])
      expect(file.trailer.has('Info')).toBe(false)
      const keys = keysIn(file)
      for (const key of ['PieceInfo', 'LastModified', 'PTEX.FileName', 'CreationDate', 'ModDate', 'Producer']) expect(keys.has(key), key).toBe(false)
      expect(bytes.toString('latin1').split('%%EOF').length).toBe(2)
    })
  }

  it('keeps resources that only have such a name, and the look of the page', async () => {
    const source = described().bytes
    const { bytes, file } = await remove(source)
    expect(file.dangling).toEqual([])
    const keys = keysIn(file)
    expect([keys.has('Thumb'), keys.has('Metadata')]).toEqual([true, true])
    expect((await renderPage(bytes, 0)).pixels.equals((await renderPage(source, 0)).pixels)).toBe(true)
    expect(file.text(file.catalog.get('Lang'))).toBe('en-GB')
  })

  it('keeps everything that is no metadata: tags, bookmarks, links, labels, fields, attachments, scripts, layers', async () => {
    const source = makeBook().write('streams')
    const before = await readPdf(source)
    expect(await readPdf((await remove(source)).bytes)).toEqual({ ...before, title: '' })
  })

  it('gives the file an identity that depends on its content alone', async () => {
    const [one, two] = [described().bytes, Buffer.from(described().bytes.toString('latin1').replaceAll(ID, ID.replace('0011', 'FFEE')), 'latin1')]
    const ids = (await remove(one)).file.trailer.get('ID')
    expect(ids).toEqual((await remove(two)).file.trailer.get('ID'))
    expect(Array.isArray(ids) && ids[0] instanceof PdfText && ids[1] instanceof PdfText && ids[0].bytes === ids[1].bytes).toBe(true)
  })

  it('keeps the entries of Info that are named', async () => {
    const { file } = await remove(described().bytes, { keep: ['Title', 'CreationDate', 'Nothing'] })
    expect([...file.dict(file.trailer.get('Info')).keys()]).toEqual(['Title', 'CreationDate'])
  })

  it('handles a file without any metadata', async () => {
    expect((await readPdf((await remove(numbered())).bytes)).pages).toHaveLength(5)
  })

  it('removes attachments, scripts, links, bookmarks and comments on request, each alone', async () => {
    const source = makeBook().write()
    const before = await readPdf(source)
    const after = async (options: unknown) => readPdf((await remove(source, options)).bytes)
    expect(await after({ attachments: true })).toEqual({ ...before, title: '', attachments: [] })
    expect(await after({ javascript: true })).toEqual({ ...before, title: '', scripts: [] })
    expect(await after({ bookmarks: true })).toEqual({ ...before, title: '', outline: [] })
    const linkless = await after({ links: true })
    expect(linkless.pages.map(page => [page.links.length, page.annotationCount])).toEqual(before.pages.map(page => [0, page.annotationCount - page.links.length]))
    const quiet = await after({ comments: true })
    expect(quiet.pages.map(page => [page.links, page.fields])).toEqual(before.pages.map(page => [page.links, page.fields]))
    expect(quiet.isTagged).toBe(true)
    const draft = makeBook()
    const words = draft.pages.flatMap(page => [draft.plant(page.number, 'note')])
    expect(findTraces((await remove(draft.write(), { comments: true })).bytes, words)).toEqual([])
  })

  it('removes scripts of actions, direct, indirect and chained', async () => {
    const draft = new Draft({ pages: 1, salt: 'scripts' })
    const action = draft.pdf.add('<</S/JavaScript/JS(SECRETONE)>>')
    const link = draft.pdf.add(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)/Next[<</S/JavaScript/JS(SECRETTWO)>>]>>/AA<</E ${action} 0 R>>>>`)
    draft.page(1).annotations.push(`${link} 0 R`)
    draft.catalog.push('/OpenAction<</S/JavaScript/JS(SECRETTHREE)>>/AA<</WC<</S/Java#53cript/JS(SECRETFOUR)>>>>')
    const { bytes } = await remove(draft.write('streams'), { javascript: true })
    expect(findTraces(bytes, ['SECRETONE', 'SECRETTWO', 'SECRETTHREE', 'SECRETFOUR', 'JavaScript'])).toEqual([])
    expect((await readPdf(bytes)).pages[0]?.links).toEqual([{ uri: 'https://example.com' }])
  })

  it('takes EXIF, XMP and comments out of JPEG pictures and leaves the rest of their bytes', async () => {
    const segment = (marker: number, text: string): Buffer => Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text, 'latin1')])
    const [soi, app0, scan] = [Buffer.from([0xff, 0xd8]), segment(0xe0, 'JFIF\0'), Buffer.concat([segment(0xda, 'scan'), noise('scan', 64), Buffer.from([0xff, 0xd9])])]
    const jpeg = Buffer.concat([soi, app0, segment(0xe1, 'Exif\0\0SECRETEXIF'), segment(0xe2, 'ICC_PROFILE'), segment(0xed, 'SECRETIPTC'), segment(0xfe, 'SECRETCOMMENT'), scan])
    const draft = new Draft({ pages: 1 })
    const picture = draft.pdf.addPlainStream('/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode', jpeg)
    draft.page(1).entries.push(`/Picture ${picture} 0 R`)
    const { bytes } = await remove(draft.write(), { images: true })
    expect(findTraces(bytes, ['SECRETEXIF', 'SECRETIPTC', 'SECRETCOMMENT'])).toEqual([])
    expect(bytes.includes(Buffer.concat([soi, app0, segment(0xe2, 'ICC_PROFILE'), scan]))).toBe(true)
    expect(findTraces((await remove(draft.write())).bytes, ['SECRETEXIF'])).toEqual(['SECRETEXIF'])
  })

  it('takes XML and UUID boxes out of JPEG 2000 pictures and leaves the rest of their bytes', async () => {
    const box = (kind: string, data: Buffer | string, { isLast = false, isLong = false } = {}): Buffer => {
      const contents = Buffer.from(data)
      const head = Buffer.alloc(isLong ? 16 : 8)
      head.writeUInt32BE(isLast ? 0 : isLong ? 1 : head.length + contents.length)
      head.write(kind, 4, 'latin1')
      if (isLong) head.writeBigUInt64BE(BigInt(head.length + contents.length), 8)
      return Buffer.concat([head, contents])
    }
    const start = [box('jP  ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])), box('ftyp', 'jp2 ')]
    const [header, codestream] = [box('jp2h', `colr${noise('icc', 20).toString('latin1')}`), box('jp2c', noise('code', 64), { isLast: true })]
    const told = [box('xml ', '<x>SECRETXMP</x>'), box('uuid', 'JpgTiffExif->JP2SECRETEXIF', { isLong: true })]
    const write = (picture: Buffer): Buffer => {
      const draft = new Draft({ pages: 1 })
      draft.page(1).entries.push(`/Picture ${draft.pdf.addPlainStream('/Type/XObject/Subtype/Image/Width 1/Height 1/Filter[/JPXDecode]', picture)} 0 R`)
      return draft.write()
    }
    const { bytes } = await remove(write(Buffer.concat([...start, told[0] as Buffer, header, told[1] as Buffer, codestream])), { images: true })
    expect(findTraces(bytes, ['SECRETXMP', 'SECRETEXIF'])).toEqual([])
    expect(bytes.includes(Buffer.concat([...start, header, codestream]))).toBe(true)
    // Where a box says at which byte something stands, nothing moves.
    const pointer = box('ftbl', 'where')
    const fixed = (await remove(write(Buffer.concat([...start, ...told, pointer, codestream])), { images: true })).bytes
    expect(findTraces(fixed, ['SECRETXMP', 'SECRETEXIF'])).toEqual([])
    expect(fixed.indexOf(pointer) - fixed.indexOf(start[0] as Buffer)).toBe(Buffer.concat([...start, ...told]).length)
    const broken = Buffer.concat([...start, told[0] as Buffer, box('jp2c', 'x').subarray(0, 6)])
    expect((await remove(write(broken), { images: true })).bytes.includes(broken)).toBe(true)
  })
})
