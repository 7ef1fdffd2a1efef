import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { subtypeOf } from '../../pdf-core/annotations/annotation-entries'
import { removeAnnotations } from '../../pdf-core/annotations/annotation-removal'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import type { PdfDocument } from '../../pdf-core/document/document'
import { findReachable } from '../../pdf-core/document/reachable'
import { readText, writeText } from '../../pdf-core/syntax/text-string'
import { cutMatches } from '../text/cut-matches'
import { redrawFields } from './field-appearances'
import { dependsOnRemoved } from '../annotations/dependent-annotations'
import type { Rule } from '../search/search'
import { redactNames } from './document-names'
import { cutSpecial, isSpecial, readSpoken } from './special-strings'
import { redactPackets } from '../xml/xml-packets'
import { cutMarkup } from '../xml/xml-text'
import * as Name from '../../pdf-core/syntax/names'

/**
 * Annotations that show their text on the page, and the entries that hold it (ISO 32000-2, 12.5.6.6, 12.5.6.12 and
 * 12.5.6.23).
 */
const SHOWN_KINDS = new Set(['FreeText', 'Stamp', 'Redact'])
const SHOWN_TEXTS = ['Contents', 'RC', 'OverlayText'].map(name => PDFName.of(name))

/**
 * What stands in the place of entries that must not be empty: names of fields, and of printing conditions (ISO 32000-2,
 * 14.11.5).
 */
const INSTEAD = new Map(
  [
    ['T', 'redacted'],
    ['OutputConditionIdentifier', 'Custom'],
  ].map(([key, text]) => [PDFName.of(key as string), writeText(text as string)] as const),
)

/** Objects that say nothing to people. */
const SILENT_TYPES = new Set(['ObjStm', 'XRef'].map(name => PDFName.of(name)))

/** Entries whose strings are read by programs: instructions, digests, names of encodings and of fonts. */
const SILENT_KEYS = new Set(
  [
    ...['CIDSystemInfo', 'Registry', 'Ordering', 'CharSet', 'Panose', 'FontFamily', 'ByteRange', 'CheckSum'],
    ...['DestOutputProfile', 'CS'],
  ].map(name => PDFName.of(name)),
)

