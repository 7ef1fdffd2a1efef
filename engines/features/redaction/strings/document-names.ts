import { PDFArray, PDFDict, PDFHexString, PDFName, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { renameButtonStates } from '../names/rename-button-states'
import { findInName, renameCustomNames } from '../names/rename-custom-names'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'

/** Entries that may name a destination (ISO 32000-2, 12.3.2.4). */
const DESTINATION_KEYS = new Set(['Dest', 'D', 'OpenAction'].map(name => PDFName.of(name)))

/** Standard document properties (ISO 32000-2, table 349). */
const KNOWN = new Set([
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
  'CreationDate',
  'ModDate',
  'Trapped',
])

/**
 * Removes matches from custom names: states of buttons, destinations, properties, all other names that no specification
 * defines, and the file identifier. Rules with `pages` apply to buttons only.
 */
export function redactNames(document: PdfDocument, all: readonly Rule[]): void {
  renameButtonStates(document, all)
  const rules = all.filter(rule => rule.isForAll)
  if (rules.length === 0) return
  renameDestinations(document, rules)
  const { infoRef } = document
  const { id } = document.saving
  const info = infoRef && document.peekDict(infoRef)
  const matchedKeys = info?.keys().filter(key => !KNOWN.has(key.decodeText()) && isMatch(key.decodeText(), rules)) ?? []
  const named =
    info
      ?.entries()
      .filter(([, value]) => value instanceof PDFName && findInName(value.decodeText(), rules) !== undefined) ?? []
  if (infoRef) for (const key of [...matchedKeys, ...named.map(([key]) => key)]) document.edit(infoRef).delete(key)
  if (id?.asArray().some(part => textsOf(part).some(text => isMatch(text, rules)))) document.saving.id = undefined
  renameCustomNames(document, rules)
}

function isMatch(text: string, rules: readonly Rule[]): boolean {
  return cutMatches(text, rules, { isCounted: false }) !== undefined && cutMatches(text, rules) !== undefined
}

/**
 * The texts that the bytes of a string may stand for: one character for each byte (Latin-1), or UTF-16 with the high
 * byte first. Programs may write text into a file identifier in either form. Empty for other objects.
 */
function textsOf(value: PDFObject | undefined): string[] {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return []
  const bytes = Buffer.from(value.asBytes())
  return [bytes.toString('latin1'), new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1))]
}

/** Renames destinations, and updates the links to them. */
function renameDestinations(document: PdfDocument, rules: readonly Rule[]): void {
  const dests = document.peekDict(document.catalog.get(Name.Dests))
  if (!dests) return
  const names = new Map<PDFName, PDFName>()
  for (const key of dests.keys()) {
    if (!isMatch(key.decodeText(), rules)) continue
    let count = names.size + 1
    while (dests.has(PDFName.of(`redacted${count}`))) count++
    names.set(key, PDFName.of(`redacted${count}`))
  }
  if (names.size === 0) return
  const edited = document.editDict(document.rootRef, Name.Dests) ?? dests
  for (const [from, to] of names) {
    const place = edited.get(from)
    edited.delete(from)
    if (place) edited.set(to, place)
  }
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const object = document.peek(ref)
    if (object && findDestinationNames(object, names).length > 0)
      for (const { dict, key, to } of findDestinationNames(document.store.get(ref) ?? object, names)) dict.set(key, to)
  }
}

/** Returns the entries in an object that name one of these destinations. */
function findDestinationNames(
  object: PDFObject,
  names: ReadonlyMap<PDFName, PDFName>,
): { dict: PDFDict; key: PDFName; to: PDFName }[] {
  const found: { dict: PDFDict; key: PDFName; to: PDFName }[] = []
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFStream) stack.push(value.dict)
    else if (value instanceof PDFArray)
      stack.push(...value.asArray().filter(item => item instanceof PDFDict || item instanceof PDFArray))
    else if (value instanceof PDFDict) {
      for (const [key, entry] of value.entries()) {
        const to = entry instanceof PDFName && DESTINATION_KEYS.has(key) ? names.get(entry) : undefined
        if (to) found.push({ dict: value, key, to })
        else if (entry instanceof PDFDict || entry instanceof PDFArray) stack.push(entry)
      }
    }
  }
  return found
}
