import { PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { annotationsOf } from './annotations'
import type { PdfDocument } from './document'
import type { Page } from './page-tree'

const FIELDS = PDFName.of('Fields')
const KIDS = PDFName.of('Kids')
const ANNOTS = PDFName.of('Annots')

/** A dictionary for looking, and a way to get it for changing. */
export interface Holder {
  dict: PDFDict
  edit(): PDFDict
}

/** What one file brings of fields and annotations: its form, if it has one, and its pages. */
export class FormPart {
  constructor(
    private readonly document: PdfDocument,
    readonly form: PDFDict | undefined,
    readonly pages: readonly Page[],
  ) {}

  /** Every field in the form's tree and every annotation on the pages, each of them once. */
  *holders(): Generator<Holder> {
    const { document } = this
    const visited = new Set<PDFDict>()
    const stack: PDFObject[] = document.peekArray(this.form?.get(FIELDS))?.asArray().slice() ?? []
    for (let value = stack.pop(); value; value = stack.pop()) {
      const dict = document.peekDict(value)
      if (!(value instanceof PDFRef) || !dict || visited.has(dict)) continue
      visited.add(dict)
      for (const kid of document.peekArray(dict.get(KIDS))?.asArray() ?? []) stack.push(kid)
      const ref = value
      yield { dict, edit: () => document.edit(ref) }
    }
    for (const page of this.pages) {
      for (const annotation of annotationsOf(document, page)) {
        const dict = document.peekDict(annotation)
        if (!dict || visited.has(dict)) continue
        visited.add(dict)
        const isDirect = !(annotation instanceof PDFRef)
        yield { dict, edit: () => (isDirect ? this.editDirect(page, dict) : document.edit(annotation)) }
      }
    }
  }

  /** An annotation that stands in its page's list itself. */
  private editDirect(page: Page, annotation: PDFDict): PDFDict {
    const list = page.dict.get(ANNOTS)
    if (list instanceof PDFRef) this.document.store.get(list)
    else this.document.edit(page.ref)
    return annotation
  }
}
