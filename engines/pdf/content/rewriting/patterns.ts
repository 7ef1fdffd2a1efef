import { PDFDict, PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import type { Page } from '../../document/page-tree'
import { chainMatrices, invertMatrix, readMatrix } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import { TEXT_SHOWING_OPERATORS } from '../../syntax/content-operators'
import { ContentWalk } from '../walk/walk-content'
import type { FormXObjects } from './form-xobjects'
import { boundsOf, mapCorners } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'
import { readBounds } from '../../geometry/read-numbers'
import type { InterpreterState } from './interpreter-state'
import type { Shadings } from './shadings/shadings'
import * as Name from '../../syntax/names'
import { copyDict } from '../../document/object-copies'

const TILING = 1

/** Operators that draw text, images or form XObjects. */
const SHOWING = new Set([...TEXT_SHOWING_OPERATORS, 'Do', 'BI'])

/**
 * Rewrites patterns (ISO 32000-2, 8.7). A tiling pattern that appears once in the remaining area is rewritten like a
 * form XObject. If it repeats there, it stays, because any part of it may be visible in some tile. Shadings lose their
 * content under redaction areas if possible.
 */
export class Patterns {
  /** Copies of shading patterns with cut shadings, by the original pattern and the shading. */
  private readonly cutPatterns = new Map<PDFDict, Map<PDFRef, PDFRef>>()

  constructor(
    private readonly document: PdfDocument,
    private readonly forms: FormXObjects,
    private readonly shadings: Shadings,
  ) {}

  /** Returns the pattern to use instead. Undefined if the pattern doesn't change. */
  rewrite(scene: InterpreterState, value: PDFObject | undefined): PDFRef | undefined {
    const { document } = this
    const pattern = document.peek(value)
    if (pattern instanceof PDFDict) return this.cutShading(scene, pattern)
    if (!(pattern instanceof PDFRawStream) || document.peekNumber(pattern.dict.get(Name.PatternType)) !== TILING)
      return undefined
    const { area } = scene.filter
    const matrix = chainMatrices(readMatrix(document, pattern.dict.get(Name.Matrix)), scene.base)
    const isIndependentOfTile = scene.filter.hidesLayer !== undefined // layers are the same in every tile
    const tile = isIndependentOfTile ? matrix : area && this.onlyTile(pattern, matrix, area)
    const box = readBounds(document, pattern.dict.get(Name.BBox))
    // If the pattern repeats, it isn't known which tile shows which part.
    if (!tile && scene.filter.holes && this.saysSomething(value, scene.stream.page)) scene.filter.doubt?.()
    if (!tile || !box) return undefined
    // The pattern may be used again with another clipping path, so only its own box limits the visible part.
    const result = this.forms.rewrite({
      scene,
      form: pattern,
      value,
      matrix: tile,
      clip: boundsOf(mapCorners(tile, box)),
    })
    return result.isSame ? undefined : result.ref
  }

  /** The shading of a shading pattern. */
  shadingOf(value: PDFObject | undefined): PDFObject | undefined {
    const pattern = this.document.peek(value)
    return pattern instanceof PDFDict ? pattern.get(Name.Shading) : undefined
  }

  /** Removes the part of a shading pattern under redaction areas. Undefined if the pattern doesn't change. */
  private cutShading({ filter, base }: InterpreterState, pattern: PDFDict): PDFRef | undefined {
    const { document } = this
    const matrix = chainMatrices(readMatrix(document, pattern.get(Name.Matrix)), base)
    const shading = this.shadings.cutPattern({ filter, value: pattern.get(Name.Shading), matrix })
    if (!shading) return undefined
    const existing = this.cutPatterns.get(pattern)?.get(shading)
    if (existing) return existing
    const copy = copyDict(document, pattern)
    copy.set(Name.Shading, shading)
    const ref = document.register(copy)
    this.cutPatterns.set(pattern, (this.cutPatterns.get(pattern) ?? new Map<PDFRef, PDFRef>()).set(shading, ref))
    return ref
  }

  /** Returns whether a tiling pattern contains text, images, forms or detailed shadings, and not just a texture. */
  private saysSomething(pattern: PDFObject | undefined, page: Page): boolean {
    const { document, shadings } = this
    let isFound = false
    const walk = new ContentWalk(document, {
      operator(at) {
        const { reader, state } = at
        if (SHOWING.has(reader.operator)) isFound = true
        if (reader.operator === 'sh') isFound ||= shadings.saysSomething(at.resource('Shading', reader.name))
        if (reader.operator === 'scn' || reader.operator === 'SCN') {
          const dict = document.peek((reader.operator === 'scn' ? state.fill : state.stroke).pattern)
          if (dict instanceof PDFDict) isFound ||= shadings.saysSomething(dict.get(Name.Shading))
        }
      },
      enter: ({ kind }) => (isFound || kind === 'form' ? undefined : ''),
    })
    walk.readForm(pattern, page)
    return isFound
  }

  /** The matrix of the only visible tile in the area. Undefined if several are visible. */
  private onlyTile(pattern: PDFRawStream, matrix: Matrix, area: Bounds): Matrix | undefined {
    const { document } = this
    const inverse = invertMatrix(matrix)
    const box = readBounds(document, pattern.dict.get(Name.BBox))
    const xStep = Math.abs(document.peekNumber(pattern.dict.get(Name.XStep)) ?? 0)
    const yStep = Math.abs(document.peekNumber(pattern.dict.get(Name.YStep)) ?? 0)
    if (!inverse || !box || !(xStep > 0) || !(yStep > 0)) return undefined
    const visible = boundsOf(mapCorners(inverse, area))
    const [firstX, lastX] = [
      Math.floor((visible.left - box.right) / xStep) + 1,
      Math.ceil((visible.right - box.left) / xStep) - 1,
    ]
    const [firstY, lastY] = [
      Math.floor((visible.bottom - box.top) / yStep) + 1,
      Math.ceil((visible.top - box.bottom) / yStep) - 1,
    ]
    if (firstX < lastX || firstY < lastY) return undefined
    const isSeen = firstX === lastX && firstY === lastY
    return chainMatrices([1, 0, 0, 1, isSeen ? firstX * xStep : 0, isSeen ? firstY * yStep : 0], matrix)
  }
}
