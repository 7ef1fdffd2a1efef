import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Draft, noise, numbered } from '../../fixtures/draft'
import { ENCODED } from '../../fixtures/encoded-images'
import { makeJpeg } from '../../fixtures/jpeg'
import { makeBook } from '../../fixtures/make-fixtures'
import { type Layout, PdfWriter } from '../../fixtures/pdf-writer'
import { PdfDict, PdfText } from '../../support/pdf-syntax'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

const ID = '00112233445566778899AABBCCDDEEFF'

/** A file with metadata in every place where files have metadata. */
function described(layout: Layout = 'table'): { bytes: Buffer; words: string[] } {
  const draft = new Draft({ pages: 2, salt: 'described' })
  const { pdf } = draft
  const words: string[] = []
  const word = (): string => {
    const made = `SECRET${String.fromCharCode(65 + words.length).repeat(4)}`
    words.push(made)
    return made
  }
  const xmp = (): string =>
    `${pdf.addStream('/Type/Metadata/Subtype/XML', `<x:xmpmeta xmlns:x="adobe:ns:meta/">${word()}</x:xmpmeta>`)} 0 R`
  const piece = (): string => `<</Acme ${pdf.add(`<</LastModified(D:20200101)/Private(${word()})>>`)} 0 R>>`
  const bitmap = pdf.addStream(
    '/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Metadata ' +
      `${xmp()}/PTEX.FileName(${word()})`,
    noise('p', 4),
  )
  const form = pdf.addStream(
    '/Type/XObject/Subtype/Form/BBox[0 0 9 ' +
      `9]/PieceInfo${piece()}/LastModified(D:20200101${word()})/Resources<</XObject<</Thumb ${bitmap} 0 ` +
      `R>>/Font<</Metadata ${draft.font} 0 R>>>>`,
    '/Thumb Do',
  )
  const stamp = pdf.add(`<</Type/Annot/Subtype/Stamp/Rect[9 9 20 20]/AP<</N ${form} 0 R>>>>`)
  const thumb = pdf.addStream('/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8', word())
  draft.page(1).annotations.push(`${stamp} 0 R`)
  draft
    .page(1)
    .entries.push(`/Meta#64ata ${xmp()}/PieceInfo${piece()}/LastModified(D:2020${word()})/Thumb ${thumb} 0 R`)
  const file = pdf.addStream(
    `/Type/EmbeddedFile/Params<</Size 4/CreationDate(D:2020${word()})/ModDate(D:2021${word()})>>`,
    'text',
  )
  draft.names.push(`/EmbeddedFiles<</Names[(a.txt)<</Type/Filespec/F(a.txt)/EF<</F ${file} 0 R>>>>]>>`)
  draft.catalog.push(`/Lang(en-GB)/Metadata ${xmp()}/PieceInfo${piece()}`)
  draft.trailer.push(
    '/Info ' +
      `${pdf.add(`<</Title(Title ${word()})/Producer(${word()})/Company(${word()})/CreationDate(D:20200101)>>`)} 0 ` +
      `R/ID[<${ID}><${ID}>]`,
  )
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
    it(`removes all metadata of a file written as ${layout}`, async () => {
      const source = described(layout)
      const { bytes, file } = await remove(source.bytes)
      expect(findTraces(bytes, [...source.words, ID])).toEqual([])
      expect(file.trailer.has('Info')).toBe(false)
      const keys = keysIn(file)
      for (const key of ['PieceInfo', 'LastModified', 'PTEX.FileName', 'CreationDate', 'ModDate', 'Producer'])
        expect(keys.has(key), key).toBe(false)
      expect(bytes.toString('latin1').split('%%EOF').length).toBe(2)
    })
  }

  it('keeps resources that only have the name of a metadata key, and the look of the page', async () => {
    const source = described().bytes
    const { bytes, file } = await remove(source)
    expect(file.dangling).toEqual([])
    const keys = keysIn(file)
    expect([keys.has('Thumb'), keys.has('Metadata')]).toEqual([true, true])
    expect((await renderPage(bytes, 0)).pixels.equals((await renderPage(source, 0)).pixels)).toBe(true)
    expect(file.text(file.catalog.get('Lang'))).toBe('en-GB')
  })

  it('keeps everything else: tags, bookmarks, links, labels, fields, attachments, scripts, layers', async () => {
    const source = makeBook().write('streams')
    const before = await readPdf(source)
    expect(await readPdf((await remove(source)).bytes)).toEqual({ ...before, title: '' })
  })

  it('writes a file ID that depends only on the content', async () => {
    const [one, two] = [
      described().bytes,
      Buffer.from(described().bytes.toString('latin1').replaceAll(ID, ID.replace('0011', 'FFEE')), 'latin1'),
    ]
    const ids = (await remove(one)).file.trailer.get('ID')
    expect(ids).toEqual((await remove(two)).file.trailer.get('ID'))
    expect(
      Array.isArray(ids) && ids[0] instanceof PdfText && ids[1] instanceof PdfText && ids[0].bytes === ids[1].bytes,
    ).toBe(true)
  })

  it('keeps the named entries of Info', async () => {
    const { file } = await remove(described().bytes, { keep: ['Title', 'CreationDate', 'Nothing'] })
    expect([...file.dict(file.trailer.get('Info')).keys()]).toEqual(['Title', 'CreationDate'])
  })

  it('handles a file without any metadata', async () => {
    expect((await readPdf((await remove(numbered())).bytes)).pages).toHaveLength(5)
  })

  it('removes attachments, scripts, links, bookmarks and comments on request, each separately', async () => {
    const source = makeBook().write()
    const before = await readPdf(source)
    const after = async (options: unknown) => readPdf((await remove(source, options)).bytes)
    expect(await after({ attachments: true })).toEqual({ ...before, title: '', attachments: [] })
    expect(await after({ javascript: true })).toEqual({ ...before, title: '', scripts: [] })
    expect(await after({ bookmarks: true })).toEqual({ ...before, title: '', outline: [] })
    const linkless = await after({ links: true })
    expect(linkless.pages.map(page => [page.links.length, page.annotationCount])).toEqual(
      before.pages.map(page => [0, page.annotationCount - page.links.length]),
    )
    const quiet = await after({ comments: true })
    expect(quiet.pages.map(page => [page.links, page.fields])).toEqual(
      before.pages.map(page => [page.links, page.fields]),
    )
    expect(quiet.isTagged).toBe(true)
    const draft = makeBook()
    const words = draft.pages.flatMap(page => [draft.plant(page.number, 'note')])
    expect(findTraces((await remove(draft.write(), { comments: true })).bytes, words)).toEqual([])
  })

  it('removes scripts of actions, direct, indirect and chained', async () => {
    const draft = new Draft({ pages: 1, salt: 'scripts' })
    const action = draft.pdf.add('<</S/JavaScript/JS(SECRETONE)>>')
    const link = draft.pdf.add(
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 ' +
        `9]/A<</S/URI/URI(https://example.com)/Next[<</S/JavaScript/JS(SECRETTWO)>>]>>/AA<</E ${action} 0 R>>>>`,
    )
    draft.page(1).annotations.push(`${link} 0 R`)
    draft.catalog.push('/OpenAction<</S/JavaScript/JS(SECRETTHREE)>>/AA<</WC<</S/Java#53cript/JS(SECRETFOUR)>>>>')
    const { bytes } = await remove(draft.write('streams'), { javascript: true })
    expect(findTraces(bytes, ['SECRETONE', 'SECRETTWO', 'SECRETTHREE', 'SECRETFOUR', 'JavaScript'])).toEqual([])
    expect((await readPdf(bytes)).pages[0]?.links).toEqual([{ uri: 'https://example.com' }])
  })

  it('removes EXIF, XMP and comments from JPEG images and keeps the rest of their bytes', async () => {
    const segment = (marker: number, text: string): Buffer =>
      Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text, 'latin1')])
    const [soi, app0, scan] = [
      Buffer.from([0xff, 0xd8]),
      segment(0xe0, 'JFIF\0'),
      Buffer.concat([segment(0xda, 'scan'), noise('scan', 64), Buffer.from([0xff, 0xd9])]),
    ]
    const jpeg = Buffer.concat([
      soi,
      app0,
      segment(0xe1, 'Exif\0\0SECRETEXIF'),
      segment(0xe2, 'ICC_PROFILE'),
      segment(0xed, 'SECRETIPTC'),
      segment(0xfe, 'SECRETCOMMENT'),
      scan,
    ])
    const draft = new Draft({ pages: 1 })
    const bitmap = draft.pdf.addPlainStream(
      '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode',
      jpeg,
    )
    draft.page(1).entries.push(`/Picture ${bitmap} 0 R`)
    const { bytes } = await remove(draft.write(), { images: true })
    expect(findTraces(bytes, ['SECRETEXIF', 'SECRETIPTC', 'SECRETCOMMENT'])).toEqual([])
    expect(bytes.includes(Buffer.concat([soi, app0, segment(0xe2, 'ICC_PROFILE'), scan]))).toBe(true)
    expect(findTraces((await remove(draft.write())).bytes, ['SECRETEXIF'])).toEqual(['SECRETEXIF'])
  })

  it('removes XML and UUID boxes from JPEG 2000 images and keeps the rest of their bytes', async () => {
    const box = (kind: string, data: Buffer | string, { isLast = false, isLong = false } = {}): Buffer => {
      const contents = Buffer.from(data)
      const head = Buffer.alloc(isLong ? 16 : 8)
      head.writeUInt32BE(isLast ? 0 : isLong ? 1 : head.length + contents.length)
      head.write(kind, 4, 'latin1')
      if (isLong) head.writeBigUInt64BE(BigInt(head.length + contents.length), 8)
      return Buffer.concat([head, contents])
    }
    const start = [box('jP  ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])), box('ftyp', 'jp2 ')]
    const [header, codestream] = [
      box('jp2h', `colr${noise('icc', 20).toString('latin1')}`),
      box('jp2c', noise('code', 64), { isLast: true }),
    ]
    const metadataBoxes = [box('xml ', '<x>SECRETXMP</x>'), box('uuid', 'JpgTiffExif->JP2SECRETEXIF', { isLong: true })]
    const write = (bitmap: Buffer): Buffer => {
      const draft = new Draft({ pages: 1 })
      draft
        .page(1)
        .entries.push(
          '/Picture ' +
            `${draft.pdf.addPlainStream('/Type/XObject/Subtype/Image/Width 1/Height 1/Filter[/JPXDecode]', bitmap)} ` +
            '0 R',
        )
      return draft.write()
    }
    const { bytes } = await remove(
      write(Buffer.concat([...start, metadataBoxes[0] as Buffer, header, metadataBoxes[1] as Buffer, codestream])),
      { images: true },
    )
    expect(findTraces(bytes, ['SECRETXMP', 'SECRETEXIF'])).toEqual([])
    expect(bytes.includes(Buffer.concat([...start, header, codestream]))).toBe(true)
    // If a box contains a byte offset, nothing moves.
    const pointer = box('ftbl', 'where')
    const fixed = (
      await remove(write(Buffer.concat([...start, ...metadataBoxes, pointer, codestream])), { images: true })
    ).bytes
    expect(findTraces(fixed, ['SECRETXMP', 'SECRETEXIF'])).toEqual([])
    expect(fixed.indexOf(pointer) - fixed.indexOf(start[0] as Buffer)).toBe(
      Buffer.concat([...start, ...metadataBoxes]).length,
    )
    const broken = Buffer.concat([...start, metadataBoxes[0] as Buffer, box('jp2c', 'x').subarray(0, 6)])
    expect((await remove(write(broken), { images: true })).bytes.includes(broken)).toBe(true)
  })
})

