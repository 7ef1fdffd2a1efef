import { describe, expect, it } from 'vitest'
import { editMetadata } from '../../../engines/tools/edit-metadata'
import { Draft, numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { type Layout, wideString } from '../../fixtures/pdf-writer'
import { PdfDict, PdfName } from '../../support/pdf-syntax'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
const SPACES =
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" ' +
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:acme="http://acme.example/"'

function packet(properties: string, attributes = ''): string {
  return (
    `<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ` +
    `${RDF}><rdf:Description rdf:about="" ` +
    `${SPACES}${attributes}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
  )
}

function described({
  info = '',
  xmp,
  layout,
  pdf = '1.4',
}: {
  info?: string
  xmp?: string
  layout?: Layout
  pdf?: string
}): Buffer {
  const draft = new Draft({ pages: 3 })
  if (xmp !== undefined) draft.catalog.push(`/Metadata ${draft.pdf.addStream('/Type/Metadata/Subtype/XML', xmp)} 0 R`)
  if (info) draft.trailer.push(`/Info ${draft.pdf.add(`<<${info}>>`)} 0 R`)
  const file = draft.write(layout)
  file.write(pdf, 5, 'latin1')
  return file
}

interface Facts {
  info: Record<string, string>
  xmp: string
  file: StrictPdf
}

async function edit(file: Buffer, options: unknown): Promise<Facts & { bytes: Buffer }> {
  const { bytes } = await runOn('edit-metadata', file, options)
  return { ...read(bytes), bytes }
}

function read(bytes: Buffer): Facts {
  const file = new StrictPdf(bytes)
  expect(file.problems).toEqual([])
  const info = Object.fromEntries(
    [...file.dict(file.trailer.get('Info'))].map(([key, value]) => [
      Buffer.from(key, 'latin1').toString('utf8'),
      decoded(file.text(value) ?? ''),
    ]),
  )
  const reference = file.catalog.get('Metadata')
  const stream = [...file.objects.values()].find(object => object.data && object.value === file.get(reference))
  return { info, xmp: stream?.data?.toString('utf8') ?? '', file }
}

function decoded(bytes: string): string {
  return bytes.startsWith('\xfe\xff') ? Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le') : bytes
}

describe('edit-metadata', () => {
  it('refuses options that change nothing', () => {
    for (const options of [{}, { outputName: 'x.pdf' }, { title: undefined }])
      expect(editMetadata.options.safeParse(options).error?.issues).toMatchObject([{ path: [] }])
    expect(editMetadata.options.safeParse({ author: '' }).success).toBe(true)
  })

  it('sets title, author, subject and keywords in both Info and XMP', async () => {
    const { info, xmp } = await edit(numbered(), {
      title: 'Report (7) \\ "A"',
      author: 'Ada & Żółw 東京',
      subject: 'Sums\nand more',
      keywords: 'alpha, beta',
    })
    expect(info).toEqual({
      Title: 'Report (7) \\ "A"',
      Author: 'Ada & Żółw 東京',
      Subject: 'Sums\nand more',
      Keywords: 'alpha, beta',
    })
    expect(xmp).toContain(
      '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Report (7) \\ &#34;A&#34;</rdf:li></rdf:Alt></dc:title>',
    )
    expect(xmp).toContain('<dc:creator><rdf:Seq><rdf:li>Ada &amp; Żółw 東京</rdf:li></rdf:Seq></dc:creator>')
    expect(xmp).toContain('<dc:subject><rdf:Bag><rdf:li>alpha</rdf:li><rdf:li>beta</rdf:li></rdf:Bag></dc:subject>')
    expect(xmp).toContain('<pdf:Keywords>alpha, beta</pdf:Keywords>')
  })

  it('writes values in any script that another reader can read', async () => {
    for (const title of ['Zoë', 'Żółw 東京 مرحبا 😀', 'þÿ looks like UTF-16', '(unbalanced \\']) {
      expect((await readPdf((await edit(numbered(), { title })).bytes)).title).toBe(title)
    }
  })

  it("keeps values that the request doesn't name, and removes empty values", async () => {
    const file = described({
      info: '/Title(Old)/Author(Ada)/Subject(Sums)/Trapped/True/Odd 7',
      xmp: packet('<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title>'),
    })
    const { info, xmp } = await edit(file, { title: '', subject: 'New' })
    expect(info).toEqual({ Author: 'Ada', Subject: 'New', Trapped: 'True', Odd: '' })
    expect(xmp).not.toContain('dc:title>')
    expect(xmp).toContain('<rdf:li>Ada</rdf:li>')
  })

  for (const layout of ['table', 'streams', 'hybrid'] as const) {
    it(`leaves nothing of an old value in a file written as ${layout}`, async () => {
      const wide = wideString('SECRETAUTHOR')
      const xmp = packet(
        '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">SECRETTITLE</rdf:li><rdf:li ' +
          'xml:lang="de">SECRETTITLE</rdf:li></rdf:Alt></dc:title><pdf:Title>SECRETTITLE</pdf:Title><acme:also>SECRETTITLE</acme:also><!-- ' +
          'SECRETTITLE -->',
        ' acme:by="SECRETAUTHOR"',
      )
      const { bytes } = await edit(described({ info: `/Title(SECRETTITLE)/Author${wide}`, xmp, layout }), {
        title: 'New',
        author: 'Other',
      })
      expect(findTraces(bytes, ['SECRETTITLE', 'SECRETAUTHOR'])).toEqual([])
    })
  }

  it("keeps the packet's other entries, and translations of unchanged values", async () => {
    const title =
      '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Same</rdf:li><rdf:li ' +
      'xml:lang="de">Gleich</rdf:li></rdf:Alt></dc:title>'
    const { xmp } = await edit(
      described({
        info: '/Title(Same)',
        xmp: packet(
          `${title}<acme:data r:parseType="Resource" ` +
            'xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><acme:x>1</acme:x></acme:data>',
          ' acme:note="kept &amp; whole"',
        ),
      }),
      { author: 'Ada' },
    )
    for (const part of [
      title,
      'acme:note="kept &amp; whole"',
      '<acme:x>1</acme:x></acme:data>',
      'xmlns:acme="http://acme.example/"',
    ])
      expect(xmp).toContain(part)
  })

  it('prefers Info if Info and XMP differ, and takes missing values from XMP', async () => {
    const { info, xmp } = await edit(
      described({
        info: '/Title(From Info)',
        xmp: packet(
          '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">From ' +
            'XMP</rdf:li></rdf:Alt></dc:title><dc:description><rdf:Alt><rdf:li xml:lang="x-default">Only ' +
            'here</rdf:li></rdf:Alt></dc:description>',
          ' xmp:CreatorTool="Tool" xmp:CreateDate="2020-02-03T04:05:06.789+01:00"',
        ),
      }),
      { author: 'Ada' },
    )
    expect(info).toEqual({
      Title: 'From Info',
      Subject: 'Only here',
      Author: 'Ada',
      Creator: 'Tool',
      CreationDate: "D:20200203040506+01'00'",
    })
    expect(xmp).toContain('From Info')
    expect(xmp).not.toContain('From XMP')
  })

  it('replaces a packet with a document type, entities or errors without reading it', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "SECRETWORD"><!ENTITY b "&a;&a;&a;">]>'
    for (const xmp of [
      bomb + packet('<acme:x>&b;</acme:x>'),
      packet('<acme:x>&unknown;SECRETWORD</acme:x>'),
      packet('<acme:x>SECRETWORD'),
      '<a>'.repeat(5000) + 'SECRETWORD',
      'SECRETWORD',
    ]) {
      const { bytes, xmp: written } = await edit(described({ xmp }), { title: 'Fine' })
      expect(findTraces(bytes, ['SECRETWORD', 'DOCTYPE'])).toEqual([])
      expect(written).toContain('Fine')
    }
  })

  it('reads a packet in UTF-16', async () => {
    const text = packet('<acme:x>kept</acme:x>').replace(/\xef\xbb\xbf/, '\ufeff')
    const { xmp } = await edit(
      described({ xmp: Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1') }),
      { title: 'Fine' },
    )
    expect(xmp).toContain('<acme:x>kept</acme:x>')
  })

  it('adds XMP to every file of PDF 1.4 or later, and to no older file', async () => {
    expect((await edit(described({ pdf: '1.3' }), { title: 'Old file' })).xmp).toBe('')
    expect((await edit(described({ pdf: '1.4' }), { title: 'Newer file' })).xmp).toContain('Newer file')
  })

  it('writes dates as given, and never adds a date', async () => {
    const { info, xmp } = await edit(numbered(), { creationDate: '2025-03-01T14:30:00+01:00', modDate: '2025-03-02' })
    expect(info).toEqual({ CreationDate: "D:20250301143000+01'00'", ModDate: 'D:20250302' })
    expect(xmp).toContain('<xmp:CreateDate>2025-03-01T14:30:00+01:00</xmp:CreateDate>')
    expect(xmp).toContain('<xmp:ModifyDate>2025-03-02</xmp:ModifyDate>')
    expect(Object.keys((await edit(numbered(), { title: 'x' })).info)).toEqual(['Title'])
  })

  it('refuses invalid dates, languages and names', async () => {
    for (const options of [
      { creationDate: '2025-02-30' },
      { modDate: 'yesterday' },
      { creationDate: '2025-13-01' },
      { modDate: '2025-01-01T25:00' },
      { language: 'no such tag' },
      { custom: { Title: 'x' } },
      { custom: { '': 'x' } },
      { title: 'a\u0000b' },
      { title: '\ud800' },
      { titel: 'x' },
      { title: 'x'.repeat(2001) },
    ]) {
      await expect(
        runOn('edit-metadata', numbered(), options),
        JSON.stringify(options).slice(0, 60),
      ).rejects.toMatchObject({ name: 'ZodError' })
    }
  })

  it('sets and removes custom entries, also under names that XML does not allow', async () => {
    const { info, xmp } = await edit(described({ info: '/Company(Acme)/Old#20one(gone)' }), {
      custom: { 'Order #7': 'seven', Firmenname: 'Größe', 'Old one': null },
    })
    expect(info).toEqual({ Company: 'Acme', 'Order #7': 'seven', Firmenname: 'Größe' })
    expect(xmp).toContain('<pdfx:Company>Acme</pdfx:Company>')
    expect(xmp).toContain('<pdfx:Orderↂ0020ↂ00237>seven</pdfx:Orderↂ0020ↂ00237>')
    expect(xmp).not.toContain('gone')
  })

  it('keeps a claim of PDF/A only as long as the claim is true', async () => {
    const claim = '<pdfaid:part xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">2</pdfaid:part>'
    const file = described({ info: '/Title(Old)', xmp: packet(claim) })
    expect((await edit(file, { title: 'New' })).xmp).toContain(claim)
    expect((await edit(file, { custom: { Order: '7' } })).xmp).not.toContain('pdfaid')
  })

  it('sets language, viewer preferences and page labels without changing Info and XMP', async () => {
    const viewer = {
      displayTitle: true,
      pageMode: 'bookmarks',
      pageLayout: 'two-pages-right',
      openPage: 2,
      direction: 'rtl',
    }
    const { file, info, xmp, bytes } = await edit(described({}), {
      language: 'en-gb',
      viewer,
      pageLabels: [
        { from: 2, style: 'roman-lower', prefix: 'ż-', start: 4 },
        { from: 3, style: 'none', prefix: 'End' },
      ],
    })
    expect(file.text(file.catalog.get('Lang'))).toBe('en-GB')
    expect(['PageMode', 'PageLayout'].map(key => file.catalog.get(key))).toEqual([
      new PdfName('UseOutlines'),
      new PdfName('TwoPageRight'),
    ])
    expect(file.dict(file.catalog.get('ViewerPreferences'))).toEqual(
      new PdfDict([
        ['DisplayDocTitle', true],
        ['Direction', new PdfName('R2L')],
      ]),
    )
    expect(file.array(file.catalog.get('OpenAction'))[0]).toMatchObject({ number: file.pages[1]?.number })
    expect((await readPdf(bytes)).pages.map(page => page.label)).toEqual(['1', 'ż-iv', 'End'])
    expect([info, xmp]).toEqual([{}, ''])
    const plain = await edit(bytes, { language: '', pageLabels: [] })
    expect([plain.file.catalog.has('Lang'), plain.file.catalog.has('PageLabels')]).toEqual([false, false])
  })

  it('refuses pages that do not exist', async () => {
    await expect(runOn('edit-metadata', numbered(), { viewer: { openPage: 6 } })).rejects.toMatchObject({
      problems: [{ param: 'options.viewer.openPage' }],
    })
    await expect(runOn('edit-metadata', numbered(), { pageLabels: [{ from: 3 }, { from: 3 }] })).rejects.toMatchObject({
      problems: [{ param: 'options.pageLabels[1].from' }],
    })
  })

  it('changes nothing else, and writes the same bytes each time', async () => {
    const file = makeBook().write('streams')
    const [before, after] = [await readPdf(file), await edit(file, { title: 'Changed' })]
    expect(await readPdf(after.bytes)).toEqual({ ...before, title: 'Changed' })
    expect((await edit(file, { title: 'Changed' })).bytes.equals(after.bytes)).toBe(true)
  })
})
