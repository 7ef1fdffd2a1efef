import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRef, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf, removeAnnotations, subtypeOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable } from '../../../pdf/document'
import { readText, writeText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { redrawFields } from './field-appearances'
import { dependsOnRemoved } from '../related/dependent-annotations'
import type { Rule } from '../search-rules/rule'
import { redactNames } from './document-names'
import { colorTableOf, isMachineText, isMatchedNumber } from './machine-values'
import { cutSpecial, cutString, isSpecial } from './special-strings'
import { redactPackets } from '../xml/xmp-packets'

/**
 * Annotation subtypes that show their text on the page, and the entries with that text (ISO 32000-2, 12.5.6.6,
 * 12.5.6.12 and 12.5.6.23).
 */
const SHOWN_KINDS = new Set(['FreeText', 'Stamp', 'Redact'])
const SHOWN_TEXTS = ['Contents', 'RC', 'OverlayText'].map(name => PDFName.of(name))

/**
 * Replacements for entries that must not be empty: names of fields and of printing conditions (ISO 32000-2, 14.11.5).
 */
const DEFAULT_TEXTS = new Map(
  [
    ['T', 'redacted'],
    ['OutputConditionIdentifier', 'Custom'],
  ].map(([key, text]) => [PDFName.of(key as string), writeText(text as string)] as const),
)

/** Types of objects that contain no text for people. */
const MACHINE_TYPES = new Set(['ObjStm', 'XRef'].map(name => PDFName.of(name)))

/** Maximum number of parent fields to read. */
const MAX_DEPTH = 64

/**
 * Removes matches from every text string of the document: bookmarks, properties, comments, links, field values, texts
 * of structure elements. Rules with `pages` apply only to annotations and fields on these pages. Changed fields are
 * drawn again. Annotations that show a match on the page are removed. XMP and XFA are searched too.
 */
export async function redactStrings(document: PdfDocument, rules: readonly Rule[]): Promise<void> {
  const general = rules.filter(rule => rule.isForAll)
  const changed = new Set<PDFRef>()
  const shown = new Set<PDFDict>()
  for (const [ref, applicableRules] of [...collectGeneral(document, general), ...collectByPage(document, rules)]) {
    const isDrawn = showsMatch(document, ref, applicableRules)
    if (!redactObject(document, ref, applicableRules)) continue
    changed.add(ref)
    const dict = isDrawn ? document.peekDict(ref) : undefined
    if (dict) shown.add(dict)
  }
  redactNames(document, rules)
  redactPackets(document, general)
  if (changed.size === 0) return
  dropShown(document, shown)
  dropRichValues(document, changed)
  await redrawFields(document, changed)
}

type ObjectRules = [ref: PDFRef, rules: readonly Rule[]]

function collectGeneral(document: PdfDocument, rules: readonly Rule[]): ObjectRules[] {
  if (rules.length === 0) return []
  const { rootRef, infoRef } = document
  const reached = findReachable(
    document,
    infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber],
  )
  return [...reached.inOrder()].map(slot => [reached.refOf(slot), rules])
}

function collectByPage(document: PdfDocument, rules: readonly Rule[]): ObjectRules[] {
  const found: ObjectRules[] = []
  for (const [index, page] of document.pages.entries()) {
    const rulesOnPage = rules.filter(rule => !rule.isForAll && rule.isOn(index))
    if (rulesOnPage.length === 0) continue
    for (const value of annotationsOf(document, page)) {
      let next: PDFObject | undefined = value
      for (let depth = 0; next instanceof PDFRef && depth < MAX_DEPTH; depth++) {
        found.push([next, rulesOnPage])
        const annotation: PDFDict | undefined = document.peekDict(next)
        next = annotation && subtypeOf(document, annotation) === 'Widget' ? annotation.get(Name.Parent) : undefined
      }
    }
  }
  return found
}

/** Removes matches from an object. Returns whether it was changed. */
function redactObject(document: PdfDocument, ref: PDFRef, rules: readonly Rule[]): boolean {
  const object = document.peek(ref)
  if (!object || !new StringCutter(document, rules).isNeeded(object)) return false
  // Only an object with a match is read for changes. The writer copies the others byte by byte.
  const edited = document.store.get(ref)
  if (!edited) return false
  if (edited instanceof PDFString || edited instanceof PDFHexString) {
    const text = cutString(edited, rules)
    if (text !== undefined) document.store.set(ref, writeText(text))
    return text !== undefined
  }
  if (edited instanceof PDFNumber) {
    const isMatched = isMatchedNumber(edited, undefined, { rules, isCounted: true })
    if (isMatched) document.store.set(ref, PDFNumber.of(0))
    return isMatched
  }
  return new StringCutter(document, rules).cut(edited)
}

