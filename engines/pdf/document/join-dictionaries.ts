import { PDFName } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from './document'
import { isSameObject } from './object-equality'
import { copyDict } from './object-copies'

/** The result of joining two dictionaries. */
interface JoinedNames {
  joined: PDFDict
  /** New names of the added entries that had to be renamed. */
  renamed: Map<PDFName, PDFName>
}

/**
 * Adds the entries of another dictionary. If a different value already has the name, the added entry gets a free name,
 * such as `name_2`. Equal values share one name.
 */
export function joinDictionaries(document: PdfDocument, base: PDFDict | undefined, added: PDFDict): JoinedNames {
  const joined = copyDict(document, base)
  const renamed = new Map<PDFName, PDFName>()
  for (const [name, value] of added.entries()) {
    let free = name
    for (let count = 2; joined.has(free) && !isSameObject(document, joined.get(free), value);) {
      do free = numberedName(name, count++)
      while (added.has(free))
    }
    if (!joined.has(free)) joined.set(free, value)
    if (free !== name) renamed.set(name, free)
  }
  return { joined, renamed }
}

/** `name_2`, `name_3`, … */
export function numberedName(name: PDFName, count: number): PDFName {
  return PDFName.of(`${name.asString().slice(1)}_${count}`)
}
