import { PDFHexString, PDFName, PDFRef, PDFStream, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { annotationsOf, removeAnnotations, subtypeOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { redrawFields } from './field-appearances'
import { dependsOnRemoved } from '../related/dependent-annotations'
import type { Rule } from '../search-rules/rule'
import { renameTreeKeys } from './rename-tree-keys'
import { redactNames } from './document-names'
import { redactFieldNames, redactLabels } from './shown-names'
import { cutString } from './special-strings'
import { redactObject } from './string-cutter'
import { redactUnseen } from './unseen-entries'
import { redactPackets } from '../xml/xmp-packets'

/**
 * Annotation subtypes that show their text on the page, and the entries with that text (ISO 32000-2, 12.5.6.6,
 * 12.5.6.12 and 12.5.6.23).
 */
const SHOWN_KINDS = new Set(['FreeText', 'Stamp', 'Redact'])
const SHOWN_TEXTS = ['Contents', 'RC', 'OverlayText'].map(name => PDFName.of(name))

/** Maximum number of parent fields to read. */
const MAX_DEPTH = 64

/**
 * Removes matches from every text string of the document: bookmarks, properties, comments, links, field values, texts
 * of structure elements. Rules with `pages` apply only to these pages, and to their annotations and fields. Changed fields are
 * drawn again. Annotations that show a match on the page are removed. XMP and XFA are searched too.
 */
export async function redactStrings(document: PdfDocument, rules: readonly Rule[]): Promise<void> {
  const general = rules.filter(rule => rule.isForAll)
  renameTreeKeys(document, general)
  redactLabels(document, general)
  const changed = new Set<PDFRef>()
  const shown = new Set<PDFDict>()
  for (const [ref, applicableRules] of [...collectGeneral(document, general), ...collectByPage(document, rules)]) {
    const isDrawn = showsMatch(document, ref, applicableRules)
    if (!redactObject(document, ref, applicableRules)) continue
    changed.add(ref)
    const dict = isDrawn ? document.peekDict(ref) : undefined
    if (dict) shown.add(dict)
  }
  for (const [index, page] of document.pages.entries()) {
    const rulesOnPage = rules.filter(rule => !rule.isForAll && rule.isOn(index))
    if (rulesOnPage.length > 0) redactUnseen(document, page, rulesOnPage)
  }
  redactFieldNames(document, general)
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
