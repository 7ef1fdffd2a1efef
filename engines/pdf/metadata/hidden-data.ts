import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { isEngineError } from '../../errors'
import { annotationsOf } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import { decodeStream } from '../filters/filters'
import { stripJp2 } from '../images/jp2'
import { stripJpeg } from '../images/jpeg'
import { stringBytes } from '../document/name-tree'
import { findObjectsByName } from '../document/find-objects-by-name'
import { EntryReader } from '../syntax/dictionary-bytes'
import { walkDictionaries } from '../document/walk-dictionaries'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

const DATES = ['CreationDate', 'ModDate', 'Mac'].map(name => PDFName.of(name))
/** All parameters of an embedded file (ISO 32000-2, table 45). */
const FILE_PARAMETERS = [...DATES, ...['Size', 'CheckSum'].map(name => PDFName.of(name))]
/** Entries that pdfTeX adds about included files: their paths and information dictionaries. */
const PTEX = ['PTEX.FileName', 'PTEX.InfoDict', 'PTEX.PageNumber'].map(name => PDFName.of(name))
/** Name trees with the URLs and digests of captured web pages (ISO 32000-2, 14.10). */
const CAPTURES = ['SpiderInfo', 'IDS', 'URLS'].map(name => PDFName.of(name))
const [OPI, REF, NAME, ID, INFO] = ['OPI', 'Ref', 'Name', 'ID', 'Info'].map(name => PDFName.of(name))
/** Dates of an annotation's creation and last change (ISO 32000-2, tables 166 and 172). */
const ANNOTATION_DATES = ['M', 'CreationDate'].map(name => PDFName.of(name))

/** The names that `isMetadata` and `isOrigin` look for, or how they begin. */
const METADATA_WORDS = [
  ...['/Metadata', '/PieceInfo', '/LastModified', '/Thumb', '/CreationDate', '/ModDate', '/Mac', '/PTEX.'],
  ...['/OPI', '/Ref', '/Name', '/ID', '/Info', '/SpiderInfo', '/URLS'],
]

/** Returns whether to remove an entry of a dictionary. */
type Rule = (document: PdfDocument, owner: PDFDict, key: PDFName, value: PDFObject) => boolean

/**
 * Removes data about how and when objects were created: their XMP, private data of applications, thumbnails,
 * modification dates, dates of embedded files and annotations, source files of form XObjects and images, URLs of
 * captured web pages, and comments on output intents. The value must have the right type, so that resources with such a
 * name stay.
 */
export function removeObjectMetadata(document: PdfDocument): void {
  removeEntries(
    document,
    METADATA_WORDS,
    (owningDocument, owner, key, value) =>
      isMetadata(owningDocument, owner, key, value) || isOrigin(owningDocument, owner, key, value),
  )
  removeAnnotationDates(document)
}

function removeAnnotationDates(document: PdfDocument): void {
  for (const page of document.pages) {
    for (const value of annotationsOf(document, page)) {
      if (surelyLacks(document, value, ['M', 'CreationDate'])) continue
      const dict = document.peekDict(value)
      const dates = ANNOTATION_DATES.filter(key => stringBytes(document.peek(dict?.get(key))) !== undefined)
      if (!dict || dates.length === 0) continue
      // To change a direct annotation, edit its page, or the page's indirect array of annotations.
      const list = page.dict.get(Name.Annots)
      if (!(value instanceof PDFRef)) document.store.get(list instanceof PDFRef ? list : page.ref)
      const edited = value instanceof PDFRef ? document.edit(value) : dict
      for (const key of dates) edited.delete(key)
    }
  }
}

const reader = new EntryReader()

/** Returns true if an object has none of these entries. False if only parsing the object can tell. */
function surelyLacks(document: PdfDocument, value: PDFObject, keys: readonly string[]): boolean {
  const place = value instanceof PDFRef ? document.store.locate(value) : undefined
  if (!place || !reader.open(place.bytes, place.start, place.end)) return false
  while (reader.next()) if (keys.some(key => reader.isKey(key))) return false
  return reader.isComplete
}

