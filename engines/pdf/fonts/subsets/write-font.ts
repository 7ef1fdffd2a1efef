import { PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { addDeflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import { PROGRAM_KEYS } from '../font-program'
import * as Name from '../../syntax/names'
import { copyDict } from '../../document/object-copies'

const key = (text: string): PDFName => PDFName.of(text)

/**
 * Returns an encoding dictionary (ISO 32000-2, table 112). If no code differs from the base encoding, returns the name
 * of the base encoding.
 */
export function writeEncoding(
  document: PdfDocument,
  { base, names }: { base: string | undefined; names: ReadonlyMap<number, string> },
): PDFObject | undefined {
  if (names.size === 0) return base === undefined ? undefined : key(base)
  const differences: PDFObject[] = []
  let next = -1
  for (const [code, name] of [...names].sort(([one], [other]) => one - other)) {
    if (code !== next) differences.push(PDFNumber.of(code))
    differences.push(key(name))
    next = code + 1
  }
  return document.context.obj({
    Type: 'Encoding',
    ...(base === undefined ? {} : { BaseEncoding: base }),
    Differences: differences,
  })
}

/** A font program to embed. */
export interface NewProgram {
  programKey: 'FontFile' | 'FontFile2' | 'FontFile3'
  bytes: Uint8Array
  dict: Record<string, string | number>
}

/**
 * Writes a copy of a font descriptor with another program. Replaces or removes /CharSet and /CIDSet, which list the
 * glyphs of the old program.
 */
export function writeDescriptor(
  document: PdfDocument,
  descriptor: PDFDict | undefined,
  {
    programKey,
    bytes,
    dict,
    flags,
    charSet,
    cidSet,
  }: NewProgram & { flags?: number; charSet?: string; cidSet?: Uint8Array },
): PDFRef {
  const copy = copyDict(document, descriptor)
  for (const name of PROGRAM_KEYS) copy.delete(name)
  copy.set(key(programKey), addDeflatedStream(document, bytes, dict))
  if (flags !== undefined) copy.set(Name.Flags, PDFNumber.of(flags))
  if (copy.has(Name.CharSet))
    copy.set(Name.CharSet, charSet === undefined ? PDFHexString.of('') : PDFString.of(charSet))
  if (copy.has(Name.CIDSet) && cidSet) copy.set(Name.CIDSet, addDeflatedStream(document, cidSet))
  else copy.delete(Name.CIDSet)
  return document.register(copy)
}

/** Writes a bit for each CID, including CID 0 (ISO 32000-2, table 122). */
export function writeCidSet(cids: Iterable<number>): Uint8Array {
  const all = [0, ...cids]
  const bits = new Uint8Array((all.reduce((most, cid) => Math.max(most, cid), 0) >> 3) + 1)
  for (const cid of all) bits[cid >> 3] = (bits[cid >> 3] ?? 0) | (0x80 >> (cid & 7))
  return bits
}
