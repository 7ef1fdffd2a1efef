import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { decodeContent } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { readMatrix } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { ContentReader } from '../syntax/content-reader'
import type { FontMetrics } from './font'
import { boundsOf, mapCorners } from '../geometry/geometry'
import type { Bounds } from '../geometry/geometry'
import { readNumbers } from '../geometry/read-numbers'
import { readEncoding } from './simple-font'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'

const DEFAULT_MATRIX: Matrix = [0.001, 0, 0, 0.001, 0, 0]

/** Assumed bounds of a glyph without a bounding box, in ems. */
const AROUND: Bounds = { left: -0.5, bottom: -0.5, right: 1.5, top: 1.5 }

/** Reads a font whose glyphs are content streams (ISO 32000-2, 9.6.4). Here, an em is a unit of text space. */
export function readType3Font(document: PdfDocument, dict: PDFDict): FontMetrics {
  const matrix = readMatrix(document, dict.get(Name.FontMatrix), DEFAULT_MATRIX)
  const widths = document.peekArray(dict.get(Name.Widths))
  const first = document.peekNumber(dict.get(Name.FirstChar)) ?? 0
  const { names } = readEncoding(document, dict)
  const boxes = new Map<number, Bounds>()
  const boxOf = (code: number): Bounds => {
    return findOrAdd(boxes, code, () => {
      const box = measureGlyph(document, dict, names.get(code)) ?? fontBox(document, dict)
      return box ? boundsOf(mapCorners(matrix, box)) : AROUND
    })
  }
  return {
    dict,
    isVertical: false,
    isExact: true,
    procedureOf: code => names.get(code),
    read(bytes, at, glyph) {
      const code = bytes[at] as number
      const index = code - first
      glyph.code = code
      glyph.length = 1
      glyph.advance =
        (widths && index >= 0 && index < widths.size() ? (document.peekNumber(widths.get(index)) ?? 0) : 0) * matrix[0]
      Object.assign(glyph, boxOf(code))
    },
  }
}

/** The bounding box that a glyph's procedure sets with `d1`. Undefined if there is none. */
function measureGlyph(document: PdfDocument, dict: PDFDict, name: string | undefined): Bounds | undefined {
  const stream =
    name === undefined ? undefined : document.peek(document.peekDict(dict.get(Name.CharProcs))?.get(PDFName.of(name)))
  if (!(stream instanceof PDFRawStream)) return undefined
  const reader = new ContentReader(decodeContent(document, stream) ?? new Uint8Array(0))
  for (let count = 0; count < 20 && reader.next(); count++) {
    if (reader.operator === 'd0') return undefined
    if (reader.operator === 'd1')
      return usable([reader.number(3), reader.number(2), reader.number(1), reader.number(0)])
  }
  return undefined
}

function fontBox(document: PdfDocument, dict: PDFDict): Bounds | undefined {
  return usable(readNumbers(document, dict.get(Name.FontBBox)) ?? [])
}

function usable([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[]): Bounds | undefined {
  const box = { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
  return box.right > box.left && box.top > box.bottom ? box : undefined
}
