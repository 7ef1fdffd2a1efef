import { PDFDict, PDFRawStream } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import { decodeUpToLimit } from '../../../document/decode-content'
import { deflatedStream } from '../../../document/deflated-stream'
import type { PdfDocument } from '../../../document/document'
import * as Name from '../../../syntax/names'

/** Entries that a function keeps if its samples change (ISO 32000-2, table 39). */
const KEPT = new Set([
  Name.FunctionType,
  Name.Domain,
  Name.Range,
  Name.Size,
  Name.BitsPerSample,
  Name.Encode,
  Name.Decode,
  Name.Order,
])

const SAMPLE_BITS = new Set([1, 2, 4, 8, 12, 16, 24, 32])

/** Maximum number of samples of one function. Far more than a page has pixels at screen resolution. */
const MOST_SAMPLES = 8_000_000

/** A type 0 function with its samples (ISO 32000-2, 7.10.2). */
export interface SampledFunction {
  stream: PDFRawStream
  /** Number of samples along each input. The first input varies fastest. */
  sizes: number[]
  bits: number
  outputs: number
  domain: number[]
  encode: number[]
  decode: number[]
  range: number[]
  /** Values from 0 to 2^bits − 1. The outputs of one grid point are adjacent. */
  samples: Uint32Array
}

/** Reads a type 0 function. Undefined for other types, invalid entries, and data that can't be decoded. */
export function readSampledFunction(document: PdfDocument, value: PDFObject | undefined): SampledFunction | undefined {
  const stream = document.peek(value)
  if (!(stream instanceof PDFRawStream) || document.peekNumber(stream.dict.get(Name.FunctionType)) !== 0)
    return undefined
  const list = (key: PDFName): number[] | undefined => {
    return document
      .peekArray(stream.dict.get(key))
      ?.asArray()
      .map(item => document.peekNumber(item) ?? 0)
  }
  const [domain, range, sizes] = [
    list(Name.Domain) ?? [],
    list(Name.Range) ?? [],
    (list(Name.Size) ?? []).map(Math.trunc),
  ]
  const bits = document.peekNumber(stream.dict.get(Name.BitsPerSample)) ?? 0
  const outputs = range.length / 2
  const count = sizes.reduce((product, size) => product * size, outputs)
  const hasSizes = sizes.length > 0 && sizes.every(size => size > 0) && domain.length === sizes.length * 2
  const isSound = hasSizes && outputs >= 1 && Number.isInteger(outputs)
  if (!isSound || !SAMPLE_BITS.has(bits) || count > MOST_SAMPLES) return undefined
  const data = decodeUpToLimit(document, stream)
  if (!data) return undefined
  const encode = list(Name.Encode) ?? []
  const decode = list(Name.Decode) ?? []
  return {
    stream,
    sizes,
    bits,
    outputs,
    domain,
    encode: encode.length === sizes.length * 2 ? encode : sizes.flatMap(size => [0, size - 1]),
    decode: decode.length === range.length ? decode : range,
    range,
    samples: unpack(data, count, bits),
  }
}

/** Writes the function with other samples. Keeps only the known entries of its stream. */
export function writeSampledFunction(
  document: PdfDocument,
  { stream, bits }: SampledFunction,
  samples: Uint32Array,
): PDFRawStream {
  const entries = new Map(stream.dict.entries().filter(([key]) => KEPT.has(key)))
  return deflatedStream(document, PDFDict.fromMapWithContext(entries, document.context), pack(samples, bits))
}

/** Evaluates the function by linear interpolation between samples. */
export function evaluateSamples(sampled: SampledFunction, inputs: readonly number[]): number[] {
  const { sizes, bits, outputs, domain, encode, decode, range, samples } = sampled
  const largestSample = 2 ** bits - 1
  let corners: { at: number; weight: number }[] = [{ at: 0, weight: 1 }]
  let stride = outputs
  for (const [axis, size] of sizes.entries()) {
    const [from = 0, to = 1, first = 0, last = 0] = [
      domain[axis * 2],
      domain[axis * 2 + 1],
      encode[axis * 2],
      encode[axis * 2 + 1],
    ]
    const input = clamp(inputs[axis] ?? 0, from, to)
    const place = clamp(to === from ? first : first + ((input - from) / (to - from)) * (last - first), 0, size - 1)
    const low = Math.min(Math.floor(place), size - 1)
    const part = place - low
    const step = stride
    corners = corners.flatMap(({ at, weight }) => {
      const [near, far] = [
        { at: at + low * step, weight: weight * (1 - part) },
        { at: at + (low + 1) * step, weight: weight * part },
      ]
      return part > 0 ? [near, far] : [near]
    })
    stride *= size
  }
  return Array.from({ length: outputs }, (_, output) => {
    const sum = corners.reduce((total, { at, weight }) => total + (samples[at + output] ?? 0) * weight, 0)
    const [from = 0, to = 1] = [decode[output * 2], decode[output * 2 + 1]]
    return clamp(from + (sum / largestSample) * (to - from), range[output * 2] ?? 0, range[output * 2 + 1] ?? 1)
  })
}

/** Limits a number to a range. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** Unpacks samples, which have no padding between them. If the data ends early, the rest is zeros. */
function unpack(data: Uint8Array, count: number, bits: number): Uint32Array {
  const samples = new Uint32Array(count)
  let at = 0
  for (let index = 0; index < count; index++) {
    let value = 0
    for (let remainingBits = bits; remainingBits > 0;) {
      const bitCount = Math.min(remainingBits, 8 - (at & 7))
      const part = ((data[at >> 3] ?? 0) >> (8 - (at & 7) - bitCount)) & ((1 << bitCount) - 1)
      value = value * 2 ** bitCount + part
      at += bitCount
      remainingBits -= bitCount
    }
    samples[index] = value
  }
  return samples
}

function pack(samples: Uint32Array, bits: number): Uint8Array {
  const data = new Uint8Array(Math.ceil((samples.length * bits) / 8))
  let at = 0
  for (const sample of samples) {
    for (let remainingBits = bits; remainingBits > 0;) {
      const bitCount = Math.min(remainingBits, 8 - (at & 7))
      const part = Math.floor(sample / 2 ** (remainingBits - bitCount)) & ((1 << bitCount) - 1)
      data[at >> 3] = (data[at >> 3] ?? 0) | (part << (8 - (at & 7) - bitCount))
      at += bitCount
      remainingBits -= bitCount
    }
  }
  return data
}