/** The names of entries that associate files (ISO 32000-2, 14.13). */
const ASSOCIATIONS = ['AF', 'MCAF']

/** Removes all references to associated files. */
export function removeAssociatedFiles(document: PdfDocument): void {
  removeEntries(document, associationWords, isAssociation)
}

/** Returns whether any object has associated files: a page, an image, a structure element, or another one. */
export function hasAssociatedFiles(document: PdfDocument): boolean {
  return findObjectsByName(document, associationWords).some(({ object }) => hasEntry(document, object, isAssociation))
}

const associationWords = ASSOCIATIONS.map(name => `/${name}`)

function isAssociation(document: PdfDocument, _owner: PDFDict, key: PDFName, value: PDFObject): boolean {
  return (
    ASSOCIATIONS.includes(key.decodeText()) &&
    (document.peek(value) instanceof PDFArray || isFileSpecification(document, value))
  )
}

/** Removes every action that runs JavaScript, and the scripts of rendition actions. */
export function removeScripts(document: PdfDocument): void {
  const isScript = (value: PDFObject | undefined): boolean => {
    const dict = document.peek(value)
    return dict instanceof PDFDict && document.peekName(dict.get(Name.S)) === 'JavaScript'
  }
  const words = ['/JavaScript', '/JS']
  for (const { ref, object } of findObjectsByName(document, words)) if (isScript(object)) document.store.delete(ref)
  const holdsScript = (value: PDFObject): boolean =>
    isScript(value) || (value instanceof PDFArray && value.asArray().some(isScript))
  removeEntries(
    document,
    words,
    (_document, owner, key, value) =>
      holdsScript(value) || (key === Name.JS && document.peekName(owner.get(Name.S)) === 'Rendition'),
  )
}

/** Functions that remove metadata from image data, by the filter of the image. */
const STRIPPERS: ReadonlyMap<string | undefined, (bytes: Uint8Array) => Uint8Array | undefined> = new Map([
  ['DCTDecode', stripJpeg],
  ['DCT', stripJpeg],
  ['JPXDecode', stripJp2],
])

/** Removes EXIF, XMP, IPTC and comments from JPEG and JPEG 2000 images. The image data doesn't change. */
export function stripImages(document: PdfDocument): void {
  for (const { ref, object } of findObjectsByName(document, ['/DCT', '/JPX'])) {
    if (!(object instanceof PDFRawStream) || document.peek(object.dict.get(Name.Subtype)) !== Name.Image) continue
    const plain = withLastFilter(document, object)
    const stripped = STRIPPERS.get(document.peekName(plain.dict.get(Name.Filter)))?.(plain.contents)
    if (!stripped && plain.contents === object.contents) continue
    const dict = copyDict(document, plain.dict)
    dict.delete(Name.Length)
    document.store.set(ref, PDFRawStream.of(dict, stripped ?? plain.contents))
  }
}

/**
 * Decodes all filters of an image except the last one. Returns the image unchanged if it has only one filter, or if the
 * last filter has no stripper.
 */
function withLastFilter(document: PdfDocument, image: PDFRawStream): PDFRawStream {
  const { dict, contents } = image
  const filters =
    document
      .peekArray(dict.get(Name.Filter))
      ?.asArray()
      .map(filter => document.peek(filter)) ?? []
  const last = filters.at(-1)
  if (!last || !STRIPPERS.has(document.peekName(last))) return image
  const parameters = document.peekItems(dict.get(Name.DecodeParms))
  const entries = new Map(dict.entries())
  for (const key of [Name.Filter, Name.DecodeParms, Name.Length]) entries.delete(key)
  const leadingFilters = PDFDict.fromMapWithContext(new Map(entries), document.context)
  leadingFilters.set(Name.Filter, document.context.obj(filters.slice(0, -1)))
  leadingFilters.set(Name.DecodeParms, document.context.obj(parameters.slice(0, filters.length - 1)))
  let bytes: Uint8Array | undefined
  try {
    bytes =
      filters.length === 1
        ? contents
        : decodeStream(leadingFilters, contents, value => document.peek(value), document.limits.maxStreamBytes)
  } catch (error) {
    if (!isEngineError(error)) throw error // too large: keep the image unchanged
  }
  if (!bytes) return image
  entries.set(Name.Filter, last)
  const lastParameters = parameters[filters.length - 1]
  if (lastParameters && document.peek(lastParameters) instanceof PDFDict) entries.set(Name.DecodeParms, lastParameters)
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), bytes)
}