describe('metadata in less common places', () => {
  /** A page of 612 × 792 with these contents, entries and annotations. */
  function writePage(
    pdf: PdfWriter,
    {
      contents,
      resources,
      entries = '',
      catalog = '',
    }: { contents: number[]; resources: string; entries?: string; catalog?: string },
  ): Buffer {
    const pages = pdf.reserve()
    const page = pdf.add(
      `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 612 ` +
        `792]/Contents[${contents.map(ref => `${ref} 0 R`).join(' ')}]/Resources<<${resources}>>${entries}>>`,
    )
    pdf.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
    return pdf.write({ root: pdf.add(`<</Type/Catalog/Pages ${pages} 0 R${catalog}>>`) })
  }

  const DRAWN = 'q 40 0 0 40 100 400 cm /A Do Q q 40 0 0 40 200 400 cm /B Do Q'
  const gray = '/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8'

  /**
   * A page that draws an image and a form XObject, with a secret in each place that reveals where content came from.
   */
  function makeTold(): Buffer {
    const pdf = new PdfWriter()
    const pixels = Buffer.from(Array.from({ length: 64 }, (_, index) => index * 4))
    const opi = '/OPI<</2.0<</Type/OPI/Version 2.0/F(SECRETOPI.tif)/ImageType(SECRETTYPE)>>>>'
    const image = pdf.add({
      dictionary: `${gray}/Filter/FlateDecode/Name/SECRETNAME/ID(SECRETID)${opi}`,
      data: Buffer.concat([deflateSync(pixels), Buffer.from('SECRETTAIL')]),
    })
    const form = pdf.addStream(
      '/Type/XObject/Subtype/Form/BBox[0 0 50 50]/Name/SECRETFORM/Ref<</F(SECRETREF.pdf)/Page ' +
        `0/ID[(SECRETA)(SECRETB)]>>${opi}`,
      '0 0 50 50 re %SECRETINFORM\nf',
    )
    const content =
      `q 40 0 0 40 100 400 cm /Im Do Q %SECRETCOMMENT (\r/Fm Do (50 % of \\) % this) pop <4%> [(%)] %SECRETEND\nBI ` +
      `/W 2 /H 1 /BPC 8 /CS /G ID %\xfe EI [1 %SECRETARRAY\n 2] 0 d`
    const contents = pdf.add({
      dictionary: '/Filter/FlateDecode',
      data: Buffer.concat([deflateSync(Buffer.from(content, 'latin1')), Buffer.from('SECRETBEHIND')]),
    })
    const hex = pdf.add({
      dictionary: '/Filter/ASCIIHexDecode',
      data: Buffer.from(`${Buffer.from('q Q').toString('hex')}>SECRETHEX`),
    })
    const twice = pdf.add({
      dictionary: '/Filter[/ASCII85Decode/FlateDecode]',
      data: Buffer.from(
        `${ascii85(Buffer.concat([deflateSync(Buffer.from('q Q')), Buffer.from('SECRETTWICE')]))}~>SECRETASCII`,
      ),
    })
    const runs = pdf.add({
      dictionary: '/Filter/RunLengthDecode',
      data: Buffer.concat([Buffer.from([2]), Buffer.from('q Q'), Buffer.from([128]), Buffer.from('SECRETRUNS')]),
    })
    const note = pdf.add(
      '<</Type/Annot/Subtype/Text/Rect[9 9 20 ' +
        '20]/Contents(KEPTNOTE)/Name/Comment/M(D:20200101SECRETM)/CreationDate(D:2020SECRETC)>>',
    )
    const intents =
      '/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(KEPTCONDITION)/RegistryName(http://www.color.org)/Info(SECRETINFO)>>]'
    return writePage(pdf, {
      contents: [contents, hex, twice, runs],
      resources: `/XObject<</Im ${image} 0 R/Fm ${form} 0 R>>`,
      entries: `/ID(SECRETPAGE)/Annots[${note} 0 R<</Type/Annot/Subtype/Square/Rect[30 9 40 20]/M(SECRETDIRECT)>>]`,
      catalog:
        '/SpiderInfo<</V ' +
        `1.0/C[<</URL(SECRETURL)>>]>>${intents}/Names<</IDS<</Names[(SECRETKEY)<</Type/SpiderContentSet/S/SPS/ID(x)/O[]>>]>>/URLS<</Names[(SECRETADDRESS)null]>>>>`,
    })
  }

  it('is removed: origins of images and form XObjects, captures, dates of annotations, comments, trailing bytes of data', async () => {
    const source = makeTold()
    const everything = { images: true, attachments: true, javascript: true, links: true, bookmarks: true }
    const { bytes, file } = await remove(source, everything)
    expect(file.malformed.concat(file.dangling)).toEqual([])
    expect(findTraces(bytes, ['SECRET'])).toEqual([])
    expect(findTraces(bytes, ['KEPTNOTE', 'KEPTCONDITION', 'www.color.org', '/Comment'])).toHaveLength(4)
    expect((await renderPage(bytes, 0)).pixels.equals((await renderPage(source, 0)).pixels)).toBe(true)
    // Without the option, images stay unchanged.
    expect(
      findTraces((await remove(source)).bytes, [
        'SECRET',
        'SECRETTAIL',
        'SECRETOPI',
        'SECRETID',
        'SECRETCOMMENT',
        'SECRETTWICE',
      ]),
    ).toEqual(['SECRET', 'SECRETTAIL'])
  })

  it('is not mistaken for content that only looks like a comment', async () => {
    const pdf = new PdfWriter()
    const data = deflateSync(Buffer.from('BT (100 % \\( sure %) Tj ET BI /W 1 /H 1 /BPC 8 /CS /G ID % EI <25%>'))
    const contents = pdf.add({ dictionary: '/Filter/FlateDecode', data })
    expect((await remove(writePage(pdf, { contents: [contents], resources: '' }))).bytes.includes(data)).toBe(true)
  })

  it('is removed from JPEG images: trailing bytes, comments between scans, thumbnails, data of programs', async () => {
    const segment = (marker: number, text: string | Buffer): Buffer =>
      Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text)])
    const jpeg = makeJpeg({ blocks: [[[128]]] })
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]))
    const jfif = Buffer.concat([Buffer.from('JFIF\0'), Buffer.from([1, 1, 0, 0, 1, 0, 1])])
    const thumbnail = segment(0xe0, Buffer.concat([jfif, Buffer.from([2, 2]), Buffer.from('SECRETTHUMB!')]))
    const jpegWithSecrets = Buffer.concat([
      jpeg.subarray(0, 2),
      thumbnail,
      segment(0xe0, 'JFXX\0SECRETJFXX'),
      segment(0xe2, 'MPF\0SECRETMPF'),
      segment(0xeb, 'JPSECRETCTWOPA'),
      segment(0xec, 'DuckySECRET'),
      jpeg.subarray(2, scan),
      jpeg.subarray(scan, -2),
      segment(0xfe, 'SECRETBETWEEN'),
      jpeg.subarray(-2),
      Buffer.from('SECRETTRAILER'),
      jpeg,
    ])
    const images = [
      { dictionary: '/Filter/DCTDecode', data: jpegWithSecrets },
      {
        dictionary: '/Filter[/FlateDecode/DCTDecode]',
        data: Buffer.concat([deflateSync(jpegWithSecrets), Buffer.from('SECRETOUTER')]),
      },
    ]
    const pdf = new PdfWriter()
    const refs = images.map(({ dictionary, data }) => pdf.add({ dictionary: `${gray}${dictionary}`, data }))
    const source = writePage(pdf, {
      contents: [pdf.addStream('', DRAWN)],
      resources: `/XObject<</A ${refs[0]} 0 R/B ${refs[1]} 0 R>>`,
    })
    expect(findTraces(source, ['SECRETTRAILER', 'SECRETTHUMB', 'SECRETOUTER'])).toHaveLength(3)
    const { bytes } = await remove(source, { images: true })
    expect(findTraces(bytes, ['SECRET'])).toEqual([])
    expect(
      bytes.includes(
        Buffer.concat([
          jpeg.subarray(0, 2),
          segment(0xe0, Buffer.concat([jfif, Buffer.from([0, 0])])),
          jpeg.subarray(2),
        ]),
      ),
    ).toBe(true)
    expect((await renderPage(bytes, 0)).pixels.equals((await renderPage(source, 0)).pixels)).toBe(true)
  })

  it('is removed from JPEG 2000 images: comments of the codestream, free space, trailing bytes', async () => {
    const whole = Buffer.from(ENCODED.wavelet, 'base64')
    const box = whole.indexOf('jp2c')
    const start = whole.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]))
    const stream = whole.subarray(start)
    const size = 4 + stream.readUInt16BE(4)
    const comment = Buffer.concat([Buffer.from([0xff, 0x64, 0, 16, 0, 1]), Buffer.from('SECRETCOMMEN')])
    const codestreamWithSecrets = Buffer.concat([
      stream.subarray(0, size),
      comment,
      stream.subarray(size),
      Buffer.from('SECRETBEHIND'),
    ])
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + codestreamWithSecrets.length)
    head.write('jp2c', 4, 'latin1')
    const free = Buffer.concat([Buffer.from([0, 0, 0, 18]), Buffer.from('freeSECRETFREE')])
    const file =
      box > 0
        ? Buffer.concat([whole.subarray(0, box - 4), free, head, codestreamWithSecrets, Buffer.from('SECRETTRAILER')])
        : codestreamWithSecrets
    const pdf = new PdfWriter()
    const [one, bare] = [file, codestreamWithSecrets].map(data =>
      pdf.addPlainStream(
        '/Type/XObject/Subtype/Image/Width 64/Height 48/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/JPXDecode',
        data,
      ),
    )
    const source = writePage(pdf, {
      contents: [pdf.addStream('', DRAWN)],
      resources: `/XObject<</A ${one} 0 R/B ${bare} 0 R>>`,
    })
    const { bytes } = await remove(source, { images: true })
    expect(findTraces(bytes, ['SECRET'])).toEqual([])
    expect((await renderPage(bytes, 0)).pixels.equals((await renderPage(source, 0)).pixels)).toBe(true)
  })
})

function ascii85(data: Buffer): string {
  const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
  let text = ''
  for (let at = 0; at < padded.length; at += 4) {
    let value = padded.readUInt32BE(at)
    let group = ''
    for (let digit = 0; digit < 5; digit++) {
      group = String.fromCharCode(33 + (value % 85)) + group
      value = Math.floor(value / 85)
    }
    text += at + 4 >= padded.length ? group.slice(0, 5 - (padded.length - data.length)) : group
  }
  return text
}