/** Entries whose strings programs read as long as they are of their kind: dates, and marks of languages. */
const SILENT_FORMS = new Map(
  [
    ...['M', 'CreationDate', 'ModDate', 'LastModified'].map(name => [name, /^(?:D:)?\d{4}[\d'+Z-]*$/] as const),
    ['Lang', /^[A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8})*$/] as const,
  ].map(([name, form]) => [PDFName.of(name), form]),
)

/** Levels of fields above one another that are looked at. */
const MAX_DEPTH = 64

/**
 * Takes what rules match out of every text string of the document: bookmarks, properties, comments, links, values of
 * form fields, texts of the structure; rules for some pages look at the annotations and fields of those only. Fields
 * are drawn anew, comments that show their text on the page go, XMP and XFA are searched too.
 */
export async function redactStrings(document: PdfDocument, rules: readonly Rule[]): Promise<void> {
  const general = rules.filter(rule => rule.isForAll)
  const changed = new Set<PDFRef>()
  const shown = new Set<PDFDict>()
  for (const [ref, own] of [...collectGeneral(document, general), ...collectByPage(document, rules)]) {
    const isDrawn = showsMatch(document, ref, own)
    if (!redactObject(document, ref, own)) continue
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

type Found = [ref: PDFRef, rules: readonly Rule[]]

function collectGeneral(document: PdfDocument, rules: readonly Rule[]): Found[] {
  if (rules.length === 0) return []
  const { rootRef, infoRef } = document
  const reached = findReachable(
    document,
    infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber],
  )
  return [...reached.inOrder()].map(slot => [reached.refOf(slot), rules])
}

function collectByPage(document: PdfDocument, rules: readonly Rule[]): Found[] {
  const found: Found[] = []
  for (const [index, page] of document.pages.entries()) {
    const own = rules.filter(rule => !rule.isForAll && rule.isOn(index))
    if (own.length === 0) continue
    for (const value of annotationsOf(document, page)) {
      let next: PDFObject | undefined = value
      for (let depth = 0; next instanceof PDFRef && depth < MAX_DEPTH; depth++) {
        found.push([next, own])
        const annotation: PDFDict | undefined = document.peekDict(next)
        next = annotation && subtypeOf(document, annotation) === 'Widget' ? annotation.get(Name.Parent) : undefined
      }
    }
  }
  return found
}

/** Whether anything of the object was changed. */
function redactObject(document: PdfDocument, ref: PDFRef, rules: readonly Rule[]): boolean {
  const object = document.peek(ref)
  if (!object || !new StringCutter(document, rules).isNeeded(object)) return false
  const edited = document.store.get(ref)
  if (!edited) return false
  if (edited instanceof PDFString || edited instanceof PDFHexString) {
    const text = cutText(readSpoken(edited), rules)
    if (text !== undefined) document.store.set(ref, writeText(text))
    return text !== undefined
  }
  return new StringCutter(document, rules).cut(edited)
}

/** What is done with a string, or with an entry that needs its own way; whether there was a match. */
interface Visitor {
  string(value: PDFString | PDFHexString, replace: (value: PDFObject) => void): boolean
  entry(dict: PDFDict, key: PDFName, value: PDFObject): boolean
}

/** Goes through the strings of one object, without following references but to a text of its own. */
class StringCutter {
  constructor(
    private readonly document: PdfDocument,
    private readonly rules: readonly Rule[],
  ) {}

  /** Whether there is a match; nothing is changed or counted. */
  isNeeded(object: PDFObject): boolean {
    const { document, rules } = this
    return this.walk(object, {
      string: value => cutText(readSpoken(value), rules, { isCounted: false }) !== undefined,
      entry: (dict, key, value) => cutSpecial({ document, dict, key, value, rules, isCounted: false }) !== undefined,
    })
  }

  /** Whether something was changed. */
  cut(object: PDFObject): boolean {
    const { document, rules } = this
    return this.walk(object, {
      string: (value, replace) => {
        const text = cutText(readSpoken(value), rules)
        if (text !== undefined) replace(writeText(text))
        return text !== undefined
      },
      entry: (dict, key, value) => {
        const left = cutSpecial({ document, dict, key, value, rules, isCounted: true })
        if (left) dict.set(key, left)
        return left !== undefined
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
      if (!(dict instanceof PDFDict) || isSilent(this.document, dict)) continue
      for (const [key, entry] of dict.entries()) {
        if (visitor.entry(dict, key, entry)) isFound = true
        else if (
          !SILENT_KEYS.has(key) &&
          !isSpecial(dict, key) &&
          !SILENT_FORMS.get(key)?.test(readText(this.document.peek(entry)) ?? ' ')
        )
          see(entry, text => dict.set(key, readText(text) === '' ? (INSTEAD.get(key) ?? text) : text))
      }
    }
    return isFound
  }
}

/** A text that is XML or XHTML may have markup inside of words. */
function cutText(text: string, rules: readonly Rule[], how?: { isCounted: boolean }): string | undefined {
  return cutMatches(text, rules, how) ?? (/<[a-z!?][^<]*>/i.test(text) ? cutMarkup(text, rules, how) : undefined)
}

function isSilent(document: PdfDocument, dict: PDFDict): boolean {
  const type = document.peek(dict.get(Name.Type))
  return type instanceof PDFName && SILENT_TYPES.has(type)
}

/** Whether the object is an annotation that shows its text on the page, and a rule matches that. */
function showsMatch(document: PdfDocument, ref: PDFRef, rules: readonly Rule[]): boolean {
  const dict = document.peekDict(ref)
  if (!dict || !SHOWN_KINDS.has(subtypeOf(document, dict))) return false
  return SHOWN_TEXTS.some(key => {
    const value = document.peek(dict.get(key))
    return value instanceof PDFStream || cutText(readSpoken(value), rules, { isCounted: false }) !== undefined
  })
}

/** Comments that are shown as text were drawn with it. */
function dropShown(document: PdfDocument, gone: ReadonlySet<PDFDict>): void {
  if (gone.size === 0) return
  removeAnnotations(document, {
    pages: new Set(document.pages.keys()),
    matches: annotation => gone.has(annotation),
    follows: (follower, owner) => dependsOnRemoved(document, follower, owner),
  })
}

/** Rich text of fields repeats their value. */
function dropRichValues(document: PdfDocument, changed: ReadonlySet<PDFRef>): void {
  for (const ref of changed) {
    const dict = document.peekDict(ref)
    if (dict?.has(Name.RV) && dict.has(Name.V)) document.edit(ref).delete(Name.RV)
  }
}
