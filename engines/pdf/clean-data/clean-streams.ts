import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { findReachable } from '../document/reachable'
import type { Reached } from '../document/reachable'
import { walkDictionaries } from '../document/walk-dictionaries'
import { findObjectsByName } from '../document/find-objects-by-name'
import { cleanEncodingCMap, cleanToUnicode } from './clean-cmap'
import { cleanEncoding, decodeGeneral } from './clean-encoding'
import { cleanFunction, cleanMesh } from './clean-function'
import { cleanImage } from './clean-image'
import { cleanInlineImages } from './clean-inline-images'
import { cleanJbig2 } from './clean-jbig2'
import { cutPalettes } from './clean-palettes'
import { cleanProgram } from './clean-program'
import { cleanProfile } from './clean-profile'
import { recodeImage } from './recode-image'
import { findStreamUses } from './stream-uses'
import type { StreamUse } from './stream-uses'
import * as Name from '../syntax/names'

type Spaces = ReadonlyMap<PDFObject, PDFObject>

type Clean = (document: PdfDocument, stream: PDFRawStream, spaces: Spaces) => PDFRawStream | undefined

/** What writes a stream anew, by its use. Each returns undefined if nothing changes. Images are apart. */
const CLEANERS: Readonly<Record<Exclude<StreamUse, 'image'>, Clean>> = {
  content: cleanContent,
  encoding: cleanEncodingCMap,
  file: cleanEncoding,
  function: cleanFunction,
  mesh: cleanMesh,
  packet: cleanEncoding,
  profile: cleanColorProfile,
  program: cleanProgram,
  'shared segments': cleanGlobals,
  texts: cleanToUnicode,
}

/**
 * Writes the data of all streams anew that has more than a reader needs: comments and other data in image files, bytes
 * after the end of data, comments of functions and CMaps, texts of color profiles, and colors after the last of a palette. What pages show doesn't change.
 * Halftones become the default of the device, because their dots could be any text. When the document is saved, all
 * objects are written anew, so that no comment and nothing between objects is copied. Returns the images that can't be
 * decoded. Their data stays.
 */
export async function cleanStreams(document: PdfDocument): Promise<PDFRef[]> {
  dropHalftones(document)
  cutPalettes(document)
  const unread: PDFRef[] = []
  const spaces = findSpaces(document)
  for (const [ref, use] of findStreamUses(document, findAll(document))) {
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream)) continue
    const written =
      use === 'image'
        ? (cleanImage(document, stream) ?? (await recodeImage(document, stream)))
        : (CLEANERS[use](document, stream, spaces) ?? stream)
    if (!written) unread.push(ref)
    if (!written || written === stream) continue
    written.dict.delete(Name.Length)
    document.store.set(ref, written)
  }
  // The writer copies only objects that nobody asked for to change.
  document.beforeSave(() => {
    const reached = findAll(document)
    for (const slot of reached.inOrder()) document.store.get(reached.refOf(slot))
  })
  return unread
}

function findAll(document: PdfDocument): Reached {
  const { rootRef, infoRef } = document
  return findReachable(document, infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber])
}

function cleanContent(document: PdfDocument, stream: PDFRawStream, spaces: Spaces): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  const written = bytes && cleanInlineImages(document, bytes, spaces)
  return written ? deflatedStream(document, stream.dict, written) : cleanEncoding(document, stream)
}

/** The color spaces in resources, by their names. Without names that stand for several color spaces. */
function findSpaces(document: PdfDocument): Spaces {
  const spaces = new Map<PDFObject, PDFObject>()
  const several = new Set<PDFObject>()
  for (const { object } of findObjectsByName(document, ['/ColorSpace']))
    for (const dict of walkDictionaries(object))
      for (const [name, value] of document.peekDict(dict.get(Name.ColorSpace))?.entries() ?? []) {
        const known = spaces.get(name)
        if (known && known !== value && String(document.peek(known)) !== String(document.peek(value))) several.add(name)
        spaces.set(name, value)
      }
  for (const name of several) spaces.delete(name)
  return spaces
}

/** Without a valid profile, readers use the alternate color space, so its bytes can go. */
function cleanColorProfile(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  return bytes && deflatedStream(document, stream.dict, cleanProfile(bytes) ?? new Uint8Array(0))
}

function cleanGlobals(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  const written = bytes && cleanJbig2(bytes, { isShared: true })
  return written && deflatedStream(document, stream.dict, written)
}

const DEFAULT = PDFName.of('Default')

/** Replaces halftones in graphics states (ISO 32000-2, table 57) by the default of the device. */
function dropHalftones(document: PdfDocument): void {
  for (const { ref, object } of findObjectsByName(document, ['/HT'])) {
    if (![...walkDictionaries(object)].some(dict => hasHalftone(document, dict))) continue
    const edited = document.store.get(ref)
    for (const dict of edited ? walkDictionaries(edited) : [])
      if (hasHalftone(document, dict)) dict.set(Name.HT, DEFAULT)
  }
}

function hasHalftone(document: PdfDocument, dict: PDFDict): boolean {
  const value = document.peekDict(dict.get(Name.HT))
  return value !== undefined && value.has(Name.HalftoneType)
}