function isMetadata(document: PdfDocument, owner: PDFDict, key: PDFName, value: PDFObject): boolean {
  const object = document.peek(value)
  if (key === Name.Metadata)
    return (
      object === undefined ||
      (object instanceof PDFStream &&
        ![Name.Image, Name.Form].some(kind => document.peek(object.dict.get(Name.Subtype)) === kind) &&
        !isNumbered(object.dict))
    )
  // /PieceInfo has the data of applications by their names (ISO 32000-2, table 350).
  if (key === Name.PieceInfo)
    return (
      object === undefined ||
      (object instanceof PDFDict && object.values().every(item => document.peek(item) instanceof PDFDict))
    )
  if (key === Name.LastModified) return stringBytes(object) !== undefined
  if (key === Name.Thumb)
    return (
      object === undefined ||
      (object instanceof PDFStream && ['Contents', 'MediaBox', 'Parent'].some(name => owner.has(PDFName.of(name))))
    )
  if (DATES.includes(key)) return owner.keys().every(ownerKey => FILE_PARAMETERS.includes(ownerKey))
  return PTEX.includes(key)
}

/** Returns whether an entry states the origin of an object without affecting its appearance. */
function isOrigin(document: PdfDocument, owner: PDFDict, key: PDFName, value: PDFObject): boolean {
  const object = document.peek(value)
  const kind = document.peek(owner.get(Name.Subtype))
  const isDrawing = kind === Name.Image || kind === Name.Form
  if (key === OPI || key === REF) return isDrawing && (object === undefined || object instanceof PDFDict)
  if (key === NAME) return isDrawing && object instanceof PDFName
  if (key === ID)
    return (
      stringBytes(object) !== undefined && (kind === Name.Image || owner.has(Name.MediaBox) || owner.has(Name.Contents))
    )
  if (key === INFO) return owner.has(Name.OutputConditionIdentifier) && stringBytes(object) !== undefined
  const isRoot = owner === document.catalog || owner === document.peekDict(document.catalog.get(Name.Names))
  return CAPTURES.includes(key) && isRoot
}

/** Returns whether the stream is a function, a shading or a pattern. Metadata streams never are. */
function isNumbered(dict: PDFDict): boolean {
  return ['FunctionType', 'ShadingType', 'PatternType'].some(name => dict.has(PDFName.of(name)))
}

function isFileSpecification(document: PdfDocument, value: PDFObject): boolean {
  return document.peekDict(value)?.has(Name.EF) === true
}

/** Removes the entries that the rule selects from every object that may contain one of the words. */
function removeEntries(document: PdfDocument, words: readonly string[], isRemoved: Rule): void {
  for (const { ref, object } of findObjectsByName(document, words)) {
    if (!hasEntry(document, object, isRemoved)) continue
    // `get` marks the object as changed, so that the writer writes the changes.
    const edited = document.store.get(ref)
    for (const dict of edited ? walkDictionaries(edited) : []) {
      // Apply the rule to all entries before removing any, because the rule may depend on other entries.
      const removed = dict.entries().filter(([key, value]) => isRemoved(document, dict, key, value))
      for (const [key] of removed) dict.delete(key)
    }
  }
}

function hasEntry(document: PdfDocument, object: PDFObject, isRemoved: Rule): boolean {
  for (const dict of walkDictionaries(object)) {
    if (dict.entries().some(([key, value]) => isRemoved(document, dict, key, value))) return true
  }
  return false
}
