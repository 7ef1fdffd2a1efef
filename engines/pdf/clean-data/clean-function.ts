import { PDFName } from 'pdf-lib'
import type { PDFDict, PDFRawStream } from 'pdf-lib'
import { readSampleSpace } from '../content/rewriting/erasing/color-components'
import { writeCalculator } from '../content/rewriting/shadings/postscript-calculator'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { readNumbers } from '../geometry/read-numbers'
import { cleanEncoding, decodeGeneral } from './clean-encoding'
import * as Name from '../syntax/names'

/**
 * Returns a function with only what a reader computes with: the tokens of a calculator, or the samples that its sizes
 * need (ISO 32000-2, 7.10). Undefined if nothing changes.
 */
export function cleanFunction(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  if (!bytes) return undefined
  if (document.peekNumber(stream.dict.get(Name.FunctionType)) === 4)
    return deflatedStream(document, stream.dict, Buffer.from(writeCalculator(Buffer.from(bytes).toString('latin1'))))
  return cutAfter(document, stream, { bytes, length: lengthOfSamples(document, stream.dict) })
}

/** Returns a mesh (ISO 32000-2, 8.7.4.5.5 to 8.7.4.5.8) without bytes after its last vertex or patch. */
export function cleanMesh(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  return bytes && cutAfter(document, stream, { bytes, length: lengthOfMesh(document, stream.dict, bytes) })
}

function cutAfter(
  document: PdfDocument,
  stream: PDFRawStream,
  { bytes, length }: { bytes: Uint8Array; length: number | undefined },
): PDFRawStream | undefined {
  return length === undefined || length >= bytes.length
    ? cleanEncoding(document, stream)
    : deflatedStream(document, stream.dict, bytes.subarray(0, length))
}

/** The number of bytes of the samples (ISO 32000-2, 7.10.2). Undefined if an entry is missing. */
function lengthOfSamples(document: PdfDocument, dict: PDFDict): number | undefined {
  const sizes = readNumbers(document, dict.get(Name.Size))
  const range = readNumbers(document, dict.get(Name.Range))
  const bits = document.peekNumber(dict.get(Name.BitsPerSample))
  if (!sizes || !range || bits === undefined) return undefined
  return Math.ceil((sizes.reduce((product, size) => product * size, range.length / 2) * bits) / 8)
}

/** Numbers of points and colors of a patch with flag 0. A patch with another flag shares four points and two colors. */
const PATCHES = new Map([
  [6, { points: 12, colors: 4 }],
  [7, { points: 16, colors: 4 }],
])

function lengthOfMesh(document: PdfDocument, dict: PDFDict, bytes: Uint8Array): number | undefined {
  const numberOf = (name: Parameters<PDFDict['get']>[0]): number => document.peekNumber(dict.get(name)) ?? 0
  const kind = numberOf(Name.ShadingType)
  const [flag, coordinate, component] = [
    numberOf(PDFName.of('BitsPerFlag')),
    numberOf(PDFName.of('BitsPerCoordinate')),
    numberOf(Name.BitsPerComponent),
  ]
  const components = dict.has(Name.Function) ? 1 : readSampleSpace(document, dict.get(Name.ColorSpace)).components
  if (components === undefined || coordinate === 0 || component === 0) return undefined
  const sizeOf = (points: number, colors: number, flags: number): number =>
    Math.ceil((flags * flag + points * 2 * coordinate + colors * components * component) / 8)
  if (kind === 4) return wholes(bytes.length, sizeOf(1, 1, 1))
  if (kind === 5) return wholes(bytes.length, sizeOf(1, 1, 0) * Math.max(1, numberOf(PDFName.of('VerticesPerRow'))))
  const patch = PATCHES.get(kind)
  if (!patch || flag < 2 || flag > 8) return undefined
  const [whole, shared] = [sizeOf(patch.points, patch.colors, 1), sizeOf(patch.points - 4, patch.colors - 2, 1)]
  for (let at = 0; ;) {
    const isFirst = (((bytes[at] ?? 0) >> (8 - flag)) & 3) === 0
    const end = at + (isFirst ? whole : shared)
    if (end > bytes.length) return at
    at = end
  }
}

function wholes(length: number, size: number): number {
  return length - (length % size)
}
