import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf, removeAnnotations, subtypeOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable } from '../../../pdf/document'
import { readText, writeText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { cutMatches } from '../search-rules/cut-matches'
import { redrawFields } from './field-appearances'
import { dependsOnRemoved } from '../related/dependent-annotations'
import type { Rule } from '../search-rules/rule'
import { redactNames } from './document-names'
import { cutSpecial, isSpecial, readWithoutLanguages } from './special-strings'
import { redactPackets } from '../xml/xmp-packets'
import { cutMarkup } from '../xml/xml-text'

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

/** Keys of strings that only programs read: digests, names of encodings and of fonts. */
const MACHINE_KEYS = new Set(
  [
    ...['CIDSystemInfo', 'Registry', 'Ordering', 'CharSet', 'Panose', 'FontFamily', 'ByteRange', 'CheckSum'],
    ...['DestOutputProfile', 'CS'],
  ].map(name => PDFName.of(name)),
)

/** Keys of strings that only programs read if they are valid dates or language tags. */
const MACHINE_FORMS = new Map(
  [
    ...['M', 'CreationDate', 'ModDate', 'LastModified'].map(name => [name, /^(?:D:)?\d{4}[\d'+Z-]*$/] as const),
    ['Lang', /^[A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8})*$/] as const,
  ].map(([name, form]) => [PDFName.of(name), form]),
)

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
    const text = cutText(readWithoutLanguages(edited), rules)
    if (text !== undefined) document.store.set(ref, writeText(text))
    return text !== undefined
  }
  return new StringCutter(document, rules).cut(edited)
}

/** Handles a string, or an entry that needs special treatment. Returns whether there was a match. */
interface Visitor {
  string(value: PDFString | PDFHexString, replace: (value: PDFObject) => void): boolean
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
      string: value => cutText(readWithoutLanguages(value), rules, { isCounted: false }) !== undefined,
      entry: (dict, key, value) => cutSpecial({ document, dict, key, value, rules, isCounted: false }) !== undefined,
    })
  }

  /** Removes the matches. Returns whether something was changed. */
  cut(object: PDFObject): boolean {
    const { document, rules } = this
    return this.walk(object, {
      string: (value, replace) => {
        const text = cutText(readWithoutLanguages(value), rules)
        if (text !== undefined) replace(writeText(text))
        return text !== undefined
      },
      entry: (dict, key, value) => {
        const newValue = cutSpecial({ document, dict, key, value, rules, isCounted: true })
        if (newValue) dict.set(key, newValue)
        return newValue !== undefined
      },
    })
  }

  private walk(object: PDFObject, visitor: Visitor): boolean {
    let isFound = false
    const stack: PDFObject[] = [object]
    const see = (value: PDFObject, replace: (value: PDFObject) => void): void => {
      if (value instanceof PDFString || value instanceof PDFHexString)
        isFound = visitor.string(value, replace) || isFound
      else if (value instanceof PDFDict || value instanceof PDFArray) stack.push(value)
    }
    if (object instanceof PDFString || object instanceof PDFHexString) return visitor.string(object, () => undefined)
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (value instanceof PDFArray) {
        if (value.size() > 0 && this.document.peek(value.get(0)) === Name.Indexed) continue
        for (let index = 0; index < value.size(); index++) see(value.get(index), text => value.set(index, text))
        continue
      }
      const dict = value instanceof PDFStream ? value.dict : value
      if (!(dict instanceof PDFDict) || isForMachines(this.document, dict)) continue
      for (const [key, entry] of dict.entries()) {
        if (visitor.entry(dict, key, entry)) isFound = true
        else if (
          !MACHINE_KEYS.has(key) &&
          !isSpecial(dict, key) &&
          !MACHINE_FORMS.get(key)?.test(readText(this.document.peek(entry)) ?? ' ')
        )
          see(entry, text => dict.set(key, readText(text) === '' ? (DEFAULT_TEXTS.get(key) ?? text) : text))
      }
    }
    return isFound
  }
}

/** Removes matches from a text. XML and XHTML may have markup inside words. */
function cutText(text: string, rules: readonly Rule[], how?: { isCounted: boolean }): string | undefined {
  return cutMatches(text, rules, how) ?? (/<[a-z!?][^<]*>/i.test(text) ? cutMarkup(text, rules, how) : undefined)
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
    return value instanceof PDFStream || cutText(readWithoutLanguages(value), rules, { isCounted: false }) !== undefined
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
