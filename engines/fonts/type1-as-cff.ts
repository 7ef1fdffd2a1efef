import { PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFRawStream } from 'pdf-lib'
import { convertType1 } from '../font-programs/type1-to-cff/type1-to-cff'
import { addDeflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import { deflate } from '../pdf-core/filters/deflate'
import * as Name from '../pdf-core/syntax/names'
import { openProgram } from './font-program'
import { findFormFonts, findProgram, PROGRAM_KEYS } from './font-spaces'
import { listAllFonts } from './shown-codes'

const [TYPE1, FONT_FILE3] = ['Type1', 'FontFile3'].map(text => PDFName.of(text)) as [PDFName, PDFName]

/**
 * Stores the Type 1 programs of simple fonts as CFF, which takes less space. Outlines, hints, glyph names and built-in
 * encodings stay. Programs that can't be converted safely, or that don't become smaller, stay as they are. Returns
 * whether any program changed.
 */
export function storeType1AsCff(document: PdfDocument): boolean {
  const uses = new Map<PDFRawStream, { descriptors: Set<PDFRef>; areAllType1: boolean }>()
  for (const font of new Set([...listAllFonts(document).keys(), ...findFormFonts(document)])) {
    const descriptor = font.get(Name.FontDescriptor)
    const stream = findProgram(document, document.peekDict(descriptor))?.stream
    if (!stream) continue
    const use = uses.get(stream) ?? { descriptors: new Set(), areAllType1: true }
    uses.set(stream, use)
    if (isType1Font(document, font) && descriptor instanceof PDFRef) use.descriptors.add(descriptor)
    else use.areAllType1 = false
  }
  let isChanged = false
  for (const { descriptors, areAllType1 } of uses.values()) {
    const [first] = descriptors
    const cff = first && areAllType1 ? convertProgram(document, document.peekDict(first)) : undefined
    if (!cff) continue
    for (const descriptor of descriptors) setProgram(document.edit(descriptor), cff)
    isChanged = true
  }
  return isChanged
}

/** Stores the Type 1 program of a font descriptor as CFF if that's possible and smaller. Changes the descriptor. */
export function storeAsCff(document: PdfDocument, descriptor: PDFDict): void {
  const cff = convertProgram(document, descriptor)
  if (cff) setProgram(descriptor, cff)
}

/** Returns whether a font is a simple one of Type 1, and not a multiple master instance. */
export function isType1Font(document: PdfDocument, font: PDFDict): boolean {
  return document.peek(font.get(Name.Subtype)) === TYPE1
}

/** The size of a stream's data once it is deflated. */
export function sizeOfProgram({ contents, dict }: PDFRawStream): number {
  return dict.has(Name.Filter) ? contents.length : deflate(contents).length
}

/** Adds the Type 1 program of a font descriptor as CFF. Undefined if that isn't possible or not smaller. */
function convertProgram(document: PdfDocument, descriptor: PDFDict | undefined): PDFRef | undefined {
  const program = findProgram(document, descriptor)
  const opened = program?.key === 'FontFile' ? openProgram(document, program) : undefined
  const bytes = opened?.format === 'type1' ? convertType1(opened.program) : undefined
  if (!program || !bytes || deflate(bytes).length >= sizeOfProgram(program.stream)) return undefined
  return addDeflatedStream(document, bytes, { Subtype: 'Type1C' })
}

function setProgram(descriptor: PDFDict, program: PDFRef): void {
  for (const name of PROGRAM_KEYS) descriptor.delete(name)
  descriptor.set(FONT_FILE3, program)
}
