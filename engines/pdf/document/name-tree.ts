import { PDFArray, PDFDict, PDFHexString, PDFNumber, PDFRef, PDFString } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import * as Name from '../syntax/names'

/** Maximum number of entries in a leaf that is written. */
const LEAF = 64

export interface NamedEntry {
  /** The key's bytes as Latin-1 text. */
  key: string
  value: PDFObject
}

export interface NumberedEntry {
  key: number
  value: PDFObject
}

/** The bytes of a PDF string as Latin-1 text. Equal strings compare equal, whether literal or hexadecimal. */
export function stringBytes(value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFString || value instanceof PDFHexString)
    return Buffer.from(value.asBytes()).toString('latin1')
  return undefined
}

/** All entries of a name tree (ISO 32000-2, 7.9.6), in their order in the file. */
export function readNameTree(document: PdfDocument, root: PDFObject | undefined): NamedEntry[] {
  const entries: NamedEntry[] = []
  for (const [key, value] of readLeaves(document, root, Name.Names)) {
    const bytes = stringBytes(document.peek(key))
    if (bytes !== undefined) entries.push({ key: bytes, value })
  }
  return entries
}

/** All entries of a number tree (ISO 32000-2, 7.9.7), in their order in the file. */
export function readNumberTree(document: PdfDocument, root: PDFObject | undefined): NumberedEntry[] {
  const entries: NumberedEntry[] = []
  for (const [key, value] of readLeaves(document, root, Name.Nums)) {
    const number = document.peek(key)
    if (number instanceof PDFNumber) entries.push({ key: number.asNumber(), value })
  }
  return entries
}

/** Writes a new name tree. If keys are equal, the first entry wins. */
export function writeNameTree(document: PdfDocument, entries: NamedEntry[]): PDFRef {
  const unique = new Map<string, NamedEntry>()
  for (const entry of entries) if (!unique.has(entry.key)) unique.set(entry.key, entry)
  const sorted = [...unique.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return writeTree(
    document,
    Name.Names,
    sorted.map(entry => [PDFHexString.of(Buffer.from(entry.key, 'latin1').toString('hex').toUpperCase()), entry.value]),
  )
}

/** Writes a new number tree. If keys are equal, the first entry wins. */
export function writeNumberTree(document: PdfDocument, entries: NumberedEntry[]): PDFRef {
  const unique = new Map<number, NumberedEntry>()
  for (const entry of entries) if (!unique.has(entry.key)) unique.set(entry.key, entry)
  const sorted = [...unique.values()].sort((a, b) => a.key - b.key)
  return writeTree(
    document,
    Name.Nums,
    sorted.map(entry => [PDFNumber.of(entry.key), entry.value]),
  )
}

/** An entry of a name or number tree, and the indirect object to edit before changing its value. */
interface OwnedEntry {
  key: PDFObject
  value: PDFObject
  owner: PDFRef
}

/** All entries of a name tree that is part of the indirect object `owner`, in their order in the file. */
export function walkNameTree(document: PdfDocument, owner: PDFRef, root: PDFObject | undefined): Generator<OwnedEntry> {
  return walkLeaves(document, { value: root, owner }, Name.Names)
}

function* readLeaves(
  document: PdfDocument,
  root: PDFObject | undefined,
  leafKey: PDFName,
): Generator<[PDFObject, PDFObject]> {
  for (const { key, value } of walkLeaves(document, { value: root, owner: document.rootRef }, leafKey))
    yield [key, value]
}

function* walkLeaves(
  document: PdfDocument,
  root: { value: PDFObject | undefined; owner: PDFRef },
  leafKey: PDFName,
): Generator<OwnedEntry> {
  const ownerOf = (value: PDFObject | undefined, above: PDFRef): PDFRef => (value instanceof PDFRef ? value : above)
  const visited = new Set<PDFDict>()
  const stack = [root]
  for (let place = stack.pop(); place; place = stack.pop()) {
    const node = document.peekDict(place.value)
    if (!node || visited.has(node)) continue
    visited.add(node)
    const nodeOwner = ownerOf(place.value, place.owner)
    const leaf = document.peekArray(node.get(leafKey))
    const owner = ownerOf(node.get(leafKey), nodeOwner)
    if (leaf)
      for (let index = 0; index + 1 < leaf.size(); index += 2)
        yield { key: leaf.get(index), value: leaf.get(index + 1), owner }
    const kids = document.peekArray(node.get(Name.Kids))
    const kidsOwner = ownerOf(node.get(Name.Kids), nodeOwner)
    if (kids)
      for (let index = kids.size() - 1; index >= 0; index--) stack.push({ value: kids.get(index), owner: kidsOwner })
  }
}

function writeTree(document: PdfDocument, leafKey: PDFName, entries: [PDFObject, PDFObject][]): PDFRef {
  const { context } = document
  const node = (part: [PDFObject, PDFObject][]): PDFDict => {
    const dict = PDFDict.withContext(context)
    const array = PDFArray.withContext(context)
    for (const [key, value] of part) {
      array.push(key)
      array.push(value)
    }
    dict.set(leafKey, array)
    return dict
  }
  if (entries.length <= LEAF) return document.register(node(entries))
  const kids = PDFArray.withContext(context)
  for (let at = 0; at < entries.length; at += LEAF) {
    const part = entries.slice(at, at + LEAF)
    const dict = node(part)
    const limits = PDFArray.withContext(context)
    for (const entry of [part[0], part.at(-1)]) if (entry) limits.push(entry[0])
    dict.set(Name.Limits, limits)
    kids.push(document.register(dict))
  }
  const root = PDFDict.withContext(context)
  root.set(Name.Kids, kids)
  return document.register(root)
}
