import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { FormDraft, type Place } from '../../../fixtures/forms'
import { askProgram, hasProgram, qpdfComplaints } from '../../../support/other-programs'
import type { PdfDict } from '../../../support/pdf-syntax'
import { withPdfjs } from '../../../support/pdfjs-document'
import { renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'

/** The merged files of all tests, for qpdf. */
const results: Buffer[] = []

const placeOf = (row: number): Place => [60, 400 - 40 * row, 200, 24]

const FONT = '/Type/Font/Subtype/Type1/Encoding/WinAnsiEncoding'

const TEXT = 'Will Lillith'

/** A form whose resources name the font `name`, with every kind of default appearance that uses the font. */
function withFont(baseFont: string, { name = 'F1' } = {}): Buffer {
  const form = new FormDraft({ look: `/DA(/${name} 14 Tf 0 g)` })
  const { pdf } = form.draft
  const font = pdf.add(`<<${FONT}/BaseFont/${baseFont}>>`)
  const indirect = pdf.add(`(/${name} 12 Tf 1 0 0 rg)`)
  const hex = Buffer.from(`0 g /${name} 12 Tf`).toString('hex')
  form.field(`/FT/Tx/T(default)/V(${TEXT})`, placeOf(0))
  form.field(`/FT/Tx/T(own)/V(${TEXT})/DA<${hex}>`, placeOf(1))
  form.above(`/T(above)/FT/Tx/DA(/${name} 13 Tf)`, parent => {
    form.field(`${parent}/T(kid)/V(${TEXT})`, placeOf(2))
  })
  form.group(`/FT/Tx/T(group)/V(${TEXT})/DA(/${name} 10 Tf)`, [
    { place: placeOf(3) },
    { place: placeOf(4), entries: `/DA ${indirect} 0 R/DS(font: F1 12pt)/MK<</CA(/F1 9 Tf)>>` },
  ])
  const note = `/Subtype/FreeText/Rect[300 600 500 640]/Contents(${TEXT})/DA(/${name} 16 Tf)`
  form.draft.page(1).annotations.push(`<</Type/Annot${note}>>`)
  return form.write({ entries: '/NeedAppearances true', resources: `/Font<</${name} ${font} 0 R>>` })
}

interface Merged {
  bytes: Buffer
  strict: StrictPdf
  resources: PdfDict
  /** The base font of every font in the default resources. */
  fonts: Record<string, string | undefined>
}

async function merge(files: Buffer[], formFields = 'rename'): Promise<Merged> {
  const { bytes } = await runOn('merge-pdf', files, { formFields })
  const strict = readSound(bytes)
  results.push(bytes)
  const resources = strict.dict(strict.dict(strict.catalog.get('AcroForm')).get('DR'))
  const entries = [...strict.dict(resources.get('Font'))]
  const baseFonts = entries.map(([name, font]) => [name, strict.text(strict.dict(font).get('BaseFont'))] as const)
  const fonts = Object.fromEntries(baseFonts)
  return { bytes, strict, resources, fonts }
}

interface SeenAnnotation {
  defaultAppearanceData?: { fontName: string }
}

/** The base font of every annotation of a page with a default appearance, as PDF.js reads it. */
function fontsOf({ bytes, fonts }: Merged, number: number): Promise<(string | undefined)[]> {
  return withPdfjs(bytes, async document => {
    const annotations = (await (await document.getPage(number)).getAnnotations()) as SeenAnnotation[]
    return annotations.flatMap(({ defaultAppearanceData: look }) => (look ? [fonts[look.fontName]] : []))
  })
}

/** Pages that must look like the first page of another file. */
const alike: { bytes: Buffer; index: number; own: Buffer }[] = []

/** Compares a page with that of its own file, as PDFium draws them. PDFium creates missing appearances itself, as poppler does. */
async function expectAlike(bytes: Buffer, index: number, own: Buffer = Buffer.alloc(0)): Promise<void> {
  alike.push({ bytes, index, own })
  const draw = async (file: Buffer, at: number) => (await renderPage(file, at, { hasFields: true })).pixels
  expect((await draw(bytes, index)).equals(await draw(own, 0))).toBe(true)
}

function drawWithPoppler(bytes: Buffer, index: number): string {
  const page = String(index + 1)
  return askProgram('pdftoppm', bytes, path => ['-q', '-r', '36', '-gray', '-f', page, '-l', page, path])
}

/** A form with one field that has these entries. */
function withField(entries: string, resources: string, form = ''): Buffer {
  const draft = new FormDraft({ look: form })
  draft.field(`/FT/Tx/T(field)/V(${TEXT})${entries}`, placeOf(0))
  return draft.write({ resources })
}

const font = (baseFont: string): string => `<<${FONT}/BaseFont/${baseFont}>>`

/** The annotations of the second file's page. */
function secondAnnotations(strict: StrictPdf): PdfDict[] {
  return strict.array(strict.pages[1]?.dict.get('Annots')).map(value => strict.dict(value))
}

describe('default resources of merged forms', () => {
  for (const formFields of ['rename', 'share']) {
    it(`belong to their own file if files use one name for different resources (${formFields})`, async () => {
      const files = ['Helvetica', 'Courier', 'Times-Roman'].map(baseFont => withFont(baseFont))
      const merged = await merge(files, formFields)
      expect(merged.fonts).toEqual({ F1: 'Helvetica', F1_2: 'Courier', F1_3: 'Times-Roman' })
      for (const [index, own] of Object.values(merged.fonts).entries()) {
        expect(await fontsOf(merged, index + 1)).toEqual(Array.from({ length: 6 }, () => own))
        await expectAlike(merged.bytes, index, files[index])
      }
      expect(merged.bytes.toString('latin1').match(/DS\(font: F1 12pt\)|\/CA\(\/F1 9 Tf\)/g)).toHaveLength(6)
    })
  }

  it('keep one name for identical resources', async () => {
    const files = ['Helvetica', 'Courier', 'Helvetica', 'Courier'].map(baseFont => withFont(baseFont))
    const merged = await merge(files)
    expect(merged.fonts).toEqual({ F1: 'Helvetica', F1_2: 'Courier' })
    for (const number of [1, 2, 3, 4]) {
      const own = number % 2 ? 'Helvetica' : 'Courier'
      expect(new Set(await fontsOf(merged, number))).toEqual(new Set([own]))
    }
    const embedded = (glyph: string): Buffer => {
      const form = new FormDraft()
      const program = form.draft.pdf.addStream('', `program ${glyph}`)
      const descriptor = form.draft.pdf.add(`<</Type/FontDescriptor/FontName/A/FontFile ${program} 0 R>>`)
      form.field('/FT/Tx/T(a)/DA(/E 9 Tf)', placeOf(0))
      return form.write({ resources: `/Font<</E<<${FONT}/BaseFont/A/FontDescriptor ${descriptor} 0 R>>>>` })
    }
    expect(Object.keys((await merge([embedded('a'), embedded('a')])).fonts)).toEqual(['E'])
    expect(Object.keys((await merge([embedded('a'), embedded('b')])).fonts)).toEqual(['E', 'E_2'])
  })

  it('are found under names with escapes, and in strings of UTF-16', async () => {
    const files = ['Helvetica', 'Courier'].map(baseFont => withFont(baseFont, { name: 'F#311#23#20x' }))
    const merged = await merge(files)
    expect(Object.values(merged.fonts)).toEqual(['Helvetica', 'Courier'])
    await expectAlike(merged.bytes, 1, files[1])
    const wide = Buffer.from('/F1 12 Tf', 'utf16le').swap16().toString('hex')
    const second = withField(`/DA<FEFF${wide}>`, `/Font<</F1${font('Courier')}>>`)
    const { strict } = await merge([withFont('Helvetica'), second])
    expect(secondAnnotations(strict).map(dict => strict.text(dict.get('DA')))).toEqual(['/F1_2 12 Tf'])
  })

  it('get no name that another resource of the added file has', async () => {
    const second = withField('/DA(/F1 9 Tf)', `/Font<</F1${font('Courier')}/F1_2${font('Symbol')}>>`)
    const { fonts, strict } = await merge([withFont('Helvetica'), second])
    expect(fonts).toEqual({ F1: 'Helvetica', F1_3: 'Courier', F1_2: 'Symbol' })
    expect(strict.text(secondAnnotations(strict)[0]?.get('DA'))).toBe('/F1_3 9 Tf')
  })

  it('are renamed in every category by the objects that use them', async () => {
    const all = (value: string): string =>
      ['Font', 'ExtGState', 'ColorSpace', 'Pattern'].map(category => `/${category}<</N<<${value}>>>>`).join('')
    const look = '/DA(/N gs /Pattern cs /N scn /N CS /N 9 Tf /Other gs)'
    const { strict, resources } = await merge([withField(look, all('/A 1')), withField(look, all('/A 2'))])
    const expected = '/N_2 gs /Pattern cs /N_2 scn /N_2 CS /N_2 9 Tf /Other gs'
    expect(strict.text(secondAnnotations(strict)[0]?.get('DA'))).toBe(expected)
    expect([...resources.keys()].map(category => [...strict.dict(resources.get(category)).keys()])).toEqual(
      Array.from({ length: 4 }, () => ['N', 'N_2']),
    )
  })

  it('remain for appearances that have no resources of their own', async () => {
    const file = (baseFont: string): Buffer => {
      const form = new FormDraft()
      const bare = form.draft.pdf.addStream('/Subtype/Form/BBox[0 0 200 24]', `BT /F1 9 Tf (${TEXT}) Tj ET`)
      const plain = form.draft.pdf.addStream('/Subtype/Form/BBox[0 0 200 24]', '0 0 10 10 re f')
      form.field(`/FT/Tx/T(a)/AP<</N ${bare} 0 R/D<</On ${bare} 0 R/Off ${plain} 0 R>>>>`, placeOf(0))
      return form.write({ resources: `/Font<</F1${font(baseFont)}>>` })
    }
    const { strict } = await merge([file('Helvetica'), file('Courier')])
    const resourcesOf = (page: number): (PdfDict | undefined)[] => {
      const [annotation] = strict.array(strict.pages[page]?.dict.get('Annots')).map(value => strict.dict(value))
      const appearances = strict.dict(annotation?.get('AP'))
      const down = strict.dict(appearances.get('D'))
      return [appearances.get('N'), down.get('On'), down.get('Off')].map(value => {
        const stream = strict.dict(value)
        return stream.has('Resources') ? strict.dict(stream.get('Resources')) : undefined
      })
    }
    expect(resourcesOf(0)).toEqual([undefined, undefined, undefined])
    const [normal, on, off] = resourcesOf(1)
    const own = strict.dict(strict.dict(normal?.get('Font')).get('F1'))
    expect([strict.text(own.get('BaseFont')), on, off]).toEqual(['Courier', normal, undefined])
  })

  it('are added with annotations of a file without fields, and are repeated in the resources of a field', async () => {
    const draft = new Draft({ pages: 1 })
    const note = '/Subtype/FreeText/Rect[300 600 500 640]/DA(/F1 16 Tf)'
    draft.page(1).annotations.push(`<</Type/Annot${note}>>`)
    draft.catalog.push(`/AcroForm<</Fields[]/DR<</Font<</F1${font('Courier')}>>>>>>`)
    const merged = await merge([withFont('Helvetica'), draft.write()])
    expect(await fontsOf(merged, 2)).toEqual(['Courier'])
    expect(await fontsOf(await merge([new Draft({ pages: 1 }).write(), draft.write()]), 2)).toEqual(['Courier'])
    const field = withField('/DA(/F1 9 Tf)/DR<</Font<</F1<</Own true>>>>>>', `/Font<</F1${font('Courier')}>>`)
    const { strict } = await merge([withFont('Helvetica'), field])
    const own = strict.dict(strict.dict(secondAnnotations(strict)[0]?.get('DR')).get('Font'))
    expect([...own.keys()]).toEqual(['F1', 'F1_2'])
  })

  it('keep the alignment that the field inherited from its own form', async () => {
    const files = ['/Q 2', '', '/Q 1'].map(entry => withField('/DA(/F1 9 Tf)', `/Font<</F1${font('Courier')}>>`, entry))
    const alignments = await withPdfjs((await merge(files)).bytes, async document => {
      const pages = await Promise.all([1, 2, 3].map(number => document.getPage(number)))
      const annotations = await Promise.all(pages.map(page => page.getAnnotations()))
      return annotations.map(([field]) => (field as { textAlignment: number }).textAlignment)
    })
    // PDF.js ignores the form's entry for the first field.
    expect(alignments.slice(1)).toEqual([0, 1])
  })
})

it.skipIf(!hasProgram('qpdf'))('qpdf finds no problem in the merged files', () => {
  expect(results.flatMap(qpdfComplaints)).toEqual([])
})

it.skipIf(!hasProgram('pdftoppm'))('poppler (pdftoppm) draws the pages of merged files as in their own files', () => {
  for (const { bytes, index, own } of alike)
    expect(drawWithPoppler(bytes, index) === drawWithPoppler(own, 0)).toBe(true)
})
