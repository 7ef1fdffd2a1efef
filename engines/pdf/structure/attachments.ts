import { PDFHexString, PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { replaceNames } from './destinations'
import type { PdfDocument } from '../document/document'
import { readNameTree, stringBytes } from '../document/name-tree'
import * as Name from '../syntax/names'

const FILE_NAMES = ['F', 'UF'].map(name => PDFName.of(name))

/** Removes the files attached to the whole document. File attachment annotations stay. */
export function dropAttachments(document: PdfDocument): void {
  if (document.peekDict(document.catalog.get(Name.Names))?.has(Name.EmbeddedFiles))
    replaceNames(document, Name.EmbeddedFiles, [])
  if (document.catalog.has(Name.AF)) document.editCatalog().delete(Name.AF)
  if (document.catalog.has(Name.Collection)) document.editCatalog().delete(Name.Collection)
}

/** Adds the attachments of another catalog in this document's store. If a name is in use, it becomes `name (2).ext`. */
export function joinAttachments(document: PdfDocument, other: PDFDict): void {
  const added = readNameTree(document, document.peekDict(other.get(Name.Names))?.get(Name.EmbeddedFiles))
  if (added.length) {
    const existing = readNameTree(
      document,
      document.peekDict(document.catalog.get(Name.Names))?.get(Name.EmbeddedFiles),
    )
    const usedKeys = new Set(existing.map(entry => entry.key))
    for (const entry of added) {
      let count = 1
      while (usedKeys.has(numbered(entry.key, count))) count++
      if (count > 1) renameFile(document, entry.value, count)
      usedKeys.add(numbered(entry.key, count))
      existing.push({ key: numbered(entry.key, count), value: entry.value })
    }
    replaceNames(document, Name.EmbeddedFiles, existing)
  }
  const associated = [document.catalog, other].flatMap(catalog => document.peekItems(catalog.get(Name.AF)))
  if (document.peekArray(other.get(Name.AF))) document.editCatalog().set(Name.AF, document.context.obj(associated))
}

/**
 * Returns `name.ext` for 1, `name (2).ext` for 2, and so on. Text is the bytes of a PDF string as Latin-1 and keeps its
 * encoding.
 */
function numbered(name: string, count: number): string {
  if (count === 1) return name
  const isWide = name.startsWith('\u00fe\u00ff')
  const dot = name.lastIndexOf(isWide ? '\0.' : '.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const suffix = ` (${count})`
  return stem + (isWide ? [...suffix].map(letter => `\0${letter}`).join('') : suffix) + extension
}

/** Adds the number to the name in the file specification too, so that viewers show different names. */
function renameFile(document: PdfDocument, value: PDFObject, count: number): void {
  if (!(value instanceof PDFRef) || !document.peekDict(value)) return
  const specification = document.edit(value)
  for (const key of FILE_NAMES) {
    const name = stringBytes(document.peek(specification.get(key)))
    if (name !== undefined)
      specification.set(
        key,
        PDFHexString.of(Buffer.from(numbered(name, count), 'latin1').toString('hex').toUpperCase()),
      )
  }
}
