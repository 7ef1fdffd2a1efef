import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { PdfDocument } from '../../../engines/pdf/document/document'
import { pdfRedaction } from '../../../engines/tools/pdf-redaction'
import { Draft } from '../../fixtures/draft'
import { addAttachments, addForm, addOutline } from '../../fixtures/features'
import { makePage } from '../../fixtures/images'
import { readPageTexts } from '../../support/page-texts'
import { readPdf, renderPage } from '../../support/reader'
import { readZip } from '../../support/read-zip'
import { runOn } from '../../support/run-on'
import { findTraces } from '../../support/traces'

const redact = (file: Uint8Array, options: object) => runOn('pdf-redaction', file, options)

/** The errors that the options cause before any file is read. */
function mistakes(options: object): string[] {
  const { error } = pdfRedaction.options.safeParse(options)
  return error?.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`) ?? []
}

const area = { page: 1, x: 50, y: 590, width: 300, height: 30 }

/** Text in one of the standard fonts. */
function page(content: string): Buffer {
  return makePage(
    content,
    pdf =>
      `/Font<</F ${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')} 0 R/H ` +
      `${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Type/Encoding/Differences[1/fi]>>>>')} ` +
      '0 R>>',
  )
}

describe('areas', () => {
  it('leave text outside the page as displayed, and say so', async () => {
    const draft = new Draft({ pages: 1, crop: [0, 0, 612, 700] })
    draft.page(1).content = ['BT /F1 12 Tf 60 600 Td (Inside) Tj 0 130 Td (Outside) Tj ET']
    const whole = { page: 1, x: 0, y: 0, width: 100, height: 100, unit: '%' }
    const part = { page: 1, x: 50, y: 590, width: 100, height: 30 }
    const check = async (options: object) => {
      const { bytes, warnings } = await redact(draft.write(), { ...options, report: true })
      const [file, report] = readZip(bytes)
      const { pages } = JSON.parse(report?.bytes.toString() ?? '') as { pages: { hasTextOutside: boolean }[] }
      const left = ['Inside', 'Outside'].filter(word => findTraces(file?.bytes ?? Buffer.alloc(0), [word]).length > 0)
      return [left.join(), warnings.join(), pages[0]?.hasTextOutside]
    }
    expect(await check({ areas: [whole] })).toEqual(['Outside', 'text-outside-page', true])
    expect(await check({ areas: [part], search: [{ text: 'Outside' }] })).toEqual(['', '', false])
    expect(await check({ areas: [whole], rasterize: 'pages' })).toEqual(['', '', false])
    expect(await check({ search: [{ text: 'Inside' }] })).toEqual(['Outside', '', false])
  })

  it('use displayed coordinates on rotated pages, cropped pages and pages with other units', async () => {
    // The number of each page is at 60, 600 on a page of 612 × 792.
    const turned = {
      90: { x: 590, y: 230, width: 30, height: 340 },
      180: { x: 230, y: 170, width: 340, height: 30 },
      270: { x: 170, y: 40, width: 30, height: 340 },
    }
    for (const [angle, box] of Object.entries(turned)) {
      const draft = new Draft({ pages: 2, rotate: { 1: Number(angle) }, salt: `turned${angle}` })
      const { bytes } = await redact(draft.write(), { areas: [{ page: 1, ...box }] })
      const texts = await readPageTexts(bytes)
      expect(texts[0]?.trim()).toBe('')
      expect(texts[1]).toContain('PAGE 2')
    }
    const cropped = new Draft({ pages: 1, origin: [-100, -50], salt: 'cropped' }).write()
    for (const given of [
      { x: 50, y: 590, width: 400, height: 30 },
      { x: 50, y: 792 - 620, width: 400, height: 30, origin: 'top-left' },
      { x: -50, y: 540, width: 400, height: 30, origin: 'user-space' },
      { x: 17.6, y: 208, width: 150, height: 11, unit: 'mm' },
      { x: 8, y: 74.5, width: 80, height: 4, unit: '%' },
    ]) {
      expect(
        (await readPageTexts((await redact(cropped, { areas: [{ page: 1, ...given }] })).bytes)).join('').trim(),
      ).toBe('')
    }
  })

  it('can be the same on several pages', async () => {
    const { bytes, headers } = await redact(new Draft({ pages: 4, salt: 'several' }).write(), {
      areas: [{ ...area, page: undefined, pages: '2-3' }],
    })
    const texts = await readPageTexts(bytes)
    expect(texts.map(text => text.includes('PAGE'))).toEqual([true, false, false, true])
    expect(headers['X-Redactions-Applied']).toBe('2')
  })

  it('keep bookmarks, form fields elsewhere and other pages', async () => {
    const draft = new Draft({ pages: 3, salt: 'others' })
    addOutline(draft)
    addForm(draft)
    const file = draft.write()
    const [before, after] = [await readPdf(file), await readPdf((await redact(file, { areas: [area] })).bytes)]
    expect(after.outline).toEqual(before.outline)
    expect(after.pages.map(one => one.fields)).toEqual(before.pages.map(one => one.fields))
    expect(after.pages[1]?.text).toBe(before.pages[1]?.text)
  })

  it('get a readable label, in any script, in a contrasting color', async () => {
    for (const text of ['REMOVED', 'Entfernt: Straße', 'محذوف', '削除済み', 'one\ntwo']) {
      const { bytes } = await redact(new Draft({ pages: 1 }).write(), {
        areas: [{ ...area, replacementText: text }],
        color: { r: 200, g: 0, b: 30 },
      })
      expect((await readPageTexts(bytes)).join('').normalize('NFKC').replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''))
      const { pixels } = await renderPage(bytes, 0)
      const hasWhite = Array.from({ length: 280 }, (_, x) => (792 - 605) * 612 + 55 + x).some(at =>
        [-8, -4, 0, 4].some(row => (pixels[(at + row * 612) * 4 + 1] ?? 0) > 150),
      )
      expect(hasWhite).toBe(true)
    }
  })

  it('that are high and narrow get a label that runs downward, large enough to read', async () => {
    const { bytes } = await redact(new Draft({ pages: 1 }).write(), {
      areas: [{ page: 1, x: 300, y: 300, width: 14, height: 120, replacementText: 'REMOVED' }],
    })
    expect((await readPageTexts(bytes)).join('').replace(/\s+/g, '')).toContain('REMOVED')
    const { pixels } = await renderPage(bytes, 0)
    const white = Array.from({ length: 120 }, (_, y) =>
      Array.from({ length: 14 }, (_unused, x) => pixels[((792 - 420 + y) * 612 + 300 + x) * 4] ?? 0).some(
        value => value > 150,
      ),
    )
    expect(white.filter(Boolean).length).toBeGreaterThan(30)
  })

  it('are refused, all at once, if they miss their page or name a page that does not exist', async () => {
    const file = new Draft({ pages: 2 }).write()
    const error = await redact(file, {
      areas: [{ ...area, page: 6 }, { ...area, x: 612 }, area, { ...area, page: undefined, pages: '9-' }],
    }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      reason: 'page_missing',
      problems: [
        { param: 'options.areas[0].page' },
        { param: 'options.areas[1]' },
        { param: 'options.areas[3].pages' },
      ],
    })
    expect(String(error)).toContain('page 6')
  })

  it('are refused if they have invalid sizes, numbers or colors', () => {
    expect(
      mistakes({
        areas: [
          { ...area, width: 0 },
          { ...area, height: -4 },
          { ...area, x: 'left' },
          { ...area, page: undefined },
        ],
        color: { r: 300, g: 0, b: 0 },
      }).map(problem => problem.split(':')[0]),
    ).toEqual(expect.arrayContaining(['areas.0.width', 'areas.1.height', 'areas.2.x', 'areas.3.page']))
    expect(mistakes({ areas: [area], color: { r: 300, g: 0, b: 0 } })[0]).toMatch(/^color/)
    expect(mistakes({})[0]).toMatch(/^areas/)
    expect(mistakes({ areas: [] })[0]).toMatch(/^areas/)
    expect(mistakes({ areas: Array.from({ length: 5001 }, () => area) })[0]).toMatch(/^areas/)
  })
})

