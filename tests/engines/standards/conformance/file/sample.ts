import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import { type Body, type Layout, PdfWriter } from '../../../../fixtures/pdf-writer'
import { validateFile } from '../../../../support/conformance'

/** What a test adds to a document with one page. */
export interface Sample {
  /** Entries of the catalog, the page and its resources. */
  catalog?: string
  page?: string
  resources?: string
  content?: string
  /** Further objects, from number 5. */
  objects?: Body[]
  trailer?: string
  layout?: Layout
  mediaBox?: string
}

/** Writes a document: catalog 1, pages 2, page 3, content 4. */
export function writeSample(sample: Sample = {}): Buffer {
  const { catalog = '', page = '', resources = '', content = 'q Q', objects = [], mediaBox = '0 0 200 200' } = sample
  const pdf = new PdfWriter()
  const root = pdf.add(`<</Type/Catalog/Pages 2 0 R${catalog}>>`)
  pdf.add('<</Type/Pages/Count 1/Kids[3 0 R]>>')
  pdf.add(`<</Type/Page/Parent 2 0 R/MediaBox[${mediaBox}]/Resources<<${resources}>>/Contents 4 0 R${page}>>`)
  pdf.addPlainStream('', content)
  for (const body of objects) pdf.add(body)
  return pdf.write({ root, layout: sample.layout, trailer: sample.trailer ?? '/ID[<AB><CD>]' })
}

/** Replaces text by text of the same length, so that all offsets stay. */
export function patch(bytes: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length || !bytes.includes(from, 0, 'latin1')) throw new Error(`can't replace ${from}`)
  return Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
}

/** The rules that a file breaks, such as `6.1.2-1`, and those that weren't decided, with a question mark. */
export function brokenRules(bytes: Uint8Array, profile: ProfileId): string[] {
  const { failures, undecided } = validateFile(bytes, profile)
  return [
    ...failures.map(({ clause, test }) => `${clause}-${test}`),
    ...undecided.map(({ clause, test }) => `${clause}-${test}?`),
  ]
}
