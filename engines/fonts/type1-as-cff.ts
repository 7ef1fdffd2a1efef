import { PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRawStream } from 'pdf-lib'
import { readEncoding } from '../content/fonts/simple-font'
import { findStandardMetrics } from '../content/fonts/standard-widths'
import { convertType1 } from '../font-programs/type1-to-cff/type1-to-cff'
import { addDeflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import { deflate } from '../pdf-core/filters/deflate'
import * as Name from '../pdf-core/syntax/names'
import { findOwners } from './font-owners'
import { openProgram } from './font-program'
import { findFormFonts, findProgram, PROGRAM_KEYS } from './font-spaces'
import { listAllFonts } from './shown-codes'
import { writeEncoding } from './write-font'

const [TYPE1, FONT_FILE3] = ['Type1', 'FontFile3'].map(text => PDFName.of(text)) as [PDFName, PDFName]

/** A Type 1 program that was added to the document as CFF. */
interface StoredProgram {
  stream: PDFRef
  /** Glyph names by code of the program's built-in encoding. */
  names: ReadonlyMap<number, string>
}

/**
 * Stores the Type 1 programs of simple fonts as CFF, which takes less space. Outlines, hints, glyph names and built-in
 * encodings stay. Programs that can't be converted safely, or that don't become smaller, stay as they are. Returns
 * whether any program changed.
 */
export function storeType1AsCff(document: PdfDocument): boolean {
  const refs = listAllFonts(document)
  const groups = new Map<PDFRawStream, PDFDict[]>()
  for (const font of new Set([...refs.keys(), ...findFormFonts(document)])) {
    const stream = findProgram(document, document.peekDict(font.get(Name.FontDescriptor)))?.stream
    if (stream) groups.set(stream, [...(groups.get(stream) ?? []), font])
  }
  const wanted = [...groups.values()].filter(fonts => fonts.every(font => isType1Font(document, font)))
  if (wanted.length === 0) return false
  const owners = findOwners(document, new Map(wanted.flat().map(font => [font, refs.get(font)])))
  let isChanged = false
  for (const fonts of wanted) {
    const [descriptor] = fonts.map(font => document.peekDict(font.get(Name.FontDescriptor)))
    const program = fonts.every(font => owners.has(font)) ? convertProgram(document, descriptor) : undefined
    if (!program) continue
    isChanged = true
    for (const font of fonts) {
      const owner = owners.get(font)
      if (owner) document.store.get(owner)
      const described = font.get(Name.FontDescriptor)
      if (described instanceof PDFRef) setProgram(document.edit(described), program)
      const encoding = completeEncoding(document, [font], program)
      if (encoding) font.set(Name.Encoding, encoding)
    }
  }
  return isChanged
}

/**
 * Stores the Type 1 program of a new font descriptor as CFF if that's possible and smaller. Changes the descriptor.
 * Returns the encoding that the fonts then need. Returns undefined if their encoding can stay.
 */
export function storeAsCff(
  document: PdfDocument,
  descriptor: PDFDict | undefined,
  fonts: readonly PDFDict[],
): PDFObject | undefined {
  const areType1 = fonts.every(font => isType1Font(document, font))
  const program = descriptor && areType1 ? convertProgram(document, descriptor) : undefined
  if (!descriptor || !program) return undefined
  setProgram(descriptor, program)
  return completeEncoding(document, fonts, program)
}

/** Returns the size of a stream's data in bytes, after compression. */
export function sizeOfProgram({ contents, dict }: PDFRawStream): number {
  return dict.has(Name.Filter) ? contents.length : deflate(contents).length
}

/** Returns whether a font is a Type 1 font and not a multiple master instance. The descriptor must be indirect. */
function isType1Font(document: PdfDocument, font: PDFDict): boolean {
  return document.peek(font.get(Name.Subtype)) === TYPE1 && font.get(Name.FontDescriptor) instanceof PDFRef
}

/** Adds the Type 1 program of a font descriptor as CFF. Returns undefined if that isn't possible or not smaller. */
function convertProgram(document: PdfDocument, descriptor: PDFDict | undefined): StoredProgram | undefined {
  const found = findProgram(document, descriptor)
  const opened = found?.key === 'FontFile' ? openProgram(document, found) : undefined
  const program = opened?.format === 'type1' ? opened.program : undefined
  const bytes = program && convertType1(program)
  if (!found || !bytes || deflate(bytes).length >= sizeOfProgram(found.stream)) return undefined
  const glyphs = new Set(program.names)
  return {
    stream: addDeflatedStream(document, bytes, { Subtype: 'Type1C' }),
    names: new Map([...program.encoding].filter(([, name]) => glyphs.has(name))),
  }
}

function setProgram(descriptor: PDFDict, { stream }: StoredProgram): void {
  for (const name of PROGRAM_KEYS) descriptor.delete(name)
  descriptor.set(FONT_FILE3, stream)
}

/**
 * Returns the encoding with which PDF.js reads the same text as before. For Type 1 programs, PDF.js reads the built-in
 * encoding. For text from CFF programs, it uses StandardEncoding or MacRomanEncoding instead. Leaves out codes that
 * have the same names in both. Returns undefined if the encoding of the fonts can stay.
 */
function completeEncoding(
  document: PdfDocument,
  fonts: readonly PDFDict[],
  { names: builtIn }: StoredProgram,
): PDFObject | undefined {
  const [font] = fonts
  if (!font || fonts.every(one => one.has(Name.ToUnicode))) return undefined
  const { base, names } = readEncoding(document, font)
  if (base !== undefined) return undefined
  const metrics = findStandardMetrics('Helvetica')
  const isPlain = (code: number, name: string): boolean =>
    ['StandardEncoding', 'MacRomanEncoding'].every(encoding => metrics?.nameOf(code, encoding) === name)
  const missing = [...builtIn].filter(([code, name]) => !names.has(code) && !isPlain(code, name))
  if (missing.length === 0) return undefined
  return writeEncoding(document, { base: undefined, names: new Map([...names, ...missing]) })
}
