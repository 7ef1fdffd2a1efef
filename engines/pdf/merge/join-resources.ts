import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { AddedFile } from './added-file'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { joinDictionaries } from '../document/join-dictionaries'
import { ResourceNames } from '../content/resource-names'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

/** The appearances of an annotation (ISO 32000-2, table 170). */
const APPEARANCES = ['N', 'R', 'D'].map(name => PDFName.of(name))

/**
 * Adds the default resources of another form to the document's form (ISO 32000-2, table 224). If a different resource
 * has the name, the added resource gets a free name, such as `F1_2`. Returns the new names.
 */
export function joinResources(document: PdfDocument, form: PDFDict, added: PDFDict): ResourceNames {
  const names = new ResourceNames()
  const addedResources = document.peekDict(added.get(Name.DR))
  if (!addedResources) return names
  const joined = PDFDict.fromMapWithContext(
    new Map(document.peekDict(form.get(Name.DR))?.entries() ?? []),
    document.context,
  )
  for (const [category, value] of addedResources.entries()) {
    const [existingPart, addedPart] = [document.peekDict(joined.get(category)), document.peekDict(value)]
    if (!joined.has(category)) joined.set(category, value)
    else if (existingPart && addedPart) {
      const entries = joinDictionaries(document, existingPart, addedPart)
      joined.set(category, entries.joined)
      for (const [from, to] of entries.renamed) names.add({ category, from, to })
    }
  }
  form.set(Name.DR, joined)
  return names
}

/**
 * Updates a file to the new names of its form's default resources. Default appearances of fields and annotations get
 * the new names. Appearance streams that rely on the form's resources keep the old names and get a copy of these
 * resources.
 */
export function renameUsedResources(document: PdfDocument, file: AddedFile, names: ResourceNames): void {
  if (names.isEmpty) return
  const resources = document.peekDict(file.form?.get(Name.DR))
  const oldResources = resources && document.register(copyDict(document, resources))
  const visited = new Set<PDFObject>()
  for (const { dict, edit } of file.fieldsAndAnnotations()) {
    const appearance = names.renameAppearance(document.peek(dict.get(Name.DA)))
    if (appearance) edit().set(Name.DA, appearance)
    // PDF 1.2 allowed fields to have their own resources. Some readers look there first.
    const ofField = appearance && names.repeat(document, document.peekDict(dict.get(Name.DR)))
    if (ofField) edit().set(Name.DR, ofField)
    for (const ref of oldResources ? bareAppearances(document, dict) : []) {
      if (visited.has(ref)) continue
      visited.add(ref)
      const content = decodeUpToLimit(document, ref)
      if (oldResources && content && names.rename(content)) document.edit(ref).set(Name.Resources, oldResources)
    }
  }
}

/** The appearance streams of an annotation, in all states, that have no /Resources. */
function bareAppearances(document: PdfDocument, annotation: PDFDict): PDFRef[] {
  const appearances = document.peekDict(annotation.get(Name.AP))
  const values = APPEARANCES.flatMap(key => {
    const value = appearances?.get(key)
    const states = document.peek(value)
    return states instanceof PDFDict ? states.values() : value ? [value] : []
  })
  return values
    .filter(value => {
      const stream = document.peek(value)
      return stream instanceof PDFRawStream && !stream.dict.has(Name.Resources)
    })
    .filter(value => value instanceof PDFRef)
}