describe('search', () => {
  const LINES: Record<string, { content: string; text: string; left: string }> = {
    'across pieces of a run': {
      content: '/F 12 Tf 10 100 Td [(My se)-20(cr)10(et w)-30(ord)] TJ',
      text: 'secret',
      left: 'My word',
    },
    'across lines': {
      content: '/F 12 Tf 14 TL 10 100 Td (My secret) Tj T* (word here) Tj',
      text: 'secret word',
      left: 'My here',
    },
    'divided at the end of a line': {
      content: '/F 12 Tf 14 TL 10 100 Td (My confi-) Tj T* (dential word) Tj',
      text: 'confidential',
      left: 'My word',
    },
    'in ligatures': { content: '/H 12 Tf 10 100 Td (My \\001ne word) Tj', text: 'fine', left: 'My word' },
    'whatever the case': { content: '/F 12 Tf 10 100 Td (My SeCrEt word) Tj', text: 'sEcReT', left: 'My word' },
    'set letter by letter': {
      content: '/F 12 Tf 10 100 Td (M) Tj (y) Tj ( ) Tj (s) Tj (e) Tj (c) Tj (r) Tj (e) Tj (t) Tj ( ) Tj (word) Tj',
      text: 'secret',
      left: 'My word',
    },
    turned: { content: '/F 12 Tf 0 1 -1 0 100 10 Tm (My secret word) Tj', text: 'secret', left: 'My word' },
    slanted: { content: '/F 12 Tf .8 .6 -.6 .8 20 20 Tm (My secret word) Tj', text: 'secret', left: 'My word' },
  }
  for (const [name, { content, text, left }] of Object.entries(LINES)) {
    it(`finds words ${name}`, async () => {
      const { bytes, headers, warnings } = await redact(page(`BT ${content} ET`), { search: [{ text }] })
      expect((await readPageTexts(bytes)).join(' ').replace(/\s+/g, ' ').trim()).toBe(left)
      expect(headers).toEqual({ 'X-Page-Count': '1', 'X-Redactions-Applied': '1', 'X-Redaction-Verified': 'true' })
      expect(warnings).toEqual([])
    })
  }

  it('keeps the lines above and below, also if a font states boxes of twice that height', async () => {
    const file = makePage(
      'BT /F 10 Tf 11 TL 10 100 Td (upper line) Tj T* (a secret here) Tj T* (lower line) Tj ET',
      pdf => {
        const descriptor = pdf.add(
          '<</Type/FontDescriptor/FontName/CourierNewPSMT/Flags 33/FontBBox[-122 -680 623 1021]/Ascent ' +
            '1021/Descent -680/CapHeight 600/ItalicAngle 0/StemV 40/MissingWidth 600>>',
        )
        return (
          '/Font<</F ' +
          `${pdf.add(`<</Type/Font/Subtype/TrueType/BaseFont/CourierNewPSMT/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 122/Widths[${'600 '.repeat(91)}]/FontDescriptor ${descriptor} 0 R>>`)} ` +
          '0 R>>'
        )
      },
    )
    const { bytes, warnings } = await redact(file, { search: [{ text: 'secret' }] })
    expect((await readPageTexts(bytes)).join(' ').replace(/\s+/g, ' ').trim()).toBe('upper line a here lower line')
    expect(warnings).toEqual([])
  })

  it('finds whole words, expressions and presets, on the named pages', async () => {
    const file = page(
      'BT /F 10 Tf 14 TL 10 180 Td (cat catalog) Tj T* (AB-1234 CD-9) Tj T* (jane@example.com ' +
        'DE89370400440532013000) Tj ET',
    )
    const { bytes, headers } = await redact(file, {
      search: [
        { text: 'cat', wholeWord: true },
        { regex: '[a-z]{2}-\\d{4}' },
        { preset: 'email', pages: [1] },
        { preset: 'iban' },
      ],
    })
    expect((await readPageTexts(bytes)).join(' ').replace(/\s+/g, ' ').trim()).toBe('catalog CD-9')
    expect(headers['X-Redactions-Applied']).toBe('4')
    expect((await redact(file, { search: [{ text: 'CAT', caseSensitive: true }] })).warnings).toEqual([
      'redaction-no-match',
    ])
  })

  it('removes words from bookmarks, properties, XMP, fields, comments and links, and redraws fields', async () => {
    const word = 'Quetzalcoatl'
    const draft = new Draft({ pages: 2, salt: 'all' })
    const { pdf } = draft
    const outline = pdf.reserve()
    const entry = pdf.add(`<</Title(About ${word})/Parent ${outline} 0 R/Dest[${draft.page(1).ref} 0 R/Fit]>>`)
    pdf.set(outline, `<</Type/Outlines/First ${entry} 0 R/Last ${entry} 0 R/Count 1>>`)
    const field = pdf.add(
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Dear ${word}!)/DA(/Helv 12 Tf 0 g)/Rect[60 300 260 320]/P ` +
        `${draft.page(1).ref} 0 R/AP<</N ` +
        `${pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<<>>', `BT (Dear ${word}!) Tj ET`)} 0 ` +
        'R>>>>',
    )
    const wide = Buffer.from(`\ufeffnote on ${word}`, 'utf16le').swap16().toString('hex')
    const note = pdf.add(`<</Type/Annot/Subtype/Text/Rect[300 300 320 320]/Contents<${wide}>>>`)
    const link = pdf.add(
      `<</Type/Annot/Subtype/Link/Rect[300 200 320 220]/A<</S/URI/URI(https://example.com/${word})>>>>`,
    )
    draft.page(1).annotations.push(...[field, note, link].map(ref => `${ref} 0 R`))
    const packet = pdf.addPlainStream(
      '/Type/Metadata/Subtype/XML',
      '<?xpacket begin="" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ' +
        `xmlns:pdf="http://ns.adobe.com/pdf/1.3/" pdf:Keywords="${word}, other"/></rdf:RDF></x:xmpmeta><?xpacket ` +
        'end="w"?>',
    )
    draft.catalog.push(
      `/Outlines ${outline} 0 R`,
      `/Metadata ${packet} 0 R`,
      `/AcroForm<</Fields[${field} 0 R]/DR<</Font<</Helv ${draft.font} 0 R>>>>>>`,
    )
    draft.trailer.push(`/Info ${pdf.add(`<</Title(On ${word})/Author(Other)>>`)} 0 R`)
    const file = draft.write()
    expect(findTraces(file, [word])).toEqual([word])
    const { bytes, headers } = await redact(file, { search: [{ text: word.toLowerCase(), replacementText: 'X' }] })
    expect(findTraces(bytes, [word])).toEqual([])
    const seen = await readPdf(bytes)
    expect(seen.outline[0]?.title).toBe('About X')
    expect(seen.title).toBe('On X')
    expect(seen.pages[0]?.fields[0]).toMatchObject({ name: 'name', value: 'Dear X!' })
    expect(seen.pages[0]?.links[0]?.uri).toBe('https://example.com/X')
    expect(bytes.toString('latin1')).toContain('X, other')
    expect(headers['X-Redactions-Applied']).toBe('6')
    const drawn = await renderPage(bytes, 0, { hasFields: true })
    expect(
      Array.from(
        { length: 200 * 18 },
        (_, at) => drawn.pixels[((792 - 319 + Math.floor(at / 200)) * 612 + 60 + (at % 200)) * 4] ?? 255,
      ).some(value => value < 100),
    ).toBe(true)
  })

  it('finds text that annotations show, and removes the annotations', async () => {
    const draft = new Draft({ pages: 1, salt: 'shown' })
    const { pdf } = draft
    const drawn = (text: string): number =>
      pdf.addStream(
        `/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F ${draft.font} 0 R>>>>`,
        `BT /F 12 Tf 2 5 Td (${text}) Tj ET`,
      )
    const stamps = ['Stamped Quetzalcoatl here', 'Another stamp'].map((text, index) =>
      pdf.add(
        `<</Type/Annot/Subtype/Stamp/Rect[60 ${300 + index * 50} 260 ${320 + index * 50}]/P ${draft.page(1).ref} 0 ` +
          `R/AP<</N ${drawn(text)} 0 R>>>>`,
      ),
    )
    draft.page(1).annotations.push(...stamps.map(ref => `${ref} 0 R`))
    const { bytes, headers } = await redact(draft.write(), { search: [{ text: 'quetzalcoatl' }] })
    expect(findTraces(bytes, ['Quetzalcoatl', 'Stamped'])).toEqual([])
    expect(findTraces(bytes, ['Another stamp', 'PAGE 1'])).toEqual(['Another stamp', 'PAGE 1'])
    expect((await readPdf(bytes)).pages[0]?.annotationCount).toBe(1)
    expect(headers['X-Redactions-Applied']).toBe('1')
  })

  it('removes XFA that contains matches', async () => {
    const draft = new Draft({ pages: 1, salt: 'xfa' })
    const packet = draft.pdf.addStream(
      '',
      '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><value>Quetzalcoatl</value></xdp:xdp>',
    )
    draft.catalog.push(`/AcroForm<</Fields[]/XFA[(datasets) ${packet} 0 R]>>`)
    const { bytes, warnings } = await redact(draft.write(), { search: [{ text: 'Quetzalcoatl' }] })
    expect(findTraces(bytes, ['Quetzalcoatl', '/XFA'])).toEqual([])
    expect(warnings).toContain('xfa-dropped')
  })

  it('warns about rules without a match, or refuses the request', async () => {
    const file = new Draft({ pages: 1 }).write()
    expect((await redact(file, { search: [{ text: 'nowhere' }] })).warnings).toEqual(['redaction-no-match'])
    await expect(
      redact(file, { search: [{ text: 'PAGE' }, { text: 'nowhere' }], onNoMatch: 'error' }),
    ).rejects.toMatchObject({ reason: 'no_match', problems: [{ param: 'options.search[1]' }] })
  })

  it('refuses invalid expressions and names them, in the engine', async () => {
    const file = new Draft({ pages: 1 }).write()
    for (const regex of ['(a', '(?=a)b', 'a*', '((a{100}){10}){10}']) {
      const refused = redact(file, { search: [{ text: 'PAGE' }, { regex }] })
      await expect(refused, regex).rejects.toMatchObject({
        reason: 'options_invalid',
        problems: [{ param: expect.stringMatching(/^options\.search\[1\]/) as string }],
      })
    }
  })

  it('refuses invalid rules and names them', () => {
    const wrong = [
      {},
      { text: 'a', preset: 'email' },
      { regex: Array.from({ length: 1_000_000 }, () => 'a').join('|') },
      { preset: 'name' },
      { text: ' ' },
    ]
    const found = mistakes({ search: wrong })
    expect(wrong.map((_, index) => found.some(problem => problem.startsWith(`search.${index}.`)))).toEqual(
      wrong.map(() => true),
    )
    expect(mistakes({ search: Array.from({ length: 101 }, () => ({ text: 'a' })) })[0]).toMatch(/^search/)
    expect(mistakes({ areas: [area], onNoMatch: 'error' })[0]).toMatch(/^onNoMatch/)
  })

  it('does not backtrack, whatever the expression', async () => {
    const file = page(`BT /F 1 Tf 10 100 Td (${'a'.repeat(5000)}) Tj ET`)
    // A search that tries all ways to match never ends.
    const { warnings } = await redact(file, { search: [{ regex: '(a+)+b' }, { regex: '(a|aa)+c' }] })
    expect(warnings).toEqual(['redaction-no-match'])
  })
})

