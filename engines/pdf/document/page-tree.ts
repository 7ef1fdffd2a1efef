import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { PdfDocument } from './document'
import { findLostPages } from './recover-pages'
import type { PageTreeGap, TreeWalk } from './recover-pages'
import * as Name from '../syntax/names'
import { FactKind } from './facts'

/** Attributes that a page inherits from the nodes above it if it has no such entry (ISO 32000-2, table 31). */
const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map(name => PDFName.of(name))

type Inherited = ReadonlyMap<PDFName, PDFObject>

/** Facts about a page when its file was opened. Each is computed on first use. All documents on the file share them. */
interface PageFacts {
  annotationNumbers?: number[]
  resourceIdentities?: PDFObject[]
  structParents?: number
}

/** One page: its object, and what it inherits. */
export class Page {
  constructor(
    private readonly document: PdfDocument,
    readonly ref: PDFRef,
    readonly inherited: Inherited,
    readonly facts: PageFacts = {},
  ) {}

  /** The page's dictionary as it is now. Read-only. Empty if the page was removed. */
  get dict(): PDFDict {
    return this.document.peekDict(this.ref) ?? PDFDict.withContext(this.document.context)
  }

  /** The page's own value, or the inherited one. */
  attribute(name: PDFName): PDFObject | undefined {
    return this.dict.get(name) ?? this.inherited.get(name)
  }

  /** The same page in another document that was opened from the same file. */
  in(document: PdfDocument): Page {
    return new Page(document, this.ref, this.inherited, this.facts)
  }
}

interface Level {
  kids: PDFArray
  index: number
  inherited: Inherited
  node: PDFDict
  firstPage: number
  ref: PDFRef | undefined
}

/**
 * The pages as they are in the file, unaffected by later changes, and whether its page tree is valid. Found when the
 * file is opened.
 */
export const PAGES_IN_FILE = new FactKind<{ pages: readonly Page[]; isSound: boolean }>('pages in the file')

/**
 * Reads the page tree without recursion and enters each node only once. A kid that isn't a page is left out, or
 * replaced by pages that the tree lost in its place. `isSound` is false if the tree has wrong counts, or kids that are
 * null, direct or listed twice. Rebuild such a tree. Throws EngineError `damaged` if there is no page, and
 * `too_large` if there are too many.
 */
export function readPageTree(
  document: PdfDocument,
  catalogRef: PDFRef = document.rootRef,
): { pages: Page[]; isSound: boolean } {
  const isFileCatalog = catalogRef === document.rootRef
  // Each lost page that is found, and the repair of an empty tree, change what the next walk reads.
  for (;;) {
    const walk = new Walk(document, catalogRef)
    walk.run()
    const { pages, isSound } = walk
    const hasFoundPages = isFileCatalog && walk.hasGaps && findLostPages(document, walk.result)
    if (hasFoundPages) continue
    if (pages.length > 0) return { pages, isSound }
    if (!document.source.repair('The page tree was empty.')) throw noPages()
  }
}

class Walk {
  readonly pages: Page[] = []
  isSound = true
  private readonly visited = new Set<number>()
  private readonly listed = new Set<PDFRef>()
  private readonly gaps: PageTreeGap[] = []
  private readonly missing = new Map<PDFRef, number>()
  private readonly levels: Level[] = []

  constructor(
    private readonly document: PdfDocument,
    private readonly catalogRef: PDFRef,
  ) {}

  get hasGaps(): boolean {
    return this.gaps.length > 0
  }

  /** Input for finding the pages that the tree lost. */
  get result(): TreeWalk {
    const { gaps, visited: nodes, missing } = this
    return { gaps, nodes, missing, pages: this.pages.map(page => page.ref) }
  }

