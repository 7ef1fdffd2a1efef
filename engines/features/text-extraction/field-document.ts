import type { PDFDict } from 'pdf-lib'
import {
  annotationsOf,
  drawMissingAnnotations,
  flatten,
  isShown,
  removeAnnotations,
  subtypeOf,
} from '../../pdf/annotations'
import { drawMissingAppearances, FLAG, readFormFields } from '../../pdf/forms'
import type { PdfDocument } from '../../pdf/document'
import { forkDocument, reopenDocument } from '../../pdf/open'
import * as Name from '../../pdf/names'

/** Annotations whose text is part of the page. */
const WITH_TEXT = new Set(['Widget', 'FreeText'])

/**
 * Makes a copy of a document whose pages show form fields and free text only, as on screen and without password fields.
 * Also returns which pages at these positions (from 0) have some. Undefined if none has. The document doesn't change.
 */
export async function copyFields(
  document: PdfDocument,
  pageIndexes: readonly number[],
): Promise<{ document: PdfDocument; pageIndexes: number[] } | undefined> {
  const found = pageIndexes.filter(index => {
    const page = document.pages[index]
    return (
      page !== undefined &&
      annotationsOf(document, page).some(value => {
        const dict = document.peekDict(value)
        return dict !== undefined && isShown(document, value, 'screen') && showsText(document, dict)
      })
    )
  })
  if (found.length === 0) return undefined
  const copy = forkDocument(document)
  const shown = new Set(found)
  const secret = new Set<PDFDict | undefined>(
    readFormFields(copy)
      .filter(({ kind, flags }) => kind === 'text' && flags & FLAG.password)
      .flatMap(({ widgets }) => widgets.map(widget => copy.peekDict(widget))),
  )
  removeAnnotations(copy, {
    pages: new Set(copy.pages.keys()),
    matches: dict => secret.has(dict) || !showsText(copy, dict),
    follows: () => false,
  })
  await drawMissingAppearances(copy)
  await drawMissingAnnotations(copy, 'screen')
  for (const [index, page] of copy.pages.entries()) if (shown.has(index)) copy.edit(page.ref).delete(Name.Contents)
  flatten(copy, { forms: true, annotations: true, links: false, view: 'screen', keep: new Set() })
  // Fonts of new text are only complete in a written file.
  return { document: reopenDocument(copy), pageIndexes: found }
}

function showsText(document: PdfDocument, dict: PDFDict): boolean {
  return WITH_TEXT.has(subtypeOf(document, dict))
}
