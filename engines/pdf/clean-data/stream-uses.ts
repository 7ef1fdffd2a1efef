import { PDFArray, PDFDict, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import { findContentStreams } from '../content/content-streams'
import type { PdfDocument } from '../document/document'
import type { Reached } from '../document/reachable'
import { PROGRAM_KEYS } from '../fonts/font-program'
import { walkDictionaries } from '../document/walk-dictionaries'
import * as Name from '../syntax/names'

/** What a stream is for. It decides which bytes a reader needs. */
export type StreamUse =
  | 'content'
  | 'encoding'
  | 'file'
  | 'function'
  | 'image'
  | 'mesh'
  | 'packet'
  | 'profile'
  | 'program'
  | 'shared segments'
  | 'texts'

/** Uses by the key of the entry that refers to a stream. */
const BY_KEY: ReadonlyMap<PDFName, StreamUse> = new Map<PDFName, StreamUse>([
  [Name.ToUnicode, 'texts'],
  [Name.Encoding, 'encoding'],
  [Name.UseCMap, 'encoding'],
  [Name.DestOutputProfile, 'profile'],
  ...PROGRAM_KEYS.map((key): [PDFName, StreamUse] => [key, 'program']),
  [Name.JBIG2Globals, 'shared segments'],
  [Name.Metadata, 'packet'],
])

/** Finds what the reachable streams are for, by the entries that refer to them and by their own entries. */
export function findStreamUses(document: PdfDocument, reached: Reached): Map<PDFRef, StreamUse> {
  const uses = new Map<PDFRef, StreamUse>()
  const record = (value: PDFObject | undefined, use: StreamUse): void => {
    if (value instanceof PDFRef && document.peek(value) instanceof PDFRawStream) uses.set(value, use)
  }
  const streams: PDFRef[] = []
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    if (reached.isStream(slot)) streams.push(ref)
    const object = document.peek(ref)
    if (!object) continue
    recordProfiles(object, record)
    for (const dict of walkDictionaries(object)) {
      for (const [key, value] of dict.entries()) {
        const use = BY_KEY.get(key)
        if (use) record(value, use)
        if (key === Name.EF) for (const file of document.peekDict(value)?.values() ?? []) record(file, 'file')
      }
    }
  }
  for (const ref of streams) record(ref, ownUse(document, ref) ?? uses.get(ref) ?? 'file')
  for (const ref of findContentStreams(document, reached)) uses.set(ref, 'content')
  return uses
}

/** What the entries of a stream say about its use. */
function ownUse(document: PdfDocument, ref: PDFRef): StreamUse | undefined {
  const dict = document.peekDict(ref)
  if (!dict) return undefined
  if (document.peek(dict.get(Name.Subtype)) === Name.Image) return 'image'
  if (dict.has(Name.FunctionType)) return 'function'
  return dict.has(Name.ShadingType) ? 'mesh' : undefined
}

/** Records the profiles of color spaces, which are in arrays (ISO 32000-2, 8.6.5.5). */
function recordProfiles(object: PDFObject, record: (value: PDFObject | undefined, use: StreamUse) => void): void {
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFRawStream) stack.push(value.dict)
    else if (value instanceof PDFArray) {
      if (value.size() > 1 && value.get(0) === Name.ICCBased) record(value.get(1), 'profile')
      for (let index = 0; index < value.size(); index++) stack.push(value.get(index))
    } else if (value instanceof PDFDict)
      for (const item of value.values()) if (item instanceof PDFDict || item instanceof PDFArray) stack.push(item)
  }
}
