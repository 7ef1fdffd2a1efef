import { PDFArray, PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { readText } from '../../pdf/syntax'
import * as Name from '../../pdf/names'
import { walkValues } from './all-objects'
import type { WritableObject } from './all-objects'

/** Media types of common attachments by the extension of their names. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'text/xml',
  zip: 'application/zip',
}

/**
 * Completes the descriptions of attached files (ISO 19005-2 and 19005-3, 6.8): both file names, and in part 3 a media
 * type, a relationship, and an entry in /AF of the catalog.
 */
export function settleFiles(document: PdfDocument, objects: readonly WritableObject[], part: 2 | 3): void {
  const attached: PDFRef[] = []
  const files = part === 3 ? [...objects, ...makeIndirect(document, objects)] : objects
  for (const { ref, object } of files)
    for (const value of walkValues(object)) {
      if (!(value instanceof PDFDict) || !value.has(Name.EF)) continue
      const name = value.get(Name.UF) ?? value.get(Name.F)
      if (name) for (const key of [Name.F, Name.UF]) if (!value.has(key)) value.set(key, name)
      if (part === 2) continue
      if (!value.has(Name.AFRelationship)) value.set(Name.AFRelationship, Name.Unspecified)
      nameTypes(document, value, readText(document.peek(name)) ?? '')
      if (value === object) attached.push(ref)
    }
  if (part === 3 && attached.length > 0) associate(document, attached)
}

function nameTypes(document: PdfDocument, file: PDFDict, name: string): void {
  const type = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
  for (const value of document.peekDict(file.get(Name.EF))?.values() ?? []) {
    const stream = document.peekDict(value)
    const current = document.peek(stream?.get(Name.Subtype))
    const isSound = current instanceof PDFName && /^[-\w+.]+\/[-\w+.]+$/.test(current.decodeText())
    if (!isSound) stream?.set(Name.Subtype, PDFName.of(type))
  }
}

/** Makes file specifications indirect objects, so that /AF can refer to them. Returns the new objects. */
function makeIndirect(document: PdfDocument, objects: readonly WritableObject[]): WritableObject[] {
  const added: WritableObject[] = []
  const register = (object: PDFDict): PDFRef => {
    const ref = document.register(object)
    added.push({ ref, object })
    return ref
  }
  const isDirectFile = (value: PDFObject): value is PDFDict => value instanceof PDFDict && value.has(Name.EF)
  for (const { object } of objects)
    for (const owner of walkValues(object)) {
      if (owner instanceof PDFArray) {
        for (const [index, value] of owner.asArray().entries())
          if (isDirectFile(value)) owner.set(index, register(value))
      } else if (owner instanceof PDFDict) {
        for (const [key, value] of owner.entries()) if (isDirectFile(value)) owner.set(key, register(value))
      }
    }
  return added
}

/** Adds the files to /AF of the catalog, unless it already has them. */
function associate(document: PdfDocument, files: readonly PDFRef[]): void {
  const catalog = document.editCatalog()
  const current = document.peek(catalog.get(Name.AF))
  const list = current instanceof PDFArray ? current.asArray() : []
  const known = new Set(list.map(item => document.peek(item)))
  const added = files.filter(file => !known.has(document.peek(file)))
  if (added.length > 0) catalog.set(Name.AF, document.context.obj([...list, ...added]))
}
