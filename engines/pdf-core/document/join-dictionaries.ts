import { PDFDict, PDFName } from 'pdf-lib'
import type { PdfDocument } from './document'
import { isSameObject } from './object-equality'

/** Two dictionaries of named things as one. */
interface JoinedNames {
  joined: PDFDict
  /** New names of what was added. */
  renamed: Map<PDFName, PDFName>
}

/**
 * Adds the entries of another dictionary. If a name is taken by something else, the added entry gets a free name, such
 * as `name_2`; what is the same keeps one name.
 */
export function joinDictionaries(document: PdfDocument, own: PDFDict | undefined, added: PDFDict): JoinedNames {
  const joined = PDFDict.fromMapWithContext(new Map(own?.entries() ?? []), document.context)
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
