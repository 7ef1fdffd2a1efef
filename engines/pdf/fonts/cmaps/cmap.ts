import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { keyOfCode } from '../../content/code-keys'
import { decodeContent } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { readCMapFile } from './cmap-file'
import type { CMapFile, CodeSpace } from './cmap-file'
import { readPredefinedCMap } from './predefined-cmaps'
import * as Name from '../../syntax/names'

/** Splits the strings of a composite font into codes, and maps codes to glyphs (ISO 32000-2, 9.7.5). */
export interface CMap {
  isVertical: boolean
  /** Whether the mapping to glyphs is known. For CMaps that aren't embedded and that nobody knows, it isn't. */
  knowsGlyphs: boolean
  /** Length in bytes of the code at `at`. At least 1, and at most the number of remaining bytes. */
  lengthAt(bytes: Uint8Array, at: number): number
  /** The glyph (CID) of a code with this length in bytes. */
  cidOf(code: number, length: number): number
  /** Whether the code is known to have a glyph. */
  has(code: number, length: number): boolean
}

const IDENTITY = /^Identity-[HV]$/

/** CMaps of Adobe whose codes are CIDs, with supplements that no file here has. */
const IDENTITY_OF_COLLECTION = /^Adobe-(GB1|CNS1|Japan1|Japan2|Korea1|KR)-\d$/

/** Maximum length of a chain of CMaps that refer to others. */
const MAX_CHAIN = 8

/** Reads the CMap in a composite font's /Encoding, which is a name or a stream. */
export function readCMap(document: PdfDocument, value: PDFObject | undefined): CMap {
  const { layers, base } = readCMapLayers(document, value)
  return openLayers(layers, base === undefined ? undefined : findPredefined(base))
}

/** A CMap in a file, with those that it is based on. */
export interface CMapLayers {
  /** The CMaps, each followed by the one that it is based on. */
  layers: CMapFile[]
  /** The name of the CMap that the last one is based on. Undefined if there is none. */
  base: string | undefined
}

/** Reads a CMap that is a name or a stream, and the CMaps that it refers to. */
export function readCMapLayers(
  document: PdfDocument,
  value: PDFObject | undefined,
  decode: typeof decodeContent = decodeContent,
): CMapLayers {
  const layers: CMapFile[] = []
  let next = document.peek(value)
  while (layers.length < MAX_CHAIN && next instanceof PDFRawStream) {
    const stream: PDFRawStream = next
    const bytes = decode(document, stream)
    if (!bytes) break
    const file = readCMapFile(bytes)
    const mode = document.peekNumber(stream.dict.get(Name.WMode))
    layers.push(mode === undefined ? file : { ...file, writingMode: mode })
    const base: PDFObject | undefined = document.peek(stream.dict.get(Name.UseCMap))
    if (!base) return { layers, base: file.baseName }
    next = base
  }
  return { layers, base: next instanceof PDFName ? next.decodeText() : undefined }
}

/** A predefined CMap (ISO 32000-2, table 116). */
function findPredefined(name: string): CMap {
  const isVertical = name.endsWith('V')
  const layers = IDENTITY.test(name) ? undefined : readPredefinedCMap(name)
  if (layers) return openLayers(layers, undefined)
  if (IDENTITY.test(name) || IDENTITY_OF_COLLECTION.test(name)) {
    const lengthAt = (bytes: Uint8Array, at: number): number => Math.min(2, bytes.length - at)
    return { isVertical, knowsGlyphs: true, lengthAt, cidOf: code => code, has: () => true }
  }
  const length = lengthRule(name)
  return {
    isVertical,
    knowsGlyphs: false,
    lengthAt: (bytes, at) => Math.min(length(bytes, at), bytes.length - at),
    cidOf: () => 0,
    has: () => false,
  }
}

/** Returns the lengths of the codes of an unknown CMap. */
function lengthRule(name: string): (bytes: Uint8Array, at: number) => number {
  const first = (bytes: Uint8Array, at: number): number => bytes[at] as number
  // A surrogate pair has four bytes.
  if (/UTF16/.test(name)) return (bytes, at) => ((first(bytes, at) & 0xfc) === 0xd8 ? 4 : 2)
  if (/UTF32/.test(name)) return () => 4
  if (/UTF8/.test(name))
    return (bytes, at) => (first(bytes, at) < 0xc0 ? 1 : first(bytes, at) < 0xe0 ? 2 : first(bytes, at) < 0xf0 ? 3 : 4)
  return () => 2
}

function openLayers(layers: readonly CMapFile[], base: CMap | undefined): CMap {
  const spaces = layers.find(layer => layer.spaces.length > 0)?.spaces ?? []
  const mode = layers.find(layer => layer.writingMode !== undefined)?.writingMode
  const find = (key: number): number | undefined => {
    for (const { cids } of layers) {
      const index = cids.find(key)
      if (index >= 0) return cids.at(index).value + key - cids.at(index).low
    }
    return undefined
  }
  return {
    isVertical: mode === undefined ? (base?.isVertical ?? false) : mode === 1,
    knowsGlyphs: base?.knowsGlyphs ?? true,
    lengthAt: (bytes, at) => (spaces.length === 0 && base ? base.lengthAt(bytes, at) : matchSpace(spaces, bytes, at)),
    cidOf: (code, length) => find(keyOfCode(code, length)) ?? base?.cidOf(code, length) ?? 0,
    has: (code, length) => find(keyOfCode(code, length)) !== undefined || (base?.has(code, length) ?? false),
  }
}

/** The length of the first matching code space. Otherwise the shortest with a matching first byte (9.7.6.3). */
function matchSpace(spaces: readonly CodeSpace[], bytes: Uint8Array, at: number): number {
  const remainingBytes = bytes.length - at
  let partial = 0
  let shortest = 4
  for (const { low, high } of spaces) {
    const { length } = low
    shortest = Math.min(shortest, length)
    let matching = 0
    while (
      matching < Math.min(length, remainingBytes) &&
      (bytes[at + matching] as number) >= (low[matching] as number) &&
      (bytes[at + matching] as number) <= (high[matching] as number)
    )
      matching++
    if (matching === length) return length
    if (matching > 0 && (partial === 0 || length < partial)) partial = length
  }
  return Math.max(1, Math.min(remainingBytes, partial || (spaces.length ? shortest : 2)))
}
