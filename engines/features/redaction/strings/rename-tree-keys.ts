import { PDFArray, PDFDict, PDFHexString, PDFName, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { findReachable, readNameTree, replaceNames, stringBytes } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { writeText } from '../../../pdf/syntax'
import { renameElementIds } from '../../../pdf/tags'
import type { Rule } from '../search-rules/rule'
import { cutString } from './special-strings'

/** Entries that may name a destination of the document by a string (ISO 32000-2, 12.3.2.4). */
const DESTINATION_KEYS = new Set(['Dest', 'D', 'OpenAction'].map(name => PDFName.of(name)))

/** The name of an entry whose name is only the match. */
const EMPTY_NAME = 'redacted'

/**
 * Removes matches from the keys of the catalog's name trees, and from identifiers of structure elements. Changed trees
 * are written anew, sorted and with unique keys that aren't empty (ISO 32000-2, 7.9.6). Links to destinations follow.
 */
export function renameTreeKeys(document: PdfDocument, rules: readonly Rule[]): void {
  if (rules.length === 0) return
  const names = document.peekDict(document.catalog.get(Name.Names))
  for (const tree of names?.keys() ?? []) {
    const entries = readNameTree(document, names?.get(tree))
    const renamed = renameKeys(
      entries.map(({ key }) => key),
      rules,
    )
    if (renamed.size === 0) continue
    replaceNames(
      document,
      tree,
      entries.map(({ key, value }) => ({ key: renamed.get(key) ?? key, value })),
    )
    if (tree === Name.Dests) redirect(document, renamed)
  }
  renameElementIds(document, id => cutKey(id, rules) !== undefined)
}

/** Returns the new keys by the old ones, as bytes in Latin-1. */
function renameKeys(keys: readonly string[], rules: readonly Rule[]): Map<string, string> {
  const renamed = new Map<string, string>()
  const used = new Set(keys)
  for (const key of new Set(keys)) {
    const cut = cutKey(key, rules)
    if (cut === undefined) continue
    const text = cut.trim() || EMPTY_NAME
    let next = bytesOf(text)
    // Numbers aren't tried one by one, because thousands of keys may have the same text.
    for (let count = used.size + 1; used.has(next); count++) next = bytesOf(`${text} ${count}`)
    used.add(next)
    renamed.set(key, next)
  }
  return renamed
}

function cutKey(key: string, rules: readonly Rule[]): string | undefined {
  return cutString(PDFHexString.of(Buffer.from(key, 'latin1').toString('hex')), rules)
}

function bytesOf(text: string): string {
  return Buffer.from(writeText(text).asBytes()).toString('latin1')
}

/** Updates the strings that name these destinations. */
function redirect(document: PdfDocument, renamed: ReadonlyMap<string, string>): void {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const object = document.peek(ref)
    if (!object || findNamed(object, renamed).length === 0) continue
    for (const { dict, key, to } of findNamed(document.store.get(ref) ?? object, renamed))
      dict.set(key, PDFHexString.of(Buffer.from(to, 'latin1').toString('hex')))
  }
}

/** Returns the entries of an object that name one of these destinations. */
function findNamed(
  object: PDFObject,
  renamed: ReadonlyMap<string, string>,
): { dict: PDFDict; key: PDFName; to: string }[] {
  const found: { dict: PDFDict; key: PDFName; to: string }[] = []
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFStream) stack.push(value.dict)
    else if (value instanceof PDFArray) {
      for (const item of value.asArray()) if (item instanceof PDFDict || item instanceof PDFArray) stack.push(item)
    } else if (value instanceof PDFDict) {
      for (const [key, entry] of value.entries()) {
        const isName = (entry instanceof PDFString || entry instanceof PDFHexString) && DESTINATION_KEYS.has(key)
        const to = isName ? renamed.get(stringBytes(entry) ?? '') : undefined
        if (to !== undefined) found.push({ dict: value, key, to })
        else if (entry instanceof PDFDict || entry instanceof PDFArray) stack.push(entry)
      }
    }
  }
  return found
}
