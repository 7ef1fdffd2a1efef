import type { PDFDict } from 'pdf-lib'

/** A code of a font with the number of its bytes: codes of different lengths are different codes. */
export function keyOfCode(code: number, length: number): number {
  return code + length * 2 ** 32
}

/** The codes of glyphs that were removed, by the font that they were shown with. */
export class RemovedCodes {
  private readonly byFont = new Map<PDFDict, Set<number>>()

  add(font: PDFDict, code: number, length: number): void {
    const codes = this.byFont.get(font)
    if (codes) codes.add(keyOfCode(code, length))
    else this.byFont.set(font, new Set([keyOfCode(code, length)]))
  }

  [Symbol.iterator](): Iterator<[PDFDict, ReadonlySet<number>]> {
    return this.byFont.entries()
  }
}
