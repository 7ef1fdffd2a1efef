import { annotationNumbers, removeDeadLinks } from '../annotations/annotations'
import { Destinations, leadsNowhere, pruneDestinations } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { pruneFields } from '../forms/fields/form-fields'
import { readPageLabels, writePageLabels } from '../structure/page-labels'
import { resolveNumberedTargets } from './page-number-targets'
import { pruneOutline } from '../structure/outline'
import type { OutlineItem, OutlineLead } from '../structure/outline'
import { setPages } from '../document/page-tree'
import type { Page } from '../document/page-tree'
import { movePrintRange } from '../structure/print-range'
import { pruneTags } from '../tags/prune-tags'
import { pruneResources } from '../document/resources'
import { pruneThreads } from '../structure/article-threads'
import { dropXfa } from '../forms/fields/xfa'
import { findLead, findStructParents } from '../open-save/collect-facts'
import { copyRepeated } from '../open-save/repeated-pages'

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

function severPages(document: PdfDocument, remaining: Page[], removed: Page[]): void {
  for (const page of removed) findStructParents(document, page)
  const annotations = annotationNumbers(document, removed)
  if (annotations.size) for (const number of annotationNumbers(document, remaining)) annotations.delete(number)
  document.store.sever(removed.map(page => page.ref.objectNumber))
  document.store.sever(annotations)
}
