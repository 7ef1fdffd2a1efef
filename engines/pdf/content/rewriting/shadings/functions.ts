import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { decodeUpToLimit } from '../../../document/decode-content'
import type { PdfDocument } from '../../../document/document'
import { readCalculator } from './postscript-calculator'
import { clamp, evaluateSamples, readSampledFunction } from './sampled-function'
import * as Name from '../../../syntax/names'

const MOST_DEPTH = 8
const MOST_PARTS = 20_000

/** A PDF function (ISO 32000-2, 7.10). */
export interface PdfFunction {
  /** The values for these inputs. Undefined if the function has none. */
  evaluate(inputs: readonly number[]): number[] | undefined
  /** Inputs between which a function of one input is smooth. */
  knots: number[]
  /** Approximate number of steps for one evaluation. */
  cost: number
}

/** Reads a function, or an array of functions with one output each. Undefined if the value isn't a function. */
export function readFunction(document: PdfDocument, value: PDFObject | undefined, depth = 0): PdfFunction | undefined {
  const object = document.peek(value)
  if (depth > MOST_DEPTH) return undefined
  if (object instanceof PDFArray) return joinFunctions(readAll(document, object, depth))
  const dict = document.peekDict(object)
  switch (document.peekNumber(dict?.get(Name.FunctionType))) {
    case 0:
      return readSampled(document, object)
    case 2:
      return dict && readExponential(document, dict)
    case 3:
      return dict && readStitched(document, dict, depth)
    case 4:
      return dict && readProgram(document, dict, object)
    default:
      return undefined
  }
}

function readAll(document: PdfDocument, array: PDFArray | undefined, depth: number): (PdfFunction | undefined)[] {
  const items = array?.asArray() ?? []
  return items.length > MOST_PARTS ? [undefined] : items.map(item => readFunction(document, item, depth + 1))
}

function joinFunctions(parts: readonly (PdfFunction | undefined)[]): PdfFunction | undefined {
  const validParts = parts.filter(part => part !== undefined)
  if (validParts.length === 0 || validParts.length < parts.length) return undefined
  return {
    evaluate(inputs) {
      const values = validParts.map(part => part.evaluate(inputs))
      return values.every(value => value !== undefined) ? values.flat() : undefined
    },
    knots: validParts.flatMap(({ knots }) => knots),
    cost: validParts.reduce((sum, { cost }) => sum + cost, 0),
  }
}

function readSampled(document: PdfDocument, value: PDFObject | undefined): PdfFunction | undefined {
  const sampled = readSampledFunction(document, value)
  if (!sampled || sampled.sizes.length > 4) return undefined
  const [size = 1] = sampled.sizes
  const [[from = 0, to = 1], [first = 0, last = 0]] = [sampled.domain, sampled.encode]
  const knotAt = (index: number): number => from + ((index - first) / (last - first)) * (to - from)
  const knots = last === first ? [] : Array.from({ length: size }, (_, index) => knotAt(index))
  return { evaluate: inputs => evaluateSamples(sampled, inputs), knots, cost: 20 * sampled.outputs }
}

function readExponential(document: PdfDocument, dict: PDFDict): PdfFunction {
  const [from = 0, to = 1] = readList(document, dict.get(Name.Domain)) ?? []
  const [low, high] = [readList(document, dict.get(Name.C0)) ?? [0], readList(document, dict.get(Name.C1)) ?? [1]]
  const exponent = document.peekNumber(dict.get(Name.N)) ?? 1
  return {
    evaluate([input = 0]) {
      const power = clamp(input, from, to) ** exponent
      return low.map((value, index) => value + power * ((high[index] ?? 0) - value))
    },
    knots: [from, to],
    cost: 5 * low.length,
  }
}

function readStitched(document: PdfDocument, dict: PDFDict, depth: number): PdfFunction | undefined {
  const parts = readAll(document, document.peekArray(dict.get(Name.Functions)), depth).filter(
    part => part !== undefined,
  )
  const [from = 0, to = 1] = readList(document, dict.get(Name.Domain)) ?? []
  const bounds = readList(document, dict.get(Name.Bounds)) ?? []
  const encode = readList(document, dict.get(Name.Encode)) ?? []
  const count = document.peekArray(dict.get(Name.Functions))?.size()
  if (parts.length === 0 || parts.length !== count || bounds.length !== parts.length - 1) return undefined
  const edges = [from, ...bounds, to]
  return {
    evaluate([value = 0]) {
      const input = clamp(value, from, to)
      const after = bounds.findIndex(bound => input < bound)
      const index = after < 0 ? parts.length - 1 : after
      const [start = 0, end = 0, first = 0, last = 1] = [
        edges[index],
        edges[index + 1],
        encode[index * 2],
        encode[index * 2 + 1],
      ]
      return parts[index]?.evaluate([
        end === start ? first : first + ((input - start) / (end - start)) * (last - first),
      ])
    },
    knots: stitchKnots(parts, edges, encode),
    cost: bounds.length + Math.max(...parts.map(({ cost }) => cost)),
  }
}

/** The edges between the pieces, from both sides, and the knots of the pieces. */
function stitchKnots(parts: readonly PdfFunction[], edges: readonly number[], encode: readonly number[]): number[] {
  const tiny = Math.abs((edges.at(-1) ?? 1) - (edges[0] ?? 0)) * 1e-9
  return parts.flatMap(({ knots }, index) => {
    const [start = 0, end = 0, first = 0, last = 1] = [
      edges[index],
      edges[index + 1],
      encode[index * 2],
      encode[index * 2 + 1],
    ]
    const mappedKnots =
      last === first ? [] : knots.map(knot => start + ((knot - first) / (last - first)) * (end - start))
    return [start, ...mappedKnots.filter(knot => knot > start && knot < end), end - tiny]
  })
}

function readProgram(document: PdfDocument, dict: PDFDict, value: PDFObject | undefined): PdfFunction | undefined {
  const data = decodeUpToLimit(document, value)
  const program = data && readCalculator(Buffer.from(data).toString('latin1'))
  const [domain, range] = [readList(document, dict.get(Name.Domain)), readList(document, dict.get(Name.Range))]
  if (!program || !domain || !range) return undefined
  return {
    evaluate(inputs) {
      const inside = inputs.map((input, index) =>
        clamp(input, domain[index * 2] ?? input, domain[index * 2 + 1] ?? input),
      )
      const stack = program.run(inside)
      const values = stack?.slice(stack.length - range.length / 2).map(value => (Number.isFinite(value) ? value : 0))
      return values?.map((value, index) => clamp(value, range[index * 2] ?? 0, range[index * 2 + 1] ?? 1))
    },
    knots: [],
    cost: program.tokenCount,
  }
}

function readList(document: PdfDocument, value: PDFObject | undefined): number[] | undefined {
  return document
    .peekArray(value)
    ?.asArray()
    .map(item => document.peekNumber(item) ?? 0)
}
