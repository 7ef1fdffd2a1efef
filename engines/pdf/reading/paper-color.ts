import { PDFArray, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { ColorUse } from '../content/walk/graphics-state'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'

/** Colors whose components are all at least this are paper. 1 is white. */
const PAPER = 0.98

/** In the lightness of Lab. 100 is white. */
const PAPER_LIGHTNESS = 98

/** Returns whether a color can't be seen on white paper. Colors that aren't known count as visible. */
export function isPaper(document: PdfDocument, { space, pattern, components }: ColorUse): boolean {
  if (pattern || components.length === 0) return false
  const family = familyOf(document, space)
  switch (family) {
    case 'additive':
      return components.every(component => component >= PAPER)
    case 'subtractive':
      return components.every(component => component <= 1 - PAPER)
    case 'lab':
      return (components[0] ?? 0) >= PAPER_LIGHTNESS
    default:
      return false
  }
}

/** How the components of a color space tell white (ISO 32000-2, 8.6). */
function familyOf(document: PdfDocument, space: PDFObject | undefined): 'additive' | 'subtractive' | 'lab' | undefined {
  const [first, second] = space instanceof PDFArray ? space.asArray() : [space]
  switch (document.peek(first)) {
    case Name.DeviceGray:
    case Name.DeviceRGB:
    case Name.CalGray:
    case Name.CalRGB:
      return 'additive'
    case Name.DeviceCMYK:
    case Name.Separation:
    case Name.DeviceN:
      return 'subtractive'
    case Name.Lab:
      return 'lab'
    case Name.ICCBased: {
      const profile = document.peek(second)
      const count = profile instanceof PDFRawStream ? document.peekNumber(profile.dict.get(Name.N)) : undefined
      return count === 4 ? 'subtractive' : 'additive'
    }
    default:
      return undefined
  }
}
