import type { PDFDict } from 'pdf-lib'
import { openCff } from './programs/cff/cff'
import { readOwnEncoding } from './programs/type1/type1'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import type { OpenedProgram } from './font-program'
import { findProgram } from './font-program'

/**
 * Returns the glyph name of a code in the built-in encoding of a Type 1 or CFF program. Undefined for other programs.
 */
export function builtInName(opened: OpenedProgram | undefined, code: number): string | undefined {
  if (opened?.format === 'type1') return opened.program.encoding.get(code)
  if (opened?.format !== 'cff' || opened.program.isCid) return undefined
  const glyph = opened.program.glyphOfBuiltInCode(code)
  return glyph === undefined ? undefined : opened.program.nameOf(glyph)
}

/**
 * Returns the built-in encoding of the Type 1 or CFF program of a simple font (ISO 32000-2, 9.6.5). The result has
 * glyph names by code. Returns undefined for Type 1 programs with StandardEncoding, because readers know that encoding.
 * Also returns undefined for other formats, and for programs that can't be read.
 */
export function readBuiltInNames(
  document: PdfDocument,
  descriptor: PDFDict | undefined,
): ReadonlyMap<number, string> | undefined {
  const found = findProgram(document, descriptor)
  const bytes = found && found.key !== 'FontFile2' ? decodeUpToLimit(document, found.stream) : undefined
  if (!bytes) return undefined
  const builtIn = found?.key === 'FontFile' ? readOwnEncoding(bytes) : undefined
  if (builtIn) return builtIn.isStandard || builtIn.names.size === 0 ? undefined : builtIn.names
  const program = openCff(bytes)
  if (!program) return undefined
  const names = new Map<number, string>()
  for (let code = 0; code < 256; code++) {
    const name = builtInName({ format: 'cff', program }, code)
    if (name !== undefined) names.set(code, name)
  }
  return names.size === 0 ? undefined : names
}
