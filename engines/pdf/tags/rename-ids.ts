import { PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readNameTree, stringBytes, writeNameTree } from '../document/name-tree'
import { elementsBelow } from '../document/structure-elements'
import * as Name from '../syntax/names'
import { TagChanges } from './tag-changes'

/**
 * Gives numbers to the identifiers of structure elements that `isRenamed` selects by their bytes as Latin-1. References
 * to them in attributes and in the tree of identifiers follow (ISO 32000-2, 14.7.2).
 */
export function renameElementIds(document: PdfDocument, isRenamed: (id: string) => boolean): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const root = document.peekDict(rootRef)
  if (!(rootRef instanceof PDFRef) || !root) return
  const entries = readNameTree(document, root.get(Name.IDTree))
  const used = new Set(entries.map(({ key }) => key))
  for (const { dict } of elementsBelow(document, root)) {
    const id = stringBytes(document.peek(dict.get(Name.ID)))
    if (id !== undefined) used.add(id)
  }
  let count = 0
  const next = (): string => {
    do count++
    while (used.has(`element${count}`))
    return `element${count}`
  }
  const renamed = new Map([...used].filter(isRenamed).map(id => [id, next()]))
  if (renamed.size === 0) return
  const changes = new TagChanges()
  changes.ids = renamed
  changes.apply(document, root)
  const newEntries = entries.map(({ key, value }) => ({ key: renamed.get(key) ?? key, value }))
  if (entries.length > 0) document.edit(rootRef).set(Name.IDTree, writeNameTree(document, newEntries))
}
