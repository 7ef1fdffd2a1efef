import type { PdfDocument } from '../../../pdf/document'
import { renameCustomNames } from '../names/rename-custom-names'
import { Rule } from '../search-rules/rule'
import { redactUnseen } from '../strings/unseen-entries'
import { redactStructure } from '../strings/structure-strings'
import type { Unchecked } from '../unchecked-reasons'
import type { PageAreas } from '../areas/areas'
import { cutFields } from '../areas/cut-fields'
import { findRemovedWords } from '../areas/removed-words'

/** What `removeCopies` removed, and what it could not search. */
interface RemovedCopies {
  /** The words under the areas, as rules. */
  words: Rule[]
  unchecked: Unchecked[]
}

/**
 * Removes the words under areas from what their pages have without showing it: actions, identifiers, attributes of the
 * structure and names. Cuts the fields that are partly under areas first. Call it before other content is removed. Also returns the words, and an entry for
 * pages with more text than can be searched.
 */
export async function removeCopies(document: PdfDocument, pages: readonly PageAreas[]): Promise<RemovedCopies> {
  const fields = await cutFields(document, pages)
  const all: Rule[] = []
  const cutPages: number[] = []
  for (const area of pages) {
    const page = document.pages[area.index]
    if (!page) continue
    const { texts, isCut } = findRemovedWords(document, area, fields)
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
  const unchecked: Unchecked[] = cutPages.length > 0 ? [{ reason: 'long-page', pages: cutPages }] : []
  return { unchecked, words: all }
}