/** Handles a string, or an entry that needs special treatment. Returns whether there was a match. */
interface Visitor {
  string(value: PDFString | PDFHexString, replace: (value: PDFObject) => void): boolean
  number(value: PDFNumber, key: PDFName | undefined, replace: (value: PDFObject) => void): boolean
  entry(dict: PDFDict, key: PDFName, value: PDFObject): boolean
}

/** Removes matches from the strings of one object, without following references. */
class StringCutter {
  constructor(
    private readonly document: PdfDocument,
    private readonly rules: readonly Rule[],
  ) {}

  /** Returns whether there is a match, without changing or counting anything. */
  isNeeded(object: PDFObject): boolean {
    const { document, rules } = this
    return this.walk(object, {
      string: value => cutString(value, rules, { isCounted: false }) !== undefined,
      number: (value, key) => isMatchedNumber(value, key, { rules, isCounted: false }),
      entry: (dict, key, value) => cutSpecial({ document, dict, key, value, rules, isCounted: false }) !== undefined,
    })
  }

  /** Removes the matches. Returns whether something was changed. */
  cut(object: PDFObject): boolean {
    const { document, rules } = this
    return this.walk(object, {
      string: (value, replace) => {
        const text = cutString(value, rules)
        if (text !== undefined) replace(writeText(text))
        return text !== undefined
      },
      number: (value, key, replace) => {
        const isMatched = isMatchedNumber(value, key, { rules, isCounted: true })
        if (isMatched) replace(PDFNumber.of(0))
        return isMatched
      },
      entry: (dict, key, value) => {
        const newValue = cutSpecial({ document, dict, key, value, rules, isCounted: true })
        if (newValue) dict.set(key, newValue)
        return newValue !== undefined
      },
    })
  }

  private walk(object: PDFObject, visitor: Visitor): boolean {
    const { document } = this
    let isFound = false
    const stack: { value: PDFObject; key?: PDFName | undefined }[] = [{ value: object }]
    const see = (value: PDFObject, key: PDFName | undefined, replace: (value: PDFObject) => void): void => {
      if (value instanceof PDFString || value instanceof PDFHexString)
        isFound = visitor.string(value, replace) || isFound
      else if (value instanceof PDFNumber) isFound = visitor.number(value, key, replace) || isFound
      else if (value instanceof PDFDict || value instanceof PDFArray) stack.push({ value, key })
    }
    if (object instanceof PDFString || object instanceof PDFHexString) return visitor.string(object, () => undefined)
    if (object instanceof PDFNumber) return visitor.number(object, undefined, () => undefined)
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { value, key: owner } = next
      if (value instanceof PDFArray) {
        const colors = colorTableOf(document, value)
        for (let index = 0; index < value.size(); index++)
          if (index !== colors) see(value.get(index), owner, text => value.set(index, text))
        continue
      }
      const dict = value instanceof PDFStream ? value.dict : value
      if (!(dict instanceof PDFDict) || isForMachines(document, dict)) continue
      for (const [key, entry] of dict.entries()) {
        if (visitor.entry(dict, key, entry)) isFound = true
        else if (!isMachineText(document, dict, key) && !isSpecial(document, dict, key))
          see(entry, key, text => dict.set(key, readText(text) === '' ? (DEFAULT_TEXTS.get(key) ?? text) : text))
      }
    }
    return isFound
  }
}

function isForMachines(document: PdfDocument, dict: PDFDict): boolean {
  const type = document.peek(dict.get(Name.Type))
  return type instanceof PDFName && MACHINE_TYPES.has(type)
}

/** Returns whether the object is an annotation whose text on the page a rule matches. */
function showsMatch(document: PdfDocument, ref: PDFRef, rules: readonly Rule[]): boolean {
  const dict = document.peekDict(ref)
  if (!dict || !SHOWN_KINDS.has(subtypeOf(document, dict))) return false
  return SHOWN_TEXTS.some(key => {
    const value = document.peek(dict.get(key))
    if (!(value instanceof PDFString || value instanceof PDFHexString)) return value instanceof PDFStream
    return cutString(value, rules, { isCounted: false }) !== undefined
  })
}

/** Removes annotations that showed a match, because their appearances were drawn with the old text. */
function dropShown(document: PdfDocument, removed: ReadonlySet<PDFDict>): void {
  if (removed.size === 0) return
  removeAnnotations(document, {
    pages: new Set(document.pages.keys()),
    matches: annotation => removed.has(annotation),
    follows: (follower, owner) => dependsOnRemoved(document, follower, owner),
  })
}

/** Removes the rich text values of changed fields, because they repeat the old values. */
function dropRichValues(document: PdfDocument, changed: ReadonlySet<PDFRef>): void {
  for (const ref of changed) {
    const dict = document.peekDict(ref)
    if (dict?.has(Name.RV) && dict.has(Name.V)) document.edit(ref).delete(Name.RV)
  }
}
