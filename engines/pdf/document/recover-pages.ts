import { PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { PageOrder } from '../files/page-order'
import * as Name from '../syntax/names'
import { addTo } from '../../map-entries'

/**
 * An entry of the page tree that leads to no object. The catalog counts as a node with one kid, the root. A null entry
 * isn't a gap, because programs that remove a page may write null.
 */
export interface PageTreeGap {
  node: PDFRef
  index: number
  kid: PDFObject
  /** The last page before the gap. */
  before: PDFRef | undefined
}

/** The result of walking a page tree. */
export interface TreeWalk {
  gaps: PageTreeGap[]
  /** The pages, in order. */
  pages: readonly PDFRef[]
  /** Object numbers of the nodes. */
  nodes: ReadonlySet<number>
  /** For each node, its /Count minus the number of pages found below it. */
  missing: ReadonlyMap<PDFRef, number>
}

/** Files with more objects aren't searched for lost pages. */
const MOST_SEARCHED = 50_000

/**
 * Maximum number of bytes that the search may inflate from object streams. Object streams with pages are far smaller.
 */
const MOST_INFLATED = 100_000_000

/** Maximum number of repeated searches. Each search finds one more level if lost nodes lie below other lost nodes. */
const MOST_ROUNDS = 16

/** Maximum number of levels below a node to look for its first page. */
const MOST_LEVELS = 64

/** Maximum number of comparisons between lost nodes that nothing refers to and gaps where they may belong. */
const MOST_COMPARED = 1_000_000

/**
 * Looks for the pages and nodes that belong in the gaps of the page tree and records them in the file's `lostKids`.
 * Returns whether it found any. If so, the caller must walk the tree again. The search goes by /Parent and covers three
 * cases:
 *
 * - A node is lost. The pages and nodes that name it as their /Parent are its kids.
 * - A reference is damaged. A page or node that no node lists names the node with the gap as its /Parent.
 * - Several nodes below each other are lost, and nothing refers to the upper one. The position of the lower one's kids
 *   in the file tells their position in the tree.
 *
 * Pages that were removed on purpose may name a /Parent too. So the search restores no more pages than the node's
 * /Count allows, and none if more pages name a node than it has gaps. Kids of a lost node keep their order in the file.
 */
export function findLostPages(document: PdfDocument, walk: TreeWalk): boolean {
  const { source } = document
  if (source.lostRounds >= MOST_ROUNDS) return false
  source.lostRounds++
  const reason = 'The cross-reference table does not list all of the page tree.'
  if (walk.gaps.some(gap => isUnlisted(document, gap.kid)) && source.repair(reason)) return true
  const isSmall = source.table.entryCount <= MOST_SEARCHED
  const search = isSmall ? new Search(document, walk) : undefined
  const open = search?.isWhole ? search.fill() : walk.gaps
  if (open.length < walk.gaps.length) return true
  source.lostRounds = MOST_ROUNDS
  return false
}

/** Returns whether the cross-reference table has no entry for an object that the file should have. */
function isUnlisted({ source }: PdfDocument, kid: PDFObject): boolean {
  if (!(kid instanceof PDFRef) || source.table.isSettled(kid.objectNumber)) return false
  const size = source.table.trailer.get(Name.Size)
  return !size || kid.objectNumber < Number(size.toString())
}

/** Pages and nodes that no node lists, by the object number of their /Parent. */
type Children = Map<number, PDFRef[]>

class Search {
  /** Whether the search covered all objects, rather than ended at the limit of inflated bytes. */
  readonly isWhole: boolean
  private readonly children: Children = new Map()
  private readonly order: PageOrder
  private readonly pagesMissing: Map<PDFRef, number>
  private readonly filled = new Map<PageTreeGap, PDFRef[]>()
  private readonly firstPages = new Map<PDFRef, PDFRef>()

  constructor(
    private readonly document: PdfDocument,
    private readonly walk: TreeWalk,
  ) {
    this.pagesMissing = new Map(walk.missing)
    const listed = new Set(walk.pages)
    const sequences: (readonly PDFRef[])[] = [walk.pages]
    const mostInflated = document.source.inflatedBytes + MOST_INFLATED
    for (const ref of document.source.listReferences()) {
      if (document.source.inflatedBytes > mostInflated) break
      const isInTree = listed.has(ref) || walk.nodes.has(ref.objectNumber)
      const dict = isInTree ? undefined : document.peek(ref)
      if (!(dict instanceof PDFDict)) continue
      const type = dict.get(Name.Type)
      if (type !== Name.Page && type !== Name.Pages) continue
      const parent = dict.get(Name.Parent)
      if (!(parent instanceof PDFRef) || parent === ref) continue
      addTo(this.children, parent.objectNumber, ref)
      if (type === Name.Pages)
        sequences.push(document.peekItems(dict.get(Name.Kids)).filter(kid => kid instanceof PDFRef))
    }
    this.isWhole = document.source.inflatedBytes <= mostInflated
    this.order = new PageOrder(document.source, sequences)
  }

  /** Records the found kids, and returns the gaps that remain. */
  fill(): PageTreeGap[] {
    const { gaps } = this.walk
    for (const [node, gapsOfNode] of groupBy(gaps, gap => gap.node)) this.fillNode(node, gapsOfNode)
    this.placeOrphans(gaps)
    for (const [{ node, index }, refs] of this.filled) {
      this.document.source.recordLostKids(node.objectNumber, index, this.sort(refs))
    }
    return gaps.filter(gap => !this.filled.has(gap))
  }

  /** Fills gaps with the kids of lost nodes, then with pages and nodes that name the node itself as their /Parent. */
  private fillNode(node: PDFRef, gaps: PageTreeGap[]): void {
    const claims = new Map<PageTreeGap, PDFRef[]>()
    const claimed = new Set<number>()
    for (const gap of gaps) {
      const number = gap.kid instanceof PDFRef ? gap.kid.objectNumber : -1
      const kids = claimed.has(number) ? undefined : this.children.get(number)
      claimed.add(number)
      if (kids) claims.set(gap, kids)
    }
    this.accept(node, claims)
    const open = gaps.filter(gap => !this.filled.has(gap))
    const strays = this.children.get(node.objectNumber) ?? []
    if (strays.length === 0 || strays.length > open.length) return
    const sorted = this.sort(strays)
    const hasNode = strays.some(ref => this.document.peekDict(ref)?.get(Name.Type) === Name.Pages)
    const places = new Map(sorted.map((stray, index) => [open[index] as PageTreeGap, [stray]])) // as many at least
    if (hasNode) this.accept(node, places)
    else this.keep(places)
  }

  /** Places pages and nodes whose /Parent is lost and unreferenced. Their position in the file decides on the gap. */
  private placeOrphans(gaps: readonly PageTreeGap[]): void {
    const kids = new Set(gaps.map(({ kid }) => (kid instanceof PDFRef ? kid.objectNumber : -1)))
    const groups = [...this.children].filter(([parent]) => !kids.has(parent) && this.isLost(parent))
    const open = gaps.filter(gap => !this.filled.has(gap) && gap.kid instanceof PDFRef)
    const places = open.length > 0 ? open : gaps.filter(gap => gap.kid instanceof PDFRef)
    const [foremost] = places
    if (groups.length === 0 || !foremost || groups.length * places.length > MOST_COMPARED) return
    const sum = groups.reduce((total, [, refs]) => total + this.countPages(refs), 0)
    const nodes = new Set(places.map(gap => gap.node))
    let room = 0
    for (const node of nodes) room += this.pagesMissing.get(node) ?? Infinity
    if (sum > room) return
    for (const [, refs] of groups) {
      const first = this.firstPage(this.sort(refs)[0] as PDFRef) // a group is never empty
      const isBehind = ({ before }: PageTreeGap): boolean =>
        before !== undefined && this.order.compare(before, first) < 0
      const place = places.findLast(isBehind) ?? foremost
      for (const ref of refs) addTo(this.filled, place, ref)
    }
  }

  /** Sorts references by the order of their first pages. */
  private sort(refs: readonly PDFRef[]): PDFRef[] {
    return [...refs].sort((one, other) => this.order.compare(this.firstPage(one), this.firstPage(other)))
  }

  /** Returns the page itself, or the first page below a node if it can be found. */
  private firstPage(ref: PDFRef): PDFRef {
    const cached = this.firstPages.get(ref)
    if (cached) return cached
    const { document, children } = this
    let first = ref
    for (let depth = 0; depth < MOST_LEVELS; depth++) {
      const dict = document.peekDict(first)
      const kids = dict?.get(Name.Type) === Name.Page ? undefined : document.peekArray(dict?.get(Name.Kids))
      const kid = kids && kids.size() > 0 ? kids.get(0) : undefined
      if (!(kid instanceof PDFRef)) break
      const lost = document.peekDict(kid) ? [] : (children.get(kid.objectNumber) ?? [])
      first = lost.reduce((least, one) => (this.order.compare(one, least) < 0 ? one : least), lost[0] ?? kid)
    }
    this.firstPages.set(ref, first)
    return first
  }

  /** Returns whether the object number belongs to no page and no node. */
  private isLost(number: number): boolean {
    const { store, source } = this.document
    const dict = source.table.has(number) ? this.document.peekDict(source.referenceOf(number)) : undefined
    return !store.isSevered(number) && (!dict || (dict.get(Name.Type) !== Name.Pages && !dict.has(Name.Kids)))
  }

  /** Accepts these kids unless they have more pages than the node's /Count allows. */
  private accept(node: PDFRef, places: ReadonlyMap<PageTreeGap, PDFRef[]>): void {
    const count = [...places.values()].reduce((sum, refs) => sum + this.countPages(refs), 0)
    const pagesMissing = this.pagesMissing.get(node) ?? Infinity
    if (count > pagesMissing) return
    this.pagesMissing.set(node, pagesMissing - count)
    this.keep(places)
  }

  private keep(places: ReadonlyMap<PageTreeGap, PDFRef[]>): void {
    for (const [gap, refs] of places) this.filled.set(gap, [...refs])
  }

  private countPages(refs: readonly PDFRef[]): number {
    const { document } = this
    const countOf = (ref: PDFRef): number => document.peekNumber(document.peekDict(ref)?.get(Name.Count)) ?? 1
    return refs.reduce((sum, ref) => sum + Math.max(1, countOf(ref)), 0)
  }
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return groups
}
