import { annotationNumbers } from '../annotations/annotations'
import { Destinations } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { describeOutline, OUTLINE_FACTS } from '../structure/outline'
import type { OutlineItem, OutlineLead } from '../structure/outline'
import type { Page } from '../document/page-tree'
import { countResourceUses, RESOURCE_USES, findResourceIdentities } from '../document/resources'
import { TagIndex } from '../tags/tag-index'
import * as Name from '../syntax/names'
import { FactKind } from '../document/facts'

/** Collects facts about the file that all its documents need. Call it before the document is changed. */
export function collectFileFacts(document: PdfDocument): void {
  const { fileFacts } = document
  if (fileFacts.get(OUTLINE_FACTS)) return
  const destinations = new Destinations(document)
  fileFacts.set(
    OUTLINE_FACTS,
    describeOutline(document, item => findLead(destinations, item)),
  )
  fileFacts.set(RESOURCE_USES, countResourceUses(document))
  TagIndex.share(document)
}

/** Whether `collectPageFacts` ran. */
const HAS_PAGE_FACTS = new FactKind<boolean>('page facts')

/**
 * Collects facts about all pages that parts of the document need about the pages they leave out. Call it while all
 * pages are loaded.
 */
export function collectPageFacts(document: PdfDocument): void {
  if (document.facts.get(HAS_PAGE_FACTS)) return
  document.facts.set(HAS_PAGE_FACTS, true)
  annotationNumbers(document, document.pages)
  for (const page of document.pages) {
    findResourceIdentities(document, page)
    findStructParents(document, page)
  }
}

/** Stores the key of a page in the parent tree with the page. -1 if it has none. */
export function findStructParents(document: PdfDocument, page: Page): void {
  page.facts.structParents ??= document.peekNumber(page.dict.get(Name.StructParents)) ?? -1
}

/** Returns where a bookmark leads, and whether it is only a heading without a target. */
export function findLead(destinations: Destinations, { dict }: OutlineItem): OutlineLead {
  return { target: destinations.targetOf(dict), isHeading: destinations.of(dict) === undefined && !dict.has(Name.A) }
}
