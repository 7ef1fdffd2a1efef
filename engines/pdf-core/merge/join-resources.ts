import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { AddedFile } from './added-file'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { joinDictionaries } from '../document/join-dictionaries'
import { ResourceNames } from '../content/resource-names'
import * as Name from '../syntax/names'

/** The appearances of an annotation (ISO 32000-2, table 170). */
const APPEARANCES = ['N', 'R', 'D'].map(name => PDFName.of(name))

/**
 * Adds the default resources of another form to ours (ISO 32000-2, table 224). If a name is taken by something else,
 * the added resource gets a free name, such as `F1_2`. Gives the new names.
 */
export function joinResources(document: PdfDocument, form: PDFDict, added: PDFDict): ResourceNames {
  const names = new ResourceNames()
  const theirs = document.peekDict(added.get(Name.DR))
  if (!theirs) return names
  const joined = PDFDict.fromMapWithContext(
    new Map(document.peekDict(form.get(Name.DR))?.entries() ?? []),
    document.context,
  )
  for (const [category, value] of theirs.entries()) {
    const [present, arriving] = [document.peekDict(joined.get(category)), document.peekDict(value)]
    if (!joined.has(category)) joined.set(category, value)
    else if (present && arriving) {
      const entries = joinDictionaries(document, present, arriving)
      joined.set(category, entries.joined)
      for (const [from, to] of entries.renamed) names.add({ category, from, to })
    }
  }
  form.set(Name.DR, joined)
  return names
}

/**
 * Makes a file follow new names of its form's default resources: default appearances of fields and annotations get
 * them, and appearances that relied on the form's resources keep the old ones as their own.
 */
export function renameUsedResources(document: PdfDocument, file: AddedFile, names: ResourceNames): void {
  if (names.isEmpty) return
  const resources = document.peekDict(file.form?.get(Name.DR))
  const own = resources && document.register(PDFDict.fromMapWithContext(new Map(resources.entries()), document.context))
  const visited = new Set<PDFObject>()
  for (const { dict, edit } of file.fieldsAndAnnotations()) {
    const appearance = names.renameAppearance(document.peek(dict.get(Name.DA)))
    if (appearance) edit().set(Name.DA, appearance)
    // PDF 1.2 gave fields resources of their own, where some readers look first.
    const ofField = appearance && names.repeat(document, document.peekDict(dict.get(Name.DR)))
    if (ofField) edit().set(Name.DR, ofField)
    for (const ref of own ? bareAppearances(document, dict) : []) {
      if (visited.has(ref)) continue
      visited.add(ref)
      const content = decodeUpToLimit(document, ref)
      if (own && content && names.rename(content)) document.edit(ref).set(Name.Resources, own)
    }
  }
}

/** The appearances of an annotation, in all states, that have no resources of their own. */
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