describe('images', () => {
  it('are all removed with images: all, wherever they are, and neighboring content stays', async () => {
    const draft = new Draft({ pages: 2, salt: 'pictures' })
    const { pdf } = draft
    const samples = Buffer.from('PixelsOfPictures'.repeat(4))
    const image = (): number =>
      pdf.addStream('/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8', samples)
    const stamp = pdf.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 20 20]/Resources<</XObject<</I ${image()} 0 R>>>>`,
      'q 20 0 0 20 0 0 cm /I Do Q',
    )
    draft
      .page(2)
      .annotations.push(`${pdf.add(`<</Type/Annot/Subtype/Stamp/Rect[300 300 320 320]/AP<</N ${stamp} 0 R>>>>`)} 0 R`)
    const inline = makePage(
      `q 20 0 0 20 10 10 cm BI /W 8/H 8/CS/G/BPC 8 ID ${samples.toString('latin1')} EI Q BT /F 12 Tf 10 100 Td ` +
        '(INLINE) Tj ET',
      writer => `/Font<</F ${writer.add('<</Type/Font/Subtype/Type1/BaseFont/Courier>>')} 0 R>>`,
    )
    for (const [file, count, word] of [
      [draft.write(), '1', 'PAGE 2'],
      [inline, '1', 'INLINE'],
    ] as const) {
      expect(findTraces(file, ['PixelsOfPictures'])).toEqual(['PixelsOfPictures'])
      const { bytes, headers } = await redact(file, { images: 'all' })
      expect(findTraces(bytes, ['PixelsOfPictures'])).toEqual([])
      expect(headers['X-Redactions-Applied']).toBe(count)
      expect((await readPageTexts(bytes)).join(' ')).toContain(word)
    }
  })
})

describe('replacement texts', () => {
  it('fill their boxes with repeatText, and appear once without it', async () => {
    const options = { areas: [{ page: 1, x: 50, y: 500, width: 300, height: 100, replacementText: 'GONE' }] }
    const count = async (more: object): Promise<number> =>
      (await readPageTexts((await redact(new Draft({ pages: 1 }).write(), { ...options, ...more })).bytes))
        .join('')
        .match(/GONE/g)?.length ?? 0
    expect(await count({})).toBe(1)
    const times = await count({ repeatText: true })
    expect(times).toBeGreaterThan(40)
    expect(await count({ repeatText: true, fontSize: 16 })).toBeLessThan(times / 2)
  })
})

describe('very many annotations', () => {
  it('are read a few times each', async () => {
    const draft = new Draft({ pages: 1 })
    for (let x = 10; x < 510; x++)
      draft.page(1).annotations.push(`<</Type/Annot/Subtype/Text/Contents(x)/Rect[${x} 10 ${x + 2} 12]>>`)
    const peek = vi.spyOn(PdfDocument.prototype, 'peek')
    expect((await redact(draft.write(), { areas: [area], search: [{ text: 'PAGE' }] })).warnings).toEqual([])
    expect(peek.mock.calls.length).toBeLessThan(500 * 145)
    peek.mockRestore()
  })

  it('are refused if they are too many', async () => {
    const draft = new Draft({ pages: 1 })
    const square = draft.pdf.add('<</Type/Annot/Subtype/Square/Rect[10 10 12 12]>>')
    draft.page(1).annotations = Array.from({ length: 100_001 }, () => `${square} 0 R`)
    await expect(redact(draft.write(), { areas: [area] })).rejects.toMatchObject({ reason: 'too_large' })
  })
})

describe('attached files', () => {
  it('stay with a warning, or are removed', async () => {
    const draft = new Draft({ pages: 1, salt: 'files' })
    addAttachments(draft, { 'secret.txt': 'AttachedSecret' })
    const file = draft.write()
    const kept = await redact(file, { areas: [area] })
    expect(kept.warnings).toEqual(['attachments-not-searched'])
    expect((await readPdf(kept.bytes)).attachments).toHaveLength(1)
    const removed = await redact(file, { areas: [area], attachments: 'remove' })
    expect(removed.warnings).toEqual([])
    expect(findTraces(removed.bytes, ['AttachedSecret'])).toEqual([])
  })

  it('are also those that other objects refer to', async () => {
    const draft = new Draft({ pages: 1, salt: 'files' })
    const data = draft.pdf.addStream('/Type/EmbeddedFile', 'AttachedSecret')
    const font = draft.pdf.add(
      `<</Type/Font/Subtype/Type1/BaseFont/Courier/AF[<</Type/Filespec/F(secret.txt)/EF<</F ${data} 0 R>>>>]>>`,
    )
    draft.page(1).entries.push(`/Q ${font} 0 R`)
    const file = draft.write()
    expect((await redact(file, { areas: [area], keepUnknown: true })).warnings).toEqual(['attachments-not-searched'])
    const removed = await redact(file, { areas: [area], attachments: 'remove' })
    expect(removed.warnings).toEqual([])
    expect(findTraces(removed.bytes, ['AttachedSecret'])).toEqual([])
  })
})

describe('the report', () => {
  it('is returned with the document and contains places, counts and file, but no text', async () => {
    const file = page('BT /F 10 Tf 14 TL 10 180 Td (cat catalog) Tj T* (jane@example.com) Tj ET')
    const { bytes, contentType, headers } = await redact(file, {
      areas: [{ page: 1, x: 10, y: 10, width: 20, height: 20 }],
      search: [{ text: 'cat' }, { preset: 'email' }],
      report: true,
    })
    expect(contentType).toBe('application/zip')
    const entries = readZip(bytes)
    const document = entries.find(({ name }) => name.endsWith('.pdf'))
    const text = entries.find(({ name }) => name === 'report.json')?.bytes.toString('utf8') ?? ''
    const report = JSON.parse(text) as {
      sha256: string
      redactionsApplied: number
      rules: object[]
      pages: { boxes: { by: string; x: number; width: number }[] }[]
    }
    expect(report).toMatchObject({
      file: document?.name,
      sha256: createHash('sha256')
        .update(document?.bytes ?? '')
        .digest('hex'),
      redactionsApplied: 4,
      verified: true,
      rules: [
        { rule: 'search[0]', matches: 2 },
        { rule: 'search[1]', matches: 1 },
      ],
    })
    expect(report.pages[0]?.boxes.map(({ by }) => by)).toEqual(['areas[0]', 'search[0]', 'search[0]', 'search[1]'])
    expect(report.pages[0]?.boxes[0]).toMatchObject({ x: 9.5, width: 21 })
    expect(text).not.toMatch(/jane|cat(?!ions)/)
    expect(headers['X-Redactions-Applied']).toBe('4')
    expect((await readPageTexts(document?.bytes ?? new Uint8Array())).join('').trim()).toBe('alog')
  })
})

describe('rasterize', () => {
  it('turns pages with areas, or all pages, into images with searchable text', async () => {
    const file = new Draft({ pages: 2, salt: 'raster' }).write()
    for (const [rasterize, bitmaps] of [
      ['pages', 1],
      ['all', 2],
    ] as const) {
      const { bytes } = await redact(file, { areas: [area], rasterize })
      expect((bytes.toString('latin1').match(/\/Subtype ?\/Image/g) ?? []).length).toBe(bitmaps)
      const texts = await readPageTexts(bytes)
      expect(texts[0]?.trim()).toBe('')
      expect(texts[1]).toContain('PAGE 2')
    }
  })
})
