import type { PdfDocument } from '../../../pdf/document'
import { renameCustomNames } from '../names/rename-custom-names'
import { Rule } from '../search-rules/rule'
import { hasDataResidue } from '../residue/data-residue'
import { RemovedTerms } from '../residue/removed-terms'
import { redactUnseen } from '../strings/unseen-entries'
import { redactStructure } from '../strings/structure-strings'
import type { Unchecked } from '../unchecked-reasons'
import type { PageAreas } from './areas'
import { findRemovedWords } from './removed-words'

/**
 * Removes the words under areas from what their pages have without showing it: actions, identifiers, attributes of the
 * structure and names. Call it before the content under the areas is removed. Returns an entry for pages with more text
 * than can be searched, and one if a word is in bytes that can't be changed.
 */
export function removeCopies(document: PdfDocument, pages: readonly PageAreas[]): Unchecked[] {
  const all: Rule[] = []
  const cutPages: number[] = []
  for (const area of pages) {
    const page = document.pages[area.index]
    if (!page) continue
    const { texts, isCut } = findRemovedWords(document, area)
    if (isCut) cutPages.push(area.index)
    const rules = texts.map(
      text => new Rule({ text, caseSensitive: false, wholeWord: false }, 'options.areas', document.pageCount),
    )
    if (rules.length > 0) redactUnseen(document, page, rules)
    all.push(...rules)
  }
  if (all.length > 0) {
    redactStructure(document, all)
    renameCustomNames(document, all)
  }
  return [
    ...(cutPages.length > 0 ? [{ reason: 'long-page' as const, pages: cutPages }] : []),
    ...(hasDataResidue(document, new RemovedTerms(all)) ? [{ reason: 'data' as const }] : []),
  ]
}
