import { PDFArray, PDFDict } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { invertMatrix } from '../../pdf-core/geometry/matrix'
import type { Matrix } from '../../pdf-core/geometry/matrix'
import { fillCleared } from './fill-cleared-samples'
import { boundsOf, contains, mapCorners, overlap } from '../geometry/geometry'
import type { Bounds } from '../geometry/geometry'
import { readSampledFunction, writeSampledFunction } from './sampled-function'
import type { SampledFunction } from './sampled-function'
import * as Name from '../../pdf-core/syntax/names'

/** Of the room of a sample, what may reach out of an area that holds it on each side: sizes are rounded. */
const SLACK = 0.05

interface Place {
  /** Where the shading is defined, in its own space. */
  domain: Bounds
  /** From its own space to the user space of the page. */
  matrix: Matrix
  holes: readonly Bounds[]
}

/**
 * A function-based shading (ISO 32000-2, 8.7.4.5.2) without the samples that show only inside of holes: others around
 * them run on in their place. Gives a new shading, `same` when all samples stay, undefined when its functions aren't
 * sampled.
 */
export function cutShading(document: PdfDocument, shading: PDFDict, place: Place): PDFRef | 'same' | undefined {
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
  const copy = PDFDict.fromMapWithContext(new Map(shading.entries()), document.context)
  // One for each part.
  copy.set(Name.Function, list instanceof PDFArray ? document.context.obj(written) : (written[0] as PDFObject))
  return document.register(copy)
}

/** The samples of a function without those inside of holes; undefined when there are none inside. */
function cutSamples(sampled: SampledFunction, { domain, matrix, holes }: Place): Uint32Array | undefined {
  const [width = 0, height = 0] = sampled.sizes
  const columns = roomsAlong(sampled, 0, [domain.left, domain.right])
  const rows = roomsAlong(sampled, 1, [domain.bottom, domain.top])
  const inverse = invertMatrix(matrix)
  const isCleared = new Uint8Array(width * height)
  let count = 0
  for (const hole of inverse ? holes : []) {
    const near = boundsOf(mapCorners(inverse as Matrix, hole)) // holes are gone through only with an inverse
    const [across, up] = [meeting(columns, near.left, near.right), meeting(rows, near.bottom, near.top)]
    for (const row of up) {
      for (const column of across) {
        const at = row.index * width + column.index
        const room = { left: column.from, right: column.to, bottom: row.from, top: row.to }
        if (isCleared[at] || !contains(hole, boundsOf(mapCorners(matrix, room)))) continue
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

/** Where one sample of a row or a column is the nearest, along one input of the shading. */
interface Room {
  index: number
  from: number
  to: number
}

/** The rooms along an input; inputs beyond the function's domain belong to its outermost samples. */
function roomsAlong(
  { sizes, domain, encode }: SampledFunction,
  axis: number,
  [first, last]: readonly [number, number],
): Room[] {
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
  }).filter(room => room.to > room.from)
}

function meeting(rooms: readonly Room[], low: number, high: number): Room[] {
  return rooms.filter(({ from, to }) => to > low && from < high)
}

/** Whether any hole meets the place of a shading. */
export function meetsHoles(bounds: Bounds, holes: readonly Bounds[]): boolean {
  return holes.some(hole => overlap(bounds, hole))
}
