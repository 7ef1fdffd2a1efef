import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { subtypeOf } from '../pdf-core/annotation-facts'
import { removeAnnotations } from '../pdf-core/annotation-removal'
import { annotationsOf } from '../pdf-core/annotations'
import type { PdfDocument } from '../pdf-core/document'
import { findReachable } from '../pdf-core/reachable'
import { readText, writeText } from '../pdf-core/text-string'
import { cutMatches } from './cut-matches'
import { redrawFields } from './field-appearances'
import type { Rule } from './search'
import { redactNames } from './document-names'
import { cutSpecial, isSpecial, readSpoken } from './special-strings'
import { redactPackets } from './xml-packets'

const TYPE = PDFName.of('Type')
const PARENT = PDFName.of('Parent')
const INDEXED = PDFName.of('Indexed')
const RV = PDFName.of('RV')
const V = PDFName.of('V')
const T = PDFName.of('T')

/** The name of a field of whose own nothing is left. */
const NAMELESS = 'redacted'

/** Objects that say nothing to people: fonts, encodings. */
const SILENT_TYPES = new Set(['Font', 'FontDescriptor', 'Encoding', 'CMap', 'ObjStm', 'XRef'].map(name => PDFName.of(name)))

/** Entries whose strings are read by programs: dates, instructions, digests. */
const SILENT_KEYS = new Set(['CIDSystemInfo', 'Registry', 'Ordering', 'CharSet', 'Panose', 'Lang', 'ByteRange', 'CheckSum', 'M', 'CreationDate', 'ModDate', 'LastModified', 'IDS', 'DestOutputProfile', 'OutputConditionIdentifier', 'CS'].map(name => PDFName.of(name)))

/** Levels of fields above one another that are looked at. */
const MAX_DEPTH = 64

/**
 * Takes what rules match out of every text string of the document: bookmarks, properties, comments, links, values of form
 * fields, texts of the structure; rules for some pages look at the annotations and fields of those only. Fields are drawn
 * anew, comments that show their text on the page go, XMP and XFA are searched too.
 */
export async function redactStrings(document: PdfDocument, rules: readonly Rule[]): Promise<void> {
  const general = rules.filter(rule => rule.isForAll)
  const changed = new Set<PDFRef>()
  for (const [ref, own] of [...collectGeneral(document, general), ...collectByPage(document, rules)]) if (redactObject(document, ref, own)) changed.add(ref)
  redactNames(document, general)
  redactPackets(document, general)
  if (changed.size === 0) return
  dropShown(document, changed)
  await redrawFields(document, changed)
}

type Found = [ref: PDFRef, rules: readonly Rule[]]

function collectGeneral(document: PdfDocument, rules: readonly Rule[]): Found[] {
  if (rules.length === 0) return []
  const { rootRef, infoRef } = document
  const reached = findReachable(document, infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber])
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
        next = annotation && subtypeOf(document, annotation) === 'Widget' ? annotation.get(PARENT) : undefined
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
    const text = cutMatches(readSpoken(edited), rules)
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
  constructor(private readonly document: PdfDocument, private readonly rules: readonly Rule[]) {}

  /** Whether there is a match; nothing is changed or counted. */
  isNeeded(object: PDFObject): boolean {
    const { document, rules } = this
    return this.walk(object, {
      string: value => cutMatches(readSpoken(value), rules, { isCounted: false }) !== undefined,
      entry: (dict, key, value) => cutSpecial({ document, dict, key, value, rules, isCounted: false }) !== undefined,
    })
  }

  /** Whether something was changed. */
  cut(object: PDFObject): boolean {
    const { document, rules } = this
    return this.walk(object, {
      string: (value, replace) => {
        const text = cutMatches(readSpoken(value), rules)
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
      if (value instanceof PDFString || value instanceof PDFHexString) isFound = visitor.string(value, replace) || isFound
      else if (value instanceof PDFDict || value instanceof PDFArray) stack.push(value)
    }
    if (object instanceof PDFString || object instanceof PDFHexString) return visitor.string(object, () => undefined)
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (value instanceof PDFArray) {
        if (value.size() > 0 && this.document.peek(value.get(0)) === INDEXED) continue
        for (let index = 0; index < value.size(); index++) see(value.get(index), text => value.set(index, text))
        continue
      }
      const dict = value instanceof PDFStream ? value.dict : value
      if (!(dict instanceof PDFDict) || isSilent(this.document, dict)) continue
      for (const [key, entry] of dict.entries()) {
        if (visitor.entry(dict, key, entry)) isFound = true
        else if (!SILENT_KEYS.has(key) && !isSpecial(dict, key)) see(entry, text => dict.set(key, key === T && readText(text) === '' ? writeText(NAMELESS) : text))
      }
    }
    return isFound
  }
}

function isSilent(document: PdfDocument, dict: PDFDict): boolean {
  const type = document.peek(dict.get(TYPE))
  return type instanceof PDFName && SILENT_TYPES.has(type)
}

/** Comments that are shown as text were drawn with it; rich text of fields repeats their value. */
function dropShown(document: PdfDocument, changed: ReadonlySet<PDFRef>): void {
  const gone = new Set<PDFDict>()
  for (const ref of changed) {
    const dict = document.peekDict(ref)
    if (!dict) continue
    const kind = subtypeOf(document, dict)
    if (kind === 'FreeText' || kind === 'Stamp' || kind === 'Redact') gone.add(dict)
    if (dict.has(RV) && dict.has(V)) document.edit(ref).delete(RV)
  }
  if (gone.size > 0) removeAnnotations(document, { pages: new Set(document.pages.keys()), matches: annotation => gone.has(annotation), follows: () => true })
}
