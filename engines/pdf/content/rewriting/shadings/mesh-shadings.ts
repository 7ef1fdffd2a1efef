import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import type { Bounds } from '../../../geometry/geometry'
import { readNumbers } from '../../../geometry/read-numbers'
import * as Name from '../../../syntax/names'

/** The bounds of all possible points of a mesh, in its own space. Undefined if the shading isn't a mesh. */
export function meshBoundsOf(document: PdfDocument, value: PDFObject | undefined): Bounds | undefined {
  const [x1, x2, y1, y2] = readNumbers(document, document.peekDict(value)?.get(Name.Decode)) ?? []
  if (x1 === undefined || x2 === undefined || y1 === undefined || y2 === undefined) return undefined
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
}