  run(): void {
    this.enterRoot()
    const { levels } = this
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      if (level.index >= level.kids.size()) this.leave(level)
      else this.visit(level, level.kids.get(level.index++))
    }
  }

  private enterRoot(): void {
    const { document, catalogRef } = this
    const value = document.peekDict(catalogRef)?.get(Name.Pages)
    const root = document.peekDict(value)
    const ref = refOf(document, value)
    if (!root) {
      this.isSound = false
      if (value) this.passGap({ ref: catalogRef, index: 1, inherited: new Map() }, value)
      return
    }
    const kids = kidsOf(document, root)
    if (kids) this.enter(value, root, kids, new Map())
    else if (ref && isPage(root)) {
      this.addPage(ref, new Map())
      this.isSound = false
    }
    if (!ref || root.get(Name.Type) !== Name.Pages || !hasArray(document, root)) this.isSound = false
  }

  private visit(level: Level, kid: PDFObject): void {
    const { document } = this
    const dict = document.peekDict(kid)
    const kids = dict && kidsOf(document, dict)
    const ref = refOf(document, kid)
    if (!dict || !ref || (kids && !hasArray(document, dict))) this.isSound = false
    if (!dict) {
      this.passGap(level, kid)
      return
    }
    if (dict.get(Name.Type) !== (kids ? Name.Pages : Name.Page) || dict.get(Name.Parent) !== level.ref)
      this.isSound = false
    if (kids && dict.get(Name.Type) !== Name.Page) {
      if (kid instanceof PDFRef && this.visited.has(kid.objectNumber)) this.isSound = false
      else this.enter(kid, dict, kids, level.inherited)
    } else if (isPage(dict) || (ref && document.store.isKnownPage(ref.objectNumber))) {
      this.addPage(ref ?? document.register(dict), level.inherited)
    } else {
      this.isSound = false
      this.passGap(level, kid)
    }
  }

  private enter(value: PDFObject | undefined, node: PDFDict, kids: PDFArray, above: Inherited): void {
    if (value instanceof PDFRef) this.visited.add(value.objectNumber)
    const ref = refOf(this.document, value)
    if (this.levels.length > MOST_LEVELS) {
      throw new EngineError('damaged', 'The PDF is damaged. Its page tree is too deep.')
    }
    this.levels.push({ ref, node, kids, index: 0, inherited: inherit(node, above), firstPage: this.pages.length })
  }

  private leave({ ref, node, firstPage }: Level): void {
    const missing = (this.document.peekNumber(node.get(Name.Count)) ?? -1) - (this.pages.length - firstPage)
    if (missing !== 0) this.isSound = false
    // If a node's /Count is smaller than its number of pages, the /Count is wrong and says nothing about missing pages.
    if (ref && missing >= 0) this.missing.set(ref, missing)
    this.levels.pop()
  }

  private passGap(level: Pick<Level, 'ref' | 'index' | 'inherited'>, kid: PDFObject): void {
    const { ref: node, index: next, inherited } = level
    if (!node) return
    const { document } = this
    // Check null kids too: if the file was opened before, a reference to a missing object already reads as null.
    const lost = document.store.findLostKids(node, next - 1)
    if (lost) this.enter(undefined, PDFDict.withContext(document.context), document.context.obj(lost), inherited)
    else if (kid !== PDFNull) this.gaps.push({ node, index: next - 1, kid, before: this.pages.at(-1)?.ref })
  }

  private addPage(ref: PDFRef, inherited: Inherited): void {
    const { document, pages, listed } = this
    const { maxPagesIn } = document.limits
    if (pages.length >= maxPagesIn) {
      const most = maxPagesIn.toLocaleString('en')
      throw new EngineError('too_large', `The PDF has more than ${most} pages. Send fewer pages at once.`)
    }
    if (listed.has(ref)) this.isSound = false
    listed.add(ref)
    pages.push(new Page(document, ref, inherited))
  }
}

/** Maximum depth of a page tree. */
const MOST_LEVELS = 50_000

/** The kids of a node. Some writers leave out the array of a single kid. */
function kidsOf(document: PdfDocument, node: PDFDict): PDFArray | undefined {
  const value = node.get(Name.Kids)
  const kids = document.peek(value)
  if (kids instanceof PDFArray) return kids
  if (!(kids instanceof PDFDict) || !value) return undefined
  const single = PDFArray.withContext(document.context)
  single.push(value)
  return single
}

/** The reference of a node or page that is a dictionary. Readers reject streams, so their entries are written anew. */
function refOf(document: PdfDocument, value: PDFObject | undefined): PDFRef | undefined {
  return value instanceof PDFRef && !(document.peek(value) instanceof PDFStream) ? value : undefined
}

/** Returns whether the kids of a node are an array, as readers demand. */
function hasArray(document: PdfDocument, node: PDFDict): boolean {
  return document.peek(node.get(Name.Kids)) instanceof PDFArray
}

function noPages(): EngineError {
  return new EngineError('damaged', 'The PDF has no pages, or is damaged beyond repair.')
}

/** Accepts pages without /Type. ISO 32000-2, 7.7.3.3 requires /Type, but readers don't. */
function isPage(dict: PDFDict): boolean {
  const type = dict.get(Name.Type)
  if (type === undefined)
    return dict.has(Name.Contents) || dict.has(Name.MediaBox) || dict.has(Name.Resources) || dict.has(Name.Parent)
  return (
    type === Name.Page ||
    (type instanceof PDFName && type !== Name.Pages && (dict.has(Name.Contents) || dict.has(Name.MediaBox)))
  )
}

