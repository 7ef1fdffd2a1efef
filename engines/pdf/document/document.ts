import { PDFArray, PDFContext, PDFDict, PDFName, PDFNumber, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { EngineLimits, Warning } from '../../types'
import { Facts } from './facts'
import { ObjectStore } from '../files/object-store'
import { readPageTree } from './page-tree'
import type { Page } from './page-tree'
import type { InputFile } from '../files/input-file'
import { nameText } from '../syntax/name-text'
import * as Name from '../syntax/names'
import type { Deflate } from '../filters/deflate'
import { AddedFeatures } from './added-features'

/**
 * An open document: its objects, its catalog and its pages.
 *
 * `peek*` reads an object, `edit` changes it. The writer copies an unedited object byte by byte, so changing a peeked
 * object without `edit` has no effect.
 */
export class PdfDocument {
  readonly context: PDFContext
  readonly store: ObjectStore
  readonly rootRef: PDFRef
  infoRef: PDFRef | undefined
  /** Whether the file had signatures or permissions. Any change makes them invalid. */
  readonly isSigned: boolean
  /** Warnings for the caller. */
  readonly warnings = new Set<Warning>()
  readonly saving = new SaveSettings()
  /** What is known about this document. Edits that make a fact wrong must change the fact. */
  readonly facts = new Facts()
  /** What is known about the file, which all documents opened from it share. Edits don't change these facts. */
  fileFacts = new Facts()
  private pageList: Page[] | undefined
  private registeredCount = 0
  private readonly finishers: (() => void)[] = []

  /** Use `openDocument`. Throws EngineError `damaged` if there is no catalog. */
  constructor(
    readonly source: InputFile,
    readonly limits: EngineLimits,
  ) {
    this.context = PDFContext.create()
    this.store = new ObjectStore(this.context)
    // pdf-lib declares the field private and read-only, but only in its types. All pdf-lib code reads objects through
    // it.
    Object.assign(this.context, { indirectObjects: this.store })
    this.store.addSource(source)
    const root = this.findRoot()
    this.rootRef = root
    const { trailer } = source.table
    const info = trailer.get(Name.Info)
    this.infoRef = info instanceof PDFRef && this.peek(info) instanceof PDFDict ? info : undefined
    const id = trailer.get(Name.ID)
    this.saving.id = id instanceof PDFArray && id.size() === 2 ? id : undefined
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
    throw new EngineError('damaged', 'The PDF is damaged beyond repair. It has no document catalog.')
  }

  /** The object that a reference leads to, or the value itself. Read-only. */
  peek(value: PDFObject | undefined): PDFObject | undefined {
    let object = value
    for (let hops = 0; object instanceof PDFRef; hops++) {
      if (hops > 32) return undefined // references in a circle
      object = this.store.peek(object)
    }
    return object
  }

  /** The dictionary that a value leads to, or the dictionary of a stream. Read-only. */
  peekDict(value: PDFObject | undefined): PDFDict | undefined {
    const object = this.peek(value)
    if (object instanceof PDFDict) return object
    return object instanceof PDFStream ? object.dict : undefined
  }

  peekArray(value: PDFObject | undefined): PDFArray | undefined {
    const object = this.peek(value)
    return object instanceof PDFArray ? object : undefined
  }

  /** The items of the array that a value leads to. Empty if it leads to none. */
  peekItems(value: PDFObject | undefined): PDFObject[] {
    return this.peekArray(value)?.asArray() ?? []
  }

  peekNumber(value: PDFObject | undefined): number | undefined {
    const object = this.peek(value)
    return object instanceof PDFNumber && Number.isFinite(object.asNumber()) ? object.asNumber() : undefined
  }

  /** The name that a value leads to, with decoded escapes. */
  peekName(value: PDFObject | undefined): string | undefined {
    const object = this.peek(value)
    return object instanceof PDFName ? nameText(object) : undefined
  }

  /** The dictionary that a reference leads to, for changes. Throws EngineError `damaged` if there is none. */
  edit(ref: PDFRef): PDFDict {
    const object = this.store.get(ref)
    if (object instanceof PDFDict) return object
    if (object instanceof PDFStream) return object.dict
    throw new EngineError('damaged', 'The PDF is damaged. An object that it refers to is missing.')
  }

  /** The value of `key` as a dictionary for changes. If the value is direct, the owner counts as changed. */
  editDict(ownerRef: PDFRef, key: PDFName): PDFDict | undefined {
    const value = this.peekDict(this.store.peek(ownerRef))?.get(key)
    if (value instanceof PDFRef) return this.peekDict(value) && this.edit(value)
    return value instanceof PDFDict ? (this.edit(ownerRef), value) : undefined
  }

  get catalog(): PDFDict {
    const catalog = this.peekDict(this.rootRef)
    if (!catalog) throw new EngineError('damaged', 'The PDF is damaged beyond repair. It has no document catalog.')
    return catalog
  }

  editCatalog(): PDFDict {
    return this.edit(this.rootRef)
  }

  /** Adds an indirect object. Throws EngineError `too_large` if there are more objects than a file may have. */
  register(object: PDFObject): PDFRef {
    if (++this.registeredCount > this.limits.maxObjects) {
      throw new EngineError(
        'too_large',
        `The result would have more than ${this.limits.maxObjects.toLocaleString('en')} objects. Use fewer pages.`,
      )
    }
    return this.context.register(object)
  }

  /** The pages in order. Throws EngineError `damaged` if there are none, and `too_large` if there are too many. */
  get pages(): Page[] {
    return (this.pageList ??= readPageTree(this).pages)
  }

  get pageCount(): number {
    return this.pages.length
  }

  /** `setPages` calls this after it rebuilds the page tree. */
  replacePageList(pages: Page[]): void {
    this.pageList = pages
  }

  /** Calls `finish` just before the document is written, for objects that depend on everything drawn until then. */
  beforeSave(finish: () => void): void {
    this.finishers.push(finish)
  }

  /** The writer calls this. */
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

/** How the writer saves a document. */
class SaveSettings {
  /** The two strings of the trailer's /ID. Undefined if the file has none. The result then gets a new /ID. */
  id: PDFArray | undefined
  /** Features that edits added and that the PDF version or a conformance claim may not allow. */
  readonly addedFeatures = new AddedFeatures()
  /** The lowest PDF version that supports the content added from other files. */
  leastVersion = '1.3'
  /** The version of the result, whatever its content needs. Object streams are written from version 1.5 on. */
  fixedVersion: string | undefined
  /** Whether to write object streams although the source file has none. */
  packsObjects = false
  /** Deflates object streams and the cross-reference stream, if their size matters most. Otherwise, zlib does it fast. */
  deflate: Deflate | undefined
}
