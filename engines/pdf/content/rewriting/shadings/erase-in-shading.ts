import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { invertMatrix } from '../../../geometry/matrix'
import type { Matrix } from '../../../geometry/matrix'
import { fillCleared } from './fill-cleared-samples'
import { boundsOf, contains, mapCorners, overlap } from '../../../geometry/geometry'
import type { Bounds } from '../../../geometry/geometry'
import { readSampledFunction, writeSampledFunction } from './sampled-function'
import type { SampledFunction } from './sampled-function'
import * as Name from '../../../syntax/names'
import { copyDict } from '../../../document/object-copies'

/** Fraction of a sample's cell that may extend beyond a hole on each side, because sizes are rounded. */
const SLACK = 0.05

interface Place {
  /** The domain of the shading, in its own space. */
  domain: Bounds
  /** Maps the shading's space to default user space of the page. */
  matrix: Matrix
  holes: readonly Bounds[]
}

/**
 * Removes the samples of a function-based shading (ISO 32000-2, 8.7.4.5.2) that are only visible inside holes. Fills
 * their places from the samples around them. Returns a new shading, or `same` if all samples stay. Undefined if the
 * functions aren't sampled.
 */
export function eraseInShading(document: PdfDocument, shading: PDFDict, place: Place): PDFRef | 'same' | undefined {
  const value = shading.get(Name.Function)
  const list = document.peek(value)
  const parts = (list instanceof PDFArray ? list.asArray() : [value]).map(part => readSampledFunction(document, part))
  const sampled = parts.filter(part => part?.sizes.length === 2).filter(part => part !== undefined)
  if (sampled.length === 0 || sampled.length < parts.length) return undefined
  const cut = sampled.map(part => cutSamples(part, place))
  if (cut.every(samples => samples === undefined)) return 'same'
  const written = sampled.map((part, index): PDFObject => {
    return document.register(writeSampledFunction(document, part, cut[index] ?? part.samples))
  })
  const copy = copyDict(document, shading)
  // There is one function for each part.
  copy.set(Name.Function, list instanceof PDFArray ? document.context.obj(written) : (written[0] as PDFObject))
  return document.register(copy)
}

/** Removes the samples inside holes. Undefined if there are none. */
function cutSamples(sampled: SampledFunction, { domain, matrix, holes }: Place): Uint32Array | undefined {
  const [width = 0, height = 0] = sampled.sizes
  const columns = cellsAlong(sampled, 0, [domain.left, domain.right])
  const rows = cellsAlong(sampled, 1, [domain.bottom, domain.top])
  const inverse = invertMatrix(matrix)
  const isCleared = new Uint8Array(width * height)
  let count = 0
  for (const hole of inverse ? holes : []) {
    const near = boundsOf(mapCorners(inverse as Matrix, hole)) // the loop runs only if there is an inverse
    const [across, up] = [meeting(columns, near.left, near.right), meeting(rows, near.bottom, near.top)]
    for (const row of up) {
      for (const column of across) {
        const at = row.index * width + column.index
        const cell = { left: column.from, right: column.to, bottom: row.from, top: row.to }
        if (isCleared[at] || !contains(hole, boundsOf(mapCorners(matrix, cell)))) continue
        isCleared[at] = 1
        count++
      }
    }
  }
  if (count === 0) return undefined
  const samples = Uint32Array.from(sampled.samples)
  fillCleared(samples, isCleared, { width, height, outputs: sampled.outputs })
  return samples
}

/** The cell of a sample: the range of one input of the shading in which this sample is the nearest. */
interface Cell {
  index: number
  from: number
  to: number
}

/** The cells along an input. The outermost samples extend to inputs beyond the function's domain. */
function cellsAlong(
  { sizes, domain, encode }: SampledFunction,
  axis: number,
  [first, last]: readonly [number, number],
): Cell[] {
  const size = sizes[axis] ?? 1
  const [from = 0, to = 1, start = 0, end = 0] = [
    domain[axis * 2],
    domain[axis * 2 + 1],
    encode[axis * 2],
    encode[axis * 2 + 1],
  ]
  const place = (sample: number): number => {
    return end === start
      ? Math.sign(sample - start) * Infinity
      : from + ((sample - start) / (end - start)) * (to - from)
  }
  return Array.from({ length: size }, (_, index) => {
    const edges = [index === 0 ? -Infinity : index - 0.5, index === size - 1 ? Infinity : index + 0.5].map(place)
    const [low, high] = [Math.min(...edges), Math.max(...edges)]
    const [left, right] = [Math.max(low <= from ? -Infinity : low, first), Math.min(high >= to ? Infinity : high, last)]
    const slack = (right - left) * SLACK
    return { index, from: left + slack, to: right - slack }
  }).filter(cell => cell.to > cell.from)
}

function meeting(cells: readonly Cell[], low: number, high: number): Cell[] {
  return cells.filter(({ from, to }) => to > low && from < high)
}

/** Returns whether any hole overlaps the bounds of a shading. */
export function meetsHoles(bounds: Bounds, holes: readonly Bounds[]): boolean {
  return holes.some(hole => overlap(bounds, hole))
}
