import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { readText, writeText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import type { Rule } from '../search-rules/rule'
import { colorTableOf, isMachineText, isMatchedNumber } from './machine-values'
import { cutSpecial, cutString, isSpecial } from './special-strings'

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

/** Removes matches from an object, except at the keys to skip. Returns whether it was changed. */
export function redactObject(
  document: PdfDocument,
  ref: PDFRef,
  rules: readonly Rule[],
  skippedKeys: ReadonlySet<PDFName> = new Set(),
): boolean {
  const object = document.peek(ref)
  if (!object || !new StringCutter(document, rules, skippedKeys).isNeeded(object)) return false
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
  return new StringCutter(document, rules, skippedKeys).cut(edited)
}

/** Handles a string, or an entry that needs special treatment. Returns whether there was a match. */
interface Visitor {
  string(value: PDFString | PDFHexString, replace: (value: PDFObject) => void): boolean
  number(value: PDFNumber, key: PDFName | undefined, replace: (value: PDFObject) => void): boolean
  entry(dict: PDFDict, key: PDFName, value: PDFObject): boolean
}

/** Removes matches from the strings of one object, without following references. */
export class StringCutter {
  constructor(
    private readonly document: PdfDocument,
    private readonly rules: readonly Rule[],
    private readonly skippedKeys: ReadonlySet<PDFName> = new Set(),
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
        if (this.skippedKeys.has(key)) continue
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
