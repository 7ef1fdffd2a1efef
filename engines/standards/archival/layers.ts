import { PDFArray, PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { readText, writeText } from '../../pdf/syntax'
import * as Name from '../../pdf/names'

/**
 * Makes the configurations of layers conform (ISO 19005-2, 6.9): each has a name of its own, none changes layers
 * automatically, and each order lists all layers.
 */
export function settleLayers(document: PdfDocument): void {
  const properties = document.peekDict(document.catalog.get(Name.OCProperties))
  if (!properties) return
  const groups = document.peekArray(properties.get(Name.OCGs))?.asArray() ?? []
  const configurations = [
    properties.get(Name.D),
    ...(document.peekArray(properties.get(Name.Configs))?.asArray() ?? []),
  ]
  const names = new Set<string>()
  for (const value of configurations) {
    const configuration = document.peek(value)
    if (!(configuration instanceof PDFDict)) continue
    configuration.delete(Name.AS)
    nameConfiguration(document, configuration, names)
    const order = document.peek(configuration.get(Name.Order))
    if (order instanceof PDFArray) listAll(document, order, groups)
  }
}

function nameConfiguration(document: PdfDocument, configuration: PDFDict, names: Set<string>): void {
  const current = readText(document.peek(configuration.get(Name.Name))) || 'Layers'
  let name = current
  for (let count = 2; names.has(name); count++) name = `${current} ${count}`
  names.add(name)
  configuration.set(Name.Name, writeText(name))
}

function listAll(document: PdfDocument, order: PDFArray, groups: readonly PDFObject[]): void {
  const listed = new Set<PDFObject>()
  const seen = new Set<PDFArray>([order])
  for (const array of seen)
    for (const item of array.asArray()) {
      const value = document.peek(item)
      if (value instanceof PDFArray) seen.add(value)
      else listed.add(item)
    }
  for (const group of groups) if (group instanceof PDFRef && !listed.has(group)) order.push(group)
}