function inherit(node: PDFDict, above: Inherited): Inherited {
  const ownAttributes = INHERITABLE.filter(name => node.get(name) !== undefined)
  if (ownAttributes.length === 0) return above
  const inherited = new Map(above)
  for (const name of ownAttributes) inherited.set(name, node.get(name) as PDFObject)
  return inherited
}

/** Maximum number of kids of a node in a rebuilt tree. Some readers are slow with a flat list of thousands of kids. */
const FAN_OUT = 64

/**
 * Makes these the pages of the document, in this order. Each page must be listed once. Pages keep their inherited
 * attributes. Pages that are left out stay in the store, so sever them. With `detach`, no attributes stay on nodes for
 * pages to inherit, because the attributes may contain parts of the pages that are left out.
 */
export function setPages(document: PdfDocument, pages: Page[], { detach = false } = {}): void {
  const rootRef = pagesRoot(document)
  const root = document.edit(rootRef)
  const isFlat = pages.length <= 2 * FAN_OUT
  const stays = (page: Page): boolean =>
    isFlat && page.dict.get(Name.Parent) === rootRef && page.inherited.size === ownInheritable(root)
  const keepsRoot = !detach && pages.every(stays)
  if (!keepsRoot) {
    const shared = new Map<PDFObject, PDFRef>()
    for (const page of pages) makeIndependent(document, page, shared)
    for (const name of INHERITABLE) root.delete(name)
  }
  const nodes = isFlat
    ? pages.map(page => page.ref)
    : group(
        document,
        pages.map(page => ({ ref: page.ref, count: 1 })),
      )
  root.set(Name.Type, Name.Pages)
  root.delete(Name.Parent)
  root.set(Name.Kids, document.context.obj(nodes))
  root.set(Name.Count, PDFNumber.of(pages.length))
  if (isFlat && !keepsRoot) for (const page of pages) document.edit(page.ref).set(Name.Parent, rootRef)
  if (!isFlat) for (const ref of nodes) document.edit(ref).set(Name.Parent, rootRef)
  document.replacePageList(keepsRoot ? pages : pages.map(page => new Page(document, page.ref, new Map())))
}

function ownInheritable(node: PDFDict): number {
  return INHERITABLE.filter(name => node.get(name) !== undefined).length
}

function pagesRoot(document: PdfDocument): PDFRef {
  const value = document.catalog.get(Name.Pages)
  const dict = document.peek(value)
  if (value instanceof PDFRef && dict instanceof PDFDict) {
    if (!isPage(dict)) return value
    if (document.peekArray(dict.get(Name.Kids)) && dict.get(Name.Type) !== Name.Page) return value
  }
  const ref = document.register(document.context.obj({ Type: 'Pages' }))
  document.editCatalog().set(Name.Pages, ref)
  return ref
}

/**
 * Writes inherited attributes and /Type onto the page. Removes /Kids, because readers take a page with kids for a node.
 */
function makeIndependent(document: PdfDocument, page: Page, shared: Map<PDFObject, PDFRef>): void {
  const dict = document.edit(page.ref)
  for (const [name, value] of page.inherited) {
    if (dict.get(name) !== undefined) continue
    // If many pages inherit a direct dictionary, make it indirect instead of writing it once for each page.
    if (value instanceof PDFDict && !shared.has(value)) shared.set(value, document.register(value))
    dict.set(name, shared.get(value) ?? value)
  }
  dict.set(Name.Type, Name.Page)
  dict.delete(Name.Kids)
  dict.delete(Name.Count)
}

/** Builds levels of intermediate nodes with at most FAN_OUT kids each. Returns the kids of the root. */
function group(document: PdfDocument, items: { ref: PDFRef; count: number }[]): PDFRef[] {
  let row = items
  while (row.length > FAN_OUT) {
    const above: { ref: PDFRef; count: number }[] = []
    for (let at = 0; at < row.length; at += FAN_OUT) {
      const kids = row.slice(at, at + FAN_OUT)
      const count = kids.reduce((sum, kid) => sum + kid.count, 0)
      const ref = document.register(
        document.context.obj({ Type: 'Pages', Kids: kids.map(kid => kid.ref), Count: count }),
      )
      for (const kid of kids) document.edit(kid.ref).set(Name.Parent, ref)
      above.push({ ref, count })
    }
    row = above
  }
  return row.map(item => item.ref)
}
