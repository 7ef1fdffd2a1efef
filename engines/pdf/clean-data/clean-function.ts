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

/** Shading types with a list of triangles and with a lattice of vertices (ISO 32000-2, table 77). */
const TRIANGLES = 4
const LATTICE = 5

/**
 * Numbers of points and colors of a patch with flag 0, by shading type: Coons patches and tensor-product patches. A
 * patch with another flag shares four points and two colors with the patch before.
 */
const PATCHES = new Map([
  [6, { points: 12, colors: 4 }],
  [7, { points: 16, colors: 4 }],
])

/** The number of bytes of all whole vertices, rows or patches of a mesh. Undefined if the entries make no sense. */
function lengthOfMesh(document: PdfDocument, dict: PDFDict, bytes: Uint8Array): number | undefined {
  const numberOf = (name: Parameters<PDFDict['get']>[0]): number => document.peekNumber(dict.get(name)) ?? 0
  const type = numberOf(Name.ShadingType)
  const flagBits = numberOf(PDFName.of('BitsPerFlag'))
  const coordinateBits = numberOf(PDFName.of('BitsPerCoordinate'))
  const componentBits = numberOf(Name.BitsPerComponent)
  const components = dict.has(Name.Function) ? 1 : readSampleSpace(document, dict.get(Name.ColorSpace)).components
  if (components === undefined || coordinateBits === 0 || componentBits === 0) return undefined
  const bytesOf = ({ points, colors }: { points: number; colors: number }, flagSize = flagBits): number =>
    Math.ceil((flagSize + points * 2 * coordinateBits + colors * components * componentBits) / 8)
  const vertex = { points: 1, colors: 1 }
  if (type === TRIANGLES) return wholes(bytes.length, bytesOf(vertex))
  if (type === LATTICE)
    return wholes(bytes.length, bytesOf(vertex, 0) * Math.max(1, numberOf(PDFName.of('VerticesPerRow'))))
  const patch = PATCHES.get(type)
  if (!patch || flagBits < 2 || flagBits > 8) return undefined
  const [whole, sharing] = [bytesOf(patch), bytesOf({ points: patch.points - 4, colors: patch.colors - 2 })]
  for (let at = 0; ;) {
    const flag = ((bytes[at] ?? 0) >> (8 - flagBits)) & 3
    const end = at + (flag === 0 ? whole : sharing)
    if (end > bytes.length) return at
    at = end
  }
}

/** The bytes of all items of `size` bytes that fit in a length. */
function wholes(length: number, size: number): number {
  return length - (length % size)
}
