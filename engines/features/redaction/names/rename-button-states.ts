import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readFormFields } from '../../../pdf/forms'
import type { FormField } from '../../../pdf/forms'
import { annotationsOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { findInName } from './rename-custom-names'
import type { Rule } from '../search-rules/rule'

const APPEARANCES = ['N', 'D', 'R'].map(key => PDFName.of(key))

/** Common state names, which carry no personal data. */
const PLAIN = new Set(['Off', 'On', 'Yes', 'No', 'True', 'False'].map(state => PDFName.of(state)))

/** Maximum number of parent fields to read. */
const MAX_DEPTH = 64

/**
 * Renames states of check boxes and radio groups that rules match, to `redacted1` and so on. Values, states and
 * appearances get the same name, so that each button keeps working. Rules with `pages` apply only to fields on these
 * pages.
 */
export function renameButtonStates(document: PdfDocument, rules: readonly Rule[]): void {
  const fields = readFormFields(document).filter(({ kind }) => kind === 'checkbox' || kind === 'radio')
  if (fields.length === 0) return
  const pagesOf = rules.every(rule => rule.isForAll) ? new Map<PDFObject, number[]>() : collectPages(document)
  for (const field of fields) {
    const pages = [field.ref, ...field.widgets].flatMap(ref => pagesOf.get(ref) ?? [])
    renameStates(
      document,
      field,
      rules.filter(rule => rule.isForAll || pages.some(index => rule.isOn(index))),
    )
  }
}

function collectPages(document: PdfDocument): Map<PDFObject, number[]> {
  const found = new Map<PDFObject, number[]>()
  for (const [index, page] of document.pages.entries())
    for (const value of annotationsOf(document, page)) found.set(value, [...(found.get(value) ?? []), index])
  return found
}

function renameStates(document: PdfDocument, field: FormField, rules: readonly Rule[]): void {
  const entries = [...namesAt(document, field)]
  const usedNames = new Set(entries.map(({ name }) => name))
  const renames = new Map<PDFName, PDFName>()
  for (const { name } of entries) {
    const match = renames.has(name) || PLAIN.has(name) ? undefined : findInName(name.decodeText(), rules)
    if (!match) continue
    match.rule.count(match.text)
    let count = 1
    while (usedNames.has(PDFName.of(`redacted${count}`))) count++
    renames.set(name, PDFName.of(`redacted${count}`))
    usedNames.add(PDFName.of(`redacted${count}`))
  }
  if (renames.size === 0) return
  for (const { name, put } of entries) {
    const other = renames.get(name)
    if (other) put(other)
  }
}

interface NameEntry {
  name: PDFName
  put(name: PDFName): void
}

/** Yields the entries with which a field, its parent fields and its widgets name states. */
function* namesAt(document: PdfDocument, { ref: field, widgets }: FormField): Generator<NameEntry> {
  let ref: PDFObject | undefined = field
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    for (const key of [Name.V, Name.DV]) yield* valueAt(document, ref, key)
    ref = document.peekDict(ref)?.get(Name.Parent)
  }
  for (const widget of new Set(widgets)) {
    for (const key of widget === field ? [Name.AS] : [Name.AS, Name.V, Name.DV]) yield* valueAt(document, widget, key)
    for (const key of APPEARANCES) {
      const states = document.peek(document.peekDict(document.peekDict(widget)?.get(Name.AP))?.get(key))
      if (!(states instanceof PDFDict)) continue
      for (const name of states.keys())
        yield { name, put: other => renameKey(editInside(document, widget, [Name.AP, key]), name, other) }
    }
  }
}

function* valueAt(document: PdfDocument, ref: PDFRef, key: PDFName): Generator<NameEntry> {
  const name = document.peek(document.peekDict(ref)?.get(key))
  if (name instanceof PDFName) yield { name, put: other => document.edit(ref).set(key, other) }
}

/** Renames a key if it is present. Shared appearances were renamed already with their first widget. */
function renameKey(dict: PDFDict | undefined, from: PDFName, to: PDFName): void {
  const value = dict?.get(from)
  if (!dict || value === undefined) return
  dict.delete(from)
  dict.set(to, value)
}

/** Returns a dictionary at a path of keys, direct or indirect, for editing. */
function editInside(document: PdfDocument, ref: PDFRef, path: readonly PDFName[]): PDFDict | undefined {
  let dict: PDFDict | undefined = document.edit(ref)
  for (const key of path) {
    const value: PDFObject | undefined = dict?.get(key)
    const inner = document.peek(value)
    dict = inner instanceof PDFDict ? (value instanceof PDFRef ? document.edit(value) : inner) : undefined
  }
  return dict
}
