import { PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { ObjectBytes } from '../files/input-file'
import { EntryReader, firstReference, isName } from '../syntax/dictionary-bytes'
import { referenceTo } from '../syntax/references'
import { skipSpace } from '../syntax/syntax'
import { FactKind } from '../document/facts'

/** Where an annotation leads, read from its bytes. */
export interface LinkEntries {
  isLink: boolean
  /** The object number at the start of its explicit destination in this document, or 0 if it leads nowhere here. */
  target: number
}

const OPEN_BRACKET = 0x5b

const reader = new EntryReader()

/**
 * Reads where an annotation leads without parsing it, because a file may have tens of thousands of links. Undefined if
 * the annotation must be parsed: if it was loaded or changed, if its bytes are unusual, or if it has another action
 * than GoTo or URI, a named destination, several actions or triggers.
 */
export function readLinkEntries(document: PdfDocument, annotation: PDFObject): LinkEntries | undefined {
  if (!(annotation instanceof PDFRef)) return undefined
  const { store } = document
  const links = document.facts.of(KNOWN_LINKS, () => new Map())
  const number = annotation.objectNumber
  const known = links.get(number)
  if (known && store.isUnread(number) && (known.action === 0 || store.isUnread(known.action))) return known.entries
  const place = store.locate(annotation)
  const link = place && readLink(document, place)
  if (link) links.set(number, link)
  return link?.entries
}

/** Where unchanged annotations lead, by object number, if their bytes told it. */
const KNOWN_LINKS = new FactKind<Map<number, KnownLink>>('links')

/** What is known of an annotation while it and its action are as in the file. */
interface KnownLink {
  entries: LinkEntries
  /** The object number of an indirect action, or 0. */
  action: number
}

function readLink(document: PdfDocument, place: ObjectBytes): KnownLink | undefined {
  if (!reader.open(place.bytes, place.start, place.end)) return undefined
  const { bytes } = place
  const entries: LinkEntries = { isLink: false, target: 0 }
  let action = -1
  let actionEnd = 0
  let actionNumber = 0
  while (reader.next()) {
    const { value, valueEnd } = reader
    if (reader.isKey('Subtype')) entries.isLink = isName(bytes, value, valueEnd, 'Link')
    else if (reader.isKey('A')) {
      action = value
      actionEnd = valueEnd
      actionNumber = reader.reference
    } else if (reader.isKey('Dest') || reader.isKey('PA') || reader.isKey('AA')) return undefined
  }
  if (!reader.isComplete) return undefined
  if (action < 0) return { entries, action: 0 }
  const { shift } = place
  const actionPlace =
    actionNumber > 0
      ? document.store.locate(referenceTo(actionNumber + shift, 0))
      : { bytes, start: action, end: actionEnd, shift }
  const target = actionPlace && readActionTarget(actionPlace)
  if (target === undefined) return undefined
  entries.target = target
  return { entries, action: actionNumber > 0 ? actionNumber + shift : 0 }
}

/** The object number in the destination of a GoTo action, 0 for a URI action, and undefined for anything else. */
function readActionTarget({ bytes, start, end, shift }: ObjectBytes): number | undefined {
  if (!reader.open(bytes, start, end)) return undefined
  let isGoTo = false
  let isUri = false
  let target = 0
  while (reader.next()) {
    const { value, valueEnd } = reader
    if (reader.isKey('S')) {
      isGoTo = isName(bytes, value, valueEnd, 'GoTo')
      isUri = isName(bytes, value, valueEnd, 'URI')
    } else if (reader.isKey('D')) {
      const first = bytes[value] === OPEN_BRACKET ? skipSpace(bytes, value + 1, valueEnd) : valueEnd
      target = firstReference(bytes, first, valueEnd)
    } else if (reader.isKey('Next') || reader.isKey('SD')) return undefined
  }
  if (!reader.isComplete || (!isUri && !(isGoTo && target > 0))) return undefined
  return isUri ? 0 : target + shift
}
