import { withDocument } from './reader'

/** A visible character, and the box of its ink in points from the lower-left corner. */
export interface SeenCharacter {
  text: string
  left: number
  right: number
  bottom: number
  top: number
}

/** The characters of each page with their boxes, as PDFium reads them, in text order. Spaces are left out. */
export function readCharacters(pdf: Uint8Array): Promise<SeenCharacter[][]> {
  return withDocument(pdf, (pdfium, document) =>
    Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, pageIndex) => {
      const page = pdfium.FPDF_LoadPage(document, pageIndex)
      const text = pdfium.FPDFText_LoadPage(page)
      const place = pdfium.pdfium.wasmExports.malloc(32)
      const characters = Array.from({ length: pdfium.FPDFText_CountChars(text) }, (_character, index) => {
        pdfium.FPDFText_GetCharBox(text, index, place, place + 8, place + 16, place + 24)
        const [left = 0, right = 0, bottom = 0, top = 0] = [0, 8, 16, 24].map(offset =>
          pdfium.pdfium.getValue(place + offset, 'double'),
        )
        return { text: String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, index)), left, right, bottom, top }
      })
      pdfium.pdfium.wasmExports.free(place)
      pdfium.FPDFText_ClosePage(text)
      pdfium.FPDF_ClosePage(page)
      return characters.filter(
        ({ text: character, right, left }) =>
          !/^[\s\p{Default_Ignorable_Code_Point}]$/u.test(character) && right > left,
      )
    }),
  )
}

/** Neighboring characters in the text may touch, such as accents and kerned letters. */
const NEIGHBORS = 3

/** Pairs of characters that overlap by more than a third of the smaller one. */
export function findOverlaps(characters: readonly SeenCharacter[]): string[] {
  const overlaps: string[] = []
  for (const [index, one] of characters.entries()) {
    for (let at = index + NEIGHBORS; at < characters.length; at++) {
      const other = characters[at] ?? one
      if (other.bottom >= one.top || other.top <= one.bottom) continue
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const height = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom)
      if (width > 0 && height > 0 && width * height > Math.min(areaOf(one), areaOf(other)) / 3)
        overlaps.push(`${one.text} and ${other.text} at ${Math.round(one.left)}, ${Math.round(one.bottom)}`)
    }
  }
  return overlaps
}

function areaOf({ left, right, bottom, top }: SeenCharacter): number {
  return (right - left) * (top - bottom)
}
