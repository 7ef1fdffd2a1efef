import { PDFName } from 'pdf-lib'
import type { PageLabel, PdfDocument } from '../../pdf/document'
import { readPageLabels, writePageLabels } from '../../pdf/document'
import { writeText } from '../../pdf/syntax'
import * as Name from '../../pdf/names'
import { MOST_ROMAN, writeNumeral } from '../../options/numerals'
import type { NumeralStyle } from '../../options/numerals'

/** Style names in page labels (ISO 32000-2, table 161). */
const STYLE_NAMES: Record<NumeralStyle, string> = { decimal: 'D', roman: 'r', ROMAN: 'R', alpha: 'a', ALPHA: 'A' }

/** Page labels and Sheaf write the same letters up to z. Then labels have aa, bb (ISO 32000-2, table 161), Sheaf aa, ab. */
const LETTERS = 26

interface Labeled {
  pageIndex: number
  number: number
  style: NumeralStyle
  /** The whole label, if it isn't only a number. */
  text?: string
}

/** Sets page labels to the printed numbers. Other pages keep their label or their number in the file. */
export function labelPages(document: PdfDocument, pages: Iterable<Labeled>): void {
  const labels: PageLabel[] =
    readPageLabels(document) ??
    Array.from({ length: document.pageCount }, (_, index) => ({ style: Name.D, prefix: undefined, number: index + 1 }))
  for (const page of pages) labels[page.pageIndex] = labelOf(page)
  writePageLabels(document, labels)
}

/**
 * Creates a page label. Viewers differ in Roman numerals and letters beyond these limits, and labels can't contain 0.
 * In these cases the label is a fixed text.
 */
function labelOf({ number, style, text }: Labeled): PageLabel {
  const maxNumber = style === 'decimal' ? Infinity : style.toLowerCase() === 'roman' ? MOST_ROMAN : LETTERS
  if (text === undefined && number >= 1 && number <= maxNumber)
    return { style: PDFName.of(STYLE_NAMES[style]), prefix: undefined, number }
  return { style: undefined, prefix: writeText(text ?? writeNumeral(number, style)), number }
}
