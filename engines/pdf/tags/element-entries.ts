import { EntryReader } from '../syntax/dictionary-bytes'

/** The entries that tell structure elements from content items (ISO 32000-2, 14.7.2 and 14.7.5). */
export interface ElementEntries {
  hasType: boolean
  /** Whether there is an /Obj or an /MCID. */
  hasContent: boolean
  /** The object number of the parent, or 0 if /P isn't a reference. */
  parent: number
}

const reader = new EntryReader()

/** Reads these entries from the bytes of a dictionary. Undefined if the object must be parsed. */
export function readElementEntries(bytes: Uint8Array, start: number, end: number): ElementEntries | undefined {
  if (!reader.open(bytes, start, end)) return undefined
  const entries: ElementEntries = { hasType: false, hasContent: false, parent: 0 }
  while (reader.next()) {
    if (reader.isKey('S')) entries.hasType = true
    else if (reader.isKey('P')) entries.parent = reader.reference
    else if (reader.isKey('Obj') || reader.isKey('MCID')) entries.hasContent = true
  }
  return reader.isComplete ? entries : undefined
}
