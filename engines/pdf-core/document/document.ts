import { PDFArray, PDFContext, PDFDict, PDFNumber, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { EngineLimits, Warning } from '../../types'
import { AddedFeatures } from './added-features'
import { ObjectStore } from '../file-structure/object-store'
import type { DecodedStreams } from './decode-content'
import type { OutlineFacts } from '../structure/outline'
import type { Page } from './page-tree'
import { readPageTree } from './page-tree'
import type { InputFile } from '../file-structure/input-file'
import type { TagIndex } from '../tags/tag-index'
import * as Name from '../syntax/names'

/** What a file had when it was opened, found out when first asked for. */
interface FileFacts {
  tags?: TagIndex
  outline?: OutlineFacts
  /** Whether anything leads to its pages by their numbers, once all of them were looked at. */
  hasNumberedTargets?: boolean
  /** How many pages use a resource dictionary, or a part of one. */
  resourceUses?: ReadonlyMap<PDFObject, number>
}

/**
 * An open document: its objects, its catalog and its pages.
 *
 * Two ways to an object: `peek*` to look, `edit` to change. What was only looked at is copied as bytes when the
 * document is written, so changing a peeked object without `edit` has no effect.
 */
export class PdfDocument {
  readonly context: PDFContext
  readonly store: ObjectStore
  readonly rootRef: PDFRef
  infoRef: PDFRef | undefined
  /** The two strings of the trailer's /ID, when the file has them; without them the file gets a new identity. */
  id: PDFArray | undefined
  /** Whether the file carried signatures or permissions, which any change makes invalid. */
  readonly isSigned: boolean
  /** What happened on the way that the caller should know. */
  readonly warnings = new Set<Warning>()
  /** What edits added that its version or its conformance claims may not allow. */
  readonly addedFeatures = new AddedFeatures()
  /** The PDF version of content that came from other files. */
  leastVersion = '1.3'
  /** Whether its objects are packed into object streams although its file has none. */
  packsObjects = false
  /**
   * The pages as the file has them, whatever was done since; `isSound` tells whether its page tree was in order,
   * `hasPageFacts` whether `collectPageFacts` was here.
   */
  sourcePages: readonly Page[] = []
  isSound = false
  hasPageFacts = false
  /** Whether `resolveNumberedTargets` was here. */
  hasNumbersResolved = false
  /** Keeps decoded streams; undefined for documents that are gone through once. */
  decoded: DecodedStreams | undefined
  /** What all documents on the same file know of it together. */
  fileFacts: FileFacts = {}
  /** What was mended when the file was opened, to be done in every other document on it. */
  readonly mends: ((document: PdfDocument) => void)[] = []
  private pageList: Page[] | undefined
  private registeredCount = 0
  private readonly finishers: (() => void)[] = []

  /** Use `openDocument`. Throws EngineError `unreadable` when there is no catalog. */
  constructor(
    readonly source: InputFile,
    readonly limits: EngineLimits,
  ) {
    this.context = PDFContext.create()
    this.store = new ObjectStore(this.context)
    // The field is private and read-only in the types only; everything in pdf-lib reaches objects through it.
    Object.assign(this.context, { indirectObjects: this.store })
    this.store.addSource(source)
    const root = this.findRoot()
    this.rootRef = root
    const { trailer } = source.table
    const info = trailer.get(Name.Info)
    this.infoRef = info instanceof PDFRef && this.peek(info) instanceof PDFDict ? info : undefined
    const id = trailer.get(Name.ID)
    this.id = id instanceof PDFArray && id.size() === 2 ? id : undefined
    this.isSigned = this.findSignatures()
    this.context.trailerInfo = { Root: root, ...(this.infoRef && { Info: this.infoRef }) }
  }

  private findRoot(): PDFRef {
    for (let attempt = 0; attempt < 2; attempt++) {
      const root = this.source.table.trailer.get(Name.Root)
      const dict = this.peek(root)
      if (root instanceof PDFRef && dict instanceof PDFDict && dict.has(Name.Pages)) return root
      if (!this.source.repair('The document catalog was not where the trailer says.')) break
    }
    throw new EngineError('unreadable', 'The PDF is damaged beyond repair: it has no document catalog.')
  }

  /** The object behind a reference (or the value itself), for looking only. */
  peek(value: PDFObject | undefined): PDFObject | undefined {
    let object = value
    for (let hops = 0; object instanceof PDFRef; hops++) {
      if (hops > 32) return undefined // references in a circle
      object = this.store.peek(object)
    }
    return object
  }

  /** The dictionary (a stream's too) behind a value, for looking only. */
  peekDict(value: PDFObject | undefined): PDFDict | undefined {
    const object = this.peek(value)
    if (object instanceof PDFDict) return object
    return object instanceof PDFStream ? object.dict : undefined
  }

  peekArray(value: PDFObject | undefined): PDFArray | undefined {
    const object = this.peek(value)
    return object instanceof PDFArray ? object : undefined
  }

  peekNumber(value: PDFObject | undefined): number | undefined {
    const object = this.peek(value)
    return object instanceof PDFNumber && Number.isFinite(object.asNumber()) ? object.asNumber() : undefined
  }

  /** The dictionary behind a reference, to change it. Throws EngineError `unreadable` when there is none. */
  edit(ref: PDFRef): PDFDict {
    const object = this.store.get(ref)
    if (object instanceof PDFDict) return object
    if (object instanceof PDFStream) return object.dict
    throw new EngineError('unreadable', 'The PDF is damaged: an object that it refers to is missing.')
  }

  /** The value of `key` as a dictionary that may be changed: `owner` counts as changed where the value is direct. */
  editDict(ownerRef: PDFRef, key: PDFName): PDFDict | undefined {
    const value = this.peekDict(this.store.peek(ownerRef))?.get(key)
    if (value instanceof PDFRef) return this.peekDict(value) && this.edit(value)
    return value instanceof PDFDict ? (this.edit(ownerRef), value) : undefined
  }

  get catalog(): PDFDict {
    const catalog = this.peekDict(this.rootRef)
    if (!catalog) throw new EngineError('unreadable', 'The PDF is damaged beyond repair: it has no document catalog.')
    return catalog
  }

  editCatalog(): PDFDict {
    return this.edit(this.rootRef)
  }

  /** A new indirect object. Throws EngineError `too-large` when more are made than a file may have. */
  register(object: PDFObject): PDFRef {
    if (++this.registeredCount > this.limits.maxObjects) {
      throw new EngineError(
        'too-large',
        `The result would have more than ${this.limits.maxObjects.toLocaleString('en')} objects; use fewer pages.`,
      )
    }
    return this.context.register(object)
  }

  /** The pages in order. Throws EngineError `unreadable` when there are none, `too-large` when there are too many. */
  get pages(): Page[] {
    return (this.pageList ??= readPageTree(this).pages)
  }

  get pageCount(): number {
    return this.pages.length
  }

  /** Called by `setPages` when the tree was rebuilt. */
  replacePageList(pages: Page[]): void {
    this.pageList = pages
  }

  /** Has `finish` called whenever the document is about to be written; for what can only be made when all is drawn. */
  beforeSave(finish: () => void): void {
    this.finishers.push(finish)
  }

  /** Called by the writer. */
  finish(): void {
    for (const finish of this.finishers) finish()
  }

  private findSignatures(): boolean {
    const form = this.peekDict(this.catalog.get(Name.AcroForm))
    return (
      ((this.peekNumber(form?.get(Name.SigFlags)) ?? 0) & 1) === 1 ||
      this.peekDict(this.catalog.get(Name.Perms)) !== undefined
    )
  }
}
