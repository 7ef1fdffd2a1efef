import { PDFPageLeaf } from 'pdf-lib'
import { annotationNumbers, copyAnnotations, removeDeadLinks } from '../annotations/annotations'
import { Destinations, leadsNowhere, pruneDestinations } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { pruneFields } from '../forms/fields/form-fields'
import { readPageLabels, writePageLabels } from '../structure/page-labels'
import { resolveNumberedTargets } from './page-number-targets'
import { describeOutline, pruneOutline, OUTLINE_FACTS } from '../structure/outline'
import type { OutlineItem, OutlineLead } from '../structure/outline'
import { Page, setPages } from '../document/page-tree'
import { movePrintRange } from '../structure/print-range'
import { pruneTags } from '../tags/prune-tags'
import { countResourceUses, RESOURCE_USES, findResourceIdentities, pruneResources } from '../document/resources'
import { TagIndex } from '../tags/tag-index'
import { pruneThreads } from '../structure/article-threads'
import { dropXfa } from '../forms/fields/xfa'
import * as Name from '../syntax/names'
import { FactKind } from '../document/facts'

/**
 * Makes the document consist of the pages at these positions (from 0), in this order. Repeated pages become copies.
 *
 * Removed pages lose everything: content, annotations, form values, tags, bookmarks (children move up), named
 * destinations, links to the page, and resources that no other page uses. All other destinations keep their targets.
 */
export function selectPages(document: PdfDocument, indexes: number[]): void {
  const before = document.pages
  const labels = readPageLabels(document)
  const chosen = indexes.map(index => before[index] as Page) // the caller chose positions in this document
  const selected = new Set(chosen)
  const remaining = before.filter(page => selected.has(page))
  const removed = before.filter(page => !selected.has(page))
  const isMoved = indexes.length !== before.length || chosen.some((page, index) => page !== before[index])
  if (isMoved) resolveNumberedTargets(document, remaining)
  if (removed.length) {
    const destinations = new Destinations(document)
    pruneResources(document, remaining, removed)
    severPages(document, remaining, removed)
    const leadOf = (item: OutlineItem): OutlineLead => item.lead ?? findLead(destinations, item)
    pruneOutline(
      document,
      item => leadsNowhere(document, leadOf(item).target),
      item => leadOf(item).isHeading,
    )
    removeDeadLinks(document, remaining, destinations)
    pruneDestinations(document, destinations)
    pruneFields(document)
    document.replacePageList(remaining)
    pruneTags(document, removed)
    pruneThreads(document, remaining)
  }
  if (isMoved) dropXfa(document)
  setPages(document, copyRepeated(document, chosen), { detach: removed.length > 0 })
  movePrintRange(document, before)
  if (labels)
    writePageLabels(
      document,
      indexes.map(index => labels[index] ?? { style: undefined, prefix: undefined, number: 1 }),
    )
}

/** Rebuilds a broken page tree. Pages that are listed more than once become copies. */
export function rebuildPages(document: PdfDocument, pages: Page[]): void {
  setPages(document, copyRepeated(document, pages), { detach: true })
}

function findLead(destinations: Destinations, { dict }: OutlineItem): OutlineLead {
  return { target: destinations.targetOf(dict), isHeading: destinations.of(dict) === undefined && !dict.has(Name.A) }
}

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

function findStructParents(document: PdfDocument, page: Page): void {
  page.facts.structParents ??= document.peekNumber(page.dict.get(Name.StructParents)) ?? -1
}

function severPages(document: PdfDocument, remaining: Page[], removed: Page[]): void {
  for (const page of removed) findStructParents(document, page)
  const annotations = annotationNumbers(document, removed)
  if (annotations.size) for (const number of annotationNumbers(document, remaining)) annotations.delete(number)
  document.store.sever(removed.map(page => page.ref.objectNumber))
  document.store.sever(annotations)
}

/** Replaces repeated pages in the list with copies. */
export function copyRepeated(document: PdfDocument, pages: Page[]): Page[] {
  const seen = new Set<Page['ref']>()
  return pages.map(page => {
    if (seen.has(page.ref)) return copyPage(document, page)
    seen.add(page.ref)
    return page
  })
}

/** Copies a page. The copy has the same content. */
function copyPage(document: PdfDocument, page: Page): Page {
  const dict = PDFPageLeaf.fromMapWithContext(new Map(page.dict.entries()), document.context)
  const copy = new Page(document, document.register(dict), page.inherited)
  // Article beads and marked content belong to the original page.
  dict.delete(Name.B)
  if (dict.delete(Name.StructParents)) document.saving.addedFeatures.add('untagged-content')
  copyAnnotations(document, copy)
  return copy
}
