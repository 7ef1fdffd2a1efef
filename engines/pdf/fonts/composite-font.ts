import { PDFArray, PDFNumber } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readCMap } from './cmaps/cmap'
import { readGlyphBounds } from './font'
import type { FontMetrics } from './font'
import { readNumbers } from '../geometry/read-numbers'
import * as Name from '../syntax/names'

const OVERHANG = 0.08

/** Maximum number of glyphs listed in a width array. */
const MAX_LISTED = 200_000

/** Metrics of glyphs (ISO 32000-2, 9.7.4.3), listed for each glyph or for ranges of glyphs. */
export class GlyphValues {
  private readonly listed = new Map<number, number[]>()
  private readonly ranges: { first: number; last: number; values: number[] }[] = []

  /** `size` is the number of values for each glyph: 1 in /W, 3 in /W2. */
  constructor(document: PdfDocument, value: PDFObject | undefined, size: number) {
    const items = document.peekItems(value)
    for (let index = 0; index + 1 < items.length;) {
      const first = document.peekNumber(items[index]) ?? 0
      const next = document.peek(items[index + 1])
      if (next instanceof PDFArray) {
        const numbers = next.asArray().map(item => (document.peekNumber(item) ?? 0) / 1000)
        for (let at = 0; at + size <= numbers.length && this.listed.size < MAX_LISTED; at += size)
          this.listed.set(first + at / size, numbers.slice(at, at + size))
        index += 2
      } else if (next instanceof PDFNumber) {
        const values = items.slice(index + 2, index + 2 + size).map(item => (document.peekNumber(item) ?? 0) / 1000)
        if (values.length === size) this.addRange(first, next.asNumber(), values)
        index += 2 + size
      } else index += 2
    }
  }

  private addRange(first: number, last: number, values: number[]): void {
    if (last - first < 256 && this.listed.size < MAX_LISTED)
      for (let cid = first; cid <= last; cid++) this.listed.set(cid, values)
    else if (this.ranges.length < 1000) this.ranges.push({ first, last, values })
  }

  of(cid: number): number[] | undefined {
    return this.listed.get(cid) ?? this.ranges.find(({ first, last }) => cid >= first && cid <= last)?.values
  }
}

/** Reads a Type 0 font (ISO 32000-2, 9.7): codes of one to four bytes, horizontal or vertical. */
export function readCompositeFont(document: PdfDocument, dict: PDFDict): FontMetrics {
  const cmap = readCMap(document, dict.get(Name.Encoding))
  const descendants = document.peek(dict.get(Name.DescendantFonts))
  const descendant = document.peekDict(descendants instanceof PDFArray ? descendants.asArray()[0] : descendants)
  const descriptor = document.peekDict(descendant?.get(Name.FontDescriptor))
  const { bottom, top } = readGlyphBounds(document, descriptor, { isType1: false })
  const defaultWidth = (document.peekNumber(descendant?.get(Name.DW)) ?? 1000) / 1000
  const widths = new GlyphValues(document, descendant?.get(Name.W), 1)
  const [originY = 880, defaultAdvance = -1000] = readNumbers(document, descendant?.get(Name.DW2)) ?? []
  const verticals = cmap.isVertical ? new GlyphValues(document, descendant?.get(Name.W2), 3) : undefined
  const widthOf = (cid: number): number => widths.of(cid)?.[0] ?? defaultWidth
  const originOf = (cid: number): readonly [number, number] => {
    const [, x = widthOf(cid) / 2, y = originY / 1000] = verticals?.of(cid) ?? []
    return [x, y]
  }
  return {
    dict,
    isVertical: cmap.isVertical,
    isExact: cmap.knowsGlyphs,
    lengthAt: (bytes, at) => cmap.lengthAt(bytes, at),
    ...(verticals && { originOf: (code: number, length: number) => originOf(cmap.cidOf(code, length)) }),
    read(bytes, at, glyph) {
      const length = cmap.lengthAt(bytes, at)
      let code = 0
      for (let index = 0; index < length; index++) code = code * 256 + (bytes[at + index] as number)
      const cid = cmap.cidOf(code, length)
      const width = widthOf(cid)
      glyph.code = code
      glyph.length = length
      const [dx, dy] = verticals ? originOf(cid) : [0, 0]
      glyph.advance = verticals ? (verticals.of(cid)?.[0] ?? defaultAdvance / 1000) : width
      glyph.left = Math.min(0, width) - OVERHANG - dx
      glyph.right = Math.max(0, width) + OVERHANG - dx
      glyph.bottom = bottom - dy
      glyph.top = top - dy
    },
  }
}
