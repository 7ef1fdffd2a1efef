import { PDFArray, PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { PageOrder } from '../file-structure/page-order'
import * as Name from '../syntax/names'

/**
 * A place in the page tree that leads to nothing. The catalog counts as a node with one kid, the root. Null leaves no
 * gap: who removes a page may write that.
 */
export interface PageTreeGap {
  node: PDFRef
  index: number
  kid: PDFObject
  /** The page in front of it. */
  before: PDFRef | undefined
}

/** What a walk through a page tree came upon. */
export interface TreeWalk {
  gaps: PageTreeGap[]
  /** The pages, in order. */
  pages: readonly PDFRef[]
  /** Object numbers of the nodes. */
  nodes: ReadonlySet<number>
  /** How many pages each node says that it has more than were found below it. */
  missing: ReadonlyMap<PDFRef, number>
}

/** Files with more objects are not searched for pages. */
const MOST_SEARCHED = 50_000

/** Bytes that object streams may be inflated to for the search; those with pages are far smaller. */
const MOST_INFLATED = 100_000_000

/** Nodes that lie below each other and are lost in turns. */
const MOST_ROUNDS = 16

/** Levels below a node that are looked into for its first page. */
const MOST_LEVELS = 64

/** Lost nodes that nothing names, times the places where they may belong. */
const MOST_COMPARED = 1_000_000

/**
 * Looks for what belongs where the tree leads to nothing, and notes it in the file's `lostKids`. Gives whether there is
 * something new: the tree has to be walked again then. Three kinds are found by the parents that they name:
 *
 * - A node is lost whole: the pages and nodes that name it are its kids.
 * - A reference was damaged: a page or node that no node lists names the node with the gap.
 * - Nodes below each other are lost: nothing names the upper one, and its place in the tree tells where the kids of the
 *   lower one belong.
 *
 * Pages that were removed on purpose may name their parents too. So no more come back than their node counts, and none
 * where more name a node as their parent than it has gaps. Kids of a lost node are in the order in which the file has
 * its pages.
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

/** Whether the cross-reference table says nothing of an object that it should have. */
function isUnlisted({ source }: PdfDocument, kid: PDFObject): boolean {
  if (!(kid instanceof PDFRef) || source.table.isSettled(kid.objectNumber)) return false
  const size = source.table.trailer.get(Name.Size)
  return !size || kid.objectNumber < Number(size.toString())
}

/** Pages and nodes that no node lists, by the number of the parent that they name. */
type Children = Map<number, PDFRef[]>

class Search {
  /** Whether all objects were looked at. */
  readonly isWhole: boolean
  private readonly children: Children = new Map()
  private readonly order: PageOrder
  private readonly left: Map<PDFRef, number>
  private readonly found = new Map<PageTreeGap, PDFRef[]>()
  private readonly firstPages = new Map<PDFRef, PDFRef>()

  constructor(
    private readonly document: PdfDocument,
    private readonly walk: TreeWalk,
  ) {
    this.left = new Map(walk.missing)
    const listed = new Set(walk.pages)
    const sequences: (readonly PDFRef[])[] = [walk.pages]
    const mostInflated = document.source.inflatedBytes + MOST_INFLATED
    for (const ref of document.source.listReferences()) {
      if (document.source.inflatedBytes > mostInflated) break
      const dict = listed.has(ref) || walk.nodes.has(ref.objectNumber) ? undefined : document.peek(ref)
      if (!(dict instanceof PDFDict)) continue
      const type = dict.get(Name.Type)
      const parent = type === Name.Page || type === Name.Pages ? dict.get(Name.Parent) : undefined
      if (!(parent instanceof PDFRef) || parent === ref) continue
      const siblings = this.children.get(parent.objectNumber)
      if (siblings) siblings.push(ref)
      else this.children.set(parent.objectNumber, [ref])
      const kids = type === Name.Pages ? document.peek(dict.get(Name.Kids)) : undefined
      if (kids instanceof PDFArray) sequences.push(kids.asArray().filter(kid => kid instanceof PDFRef))
    }
    this.isWhole = document.source.inflatedBytes <= mostInflated
    this.order = new PageOrder(document.source, sequences)
  }

  /** Notes what was found, and gives the gaps that are left. */
  fill(): PageTreeGap[] {
    const { gaps } = this.walk
    for (const [node, own] of groupBy(gaps, gap => gap.node)) this.fillNode(node, own)
    this.placeOrphans(gaps)
    for (const [{ node, index }, refs] of this.found) {
      this.document.source.noteLostKids(node.objectNumber, index, this.sort(refs))
    }
    return gaps.filter(gap => !this.found.has(gap))
  }

  /** Gives back kids of lost nodes, then what names the node itself. */
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
    const open = gaps.filter(gap => !this.found.has(gap))
    const strays = this.children.get(node.objectNumber) ?? []
    if (strays.length === 0 || strays.length > open.length) return
    const sorted = this.sort(strays)
    const hasNode = strays.some(ref => this.document.peekDict(ref)?.get(Name.Type) === Name.Pages)
    const places = new Map(sorted.map((stray, index) => [open[index] as PageTreeGap, [stray]])) // as many at least
    if (hasNode) this.accept(node, places)
    else this.keep(places)
  }

  /** What names a parent that is lost and that nothing names goes where its place in the file lies in the tree. */
  private placeOrphans(gaps: readonly PageTreeGap[]): void {
    const kids = new Set(gaps.map(({ kid }) => (kid instanceof PDFRef ? kid.objectNumber : -1)))
    const groups = [...this.children].filter(([parent]) => !kids.has(parent) && this.isLost(parent))
    const open = gaps.filter(gap => !this.found.has(gap) && gap.kid instanceof PDFRef)
    const places = open.length > 0 ? open : gaps.filter(gap => gap.kid instanceof PDFRef)
    const [foremost] = places
    if (groups.length === 0 || !foremost || groups.length * places.length > MOST_COMPARED) return
    const sum = groups.reduce((total, [, refs]) => total + this.countPages(refs), 0)
    const nodes = new Set(places.map(gap => gap.node))
    let room = 0
    for (const node of nodes) room += this.left.get(node) ?? Infinity
    if (sum > room) return
    for (const [, refs] of groups) {
      const first = this.firstPage(this.sort(refs)[0] as PDFRef) // a group has one at least
      const isBehind = ({ before }: PageTreeGap): boolean =>
        before !== undefined && this.order.compare(before, first) < 0
      const place = places.findLast(isBehind) ?? foremost
      const kidsThere = this.found.get(place) ?? []
      this.found.set(place, kidsThere)
      for (const ref of refs) kidsThere.push(ref)
    }
  }

  /** The same references in the order of their first pages. */
  private sort(refs: readonly PDFRef[]): PDFRef[] {
    return [...refs].sort((one, other) => this.order.compare(this.firstPage(one), this.firstPage(other)))
  }

  /** The page itself, or the first one below a node, as far as that can be told. */
  private firstPage(ref: PDFRef): PDFRef {
    const known = this.firstPages.get(ref)
    if (known) return known
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

  /** Whether the number is none of a page or node. */
  private isLost(number: number): boolean {
    const { store, source } = this.document
    const dict = source.table.has(number) ? this.document.peekDict(source.referenceOf(number)) : undefined
    return !store.isSevered(number) && (!dict || (dict.get(Name.Type) !== Name.Pages && !dict.has(Name.Kids)))
  }

  /** Takes these in unless they are more pages than the node counts. */
  private accept(node: PDFRef, places: ReadonlyMap<PageTreeGap, PDFRef[]>): void {
    const count = [...places.values()].reduce((sum, refs) => sum + this.countPages(refs), 0)
    const left = this.left.get(node) ?? Infinity
    if (count > left) return
    this.left.set(node, left - count)
    this.keep(places)
  }

  private keep(places: ReadonlyMap<PageTreeGap, PDFRef[]>): void {
    for (const [gap, refs] of places) this.found.set(gap, [...refs])
  }

  private countPages(refs: readonly PDFRef[]): number {
    const { document } = this
    const countOf = (ref: PDFRef): number => document.peekNumber(document.peekDict(ref)?.get(Name.Count)) ?? 1
    return refs.reduce((sum, ref) => sum + Math.max(1, countOf(ref)), 0)
  }
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
