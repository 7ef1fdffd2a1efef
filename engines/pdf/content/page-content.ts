import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { deflate } from '../filters/deflate'
import { contentsOf } from '../document/contents-of'
import { balanceContent } from './balance-content'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'
import { copyDict } from '../document/object-copies'

/** Content streams of at least this many bytes are compressed. */
const COMPRESSED_FROM = 200

/** Objects that several pages of a document share after drawing. */
interface Shared {
  /** Added streams by their text: streams that open and close the existing content, and drawings common to pages. */
  streams: Map<string, PDFRef>
  /** Extended resource dictionaries, by the original dictionary and the list of additions. */
  resources: Map<PDFObject, Map<string, PDFRef>>
}

const sharedByDocument = new WeakMap<PdfDocument, Shared>()

/**
 * Draws on a page in default user space, over or under the existing content. `q` and `Q` enclose the existing content,
 * so that its graphics state doesn't affect the drawing, even if its own `q` and `Q` are unbalanced (ISO 32000-2,
 * 8.4.2). Added resources get unused names. Resources that pages share stay shared. Nothing changes before `write`.
 */
export class PageContent {
  private readonly under: string[] = []
  private readonly over: string[] = []
  private readonly parts = new Map<PDFName, PDFDict>()
  /** The first number that may be unused in a name, by category and prefix. */
  private readonly counters = new Map<string, number>()
  private readonly names = new Map<PDFRef, string>()

  constructor(
    private readonly document: PdfDocument,
    private readonly page: Page,
  ) {}

  /** Adds a resource (a font, a form XObject, a graphics state, …) and returns its name for use in the content. */
  name(category: PDFName, prefix: string, ref: PDFRef): string {
    const knownName = this.names.get(ref)
    if (knownName) return knownName
    const part = this.part(category)
    const counter = `${category.asString()} ${prefix}`
    let count = this.counters.get(counter) ?? 1
    while (part.has(PDFName.of(`${prefix}${count}`))) count++
    this.counters.set(counter, count + 1)
    const name = `${prefix}${count}`
    part.set(PDFName.of(name), ref)
    this.names.set(ref, name)
    return name
  }

  /** Draws operators over the page. Each call runs in its own graphics state. */
  drawOver(operators: string): void {
    this.over.push(`q\n${operators}\nQ\n`)
  }

  /** Draws operators under all other content, in the order of the calls. */
  drawUnder(operators: string): void {
    this.under.push(`q\n${operators}\nQ\n`)
  }

  /** Writes the drawings into the page. */
  write(): void {
    if (this.under.length === 0 && this.over.length === 0) return
    const { document } = this
    const dict = document.edit(this.page.ref)
    if (this.names.size) dict.set(Name.Resources, this.writeResources())
    const { contents, closing } = balanceContent(document, contentsOf(document, this.page))
    const before = [...(this.under.length ? [this.under.join('')] : []), 'q\n'].map(text => this.sharedStream(text))
    const after = [`${closing}Q\n`, ...(this.over.length ? [this.over.join('')] : [])].map(text =>
      this.sharedStream(text),
    )
    dict.set(Name.Contents, document.context.obj([...before, ...contents, ...after]))
  }

  private part(category: PDFName): PDFDict {
    const { document } = this
    return findOrAdd(this.parts, category, () => {
      const source = document.peekDict(document.peekDict(this.page.attribute(Name.Resources))?.get(category))
      return copyDict(document, source)
    })
  }

  /** The page's resources with the additions. Pages with the same resources and the same additions share one object. */
  private writeResources(): PDFObject {
    const { document } = this
    const value = this.page.attribute(Name.Resources)
    const source = document.peekDict(value)
    const resources = copyDict(document, source)
    for (const [category, part] of this.parts) resources.set(category, part)
    if (!value || (value === this.page.dict.get(Name.Resources) && !(value instanceof PDFRef))) return resources
    const shared = this.shared.resources
    const byAddition = findOrAdd(shared, value, () => new Map())
    const additions = [...this.names].map(([ref, name]) => `${name} ${ref.toString()}`).join(' ')
    const ref = byAddition.get(additions) ?? document.register(resources)
    byAddition.set(additions, ref)
    return ref
  }

  private sharedStream(text: string): PDFRef {
    const { streams } = this.shared
    const ref = streams.get(text) ?? addContentStream(this.document, text)
    streams.set(text, ref)
    return ref
  }

  /** What the pages of this document share so far. */
  private get shared(): Shared {
    return findOrAdd(sharedByDocument, this.document, () => ({ streams: new Map(), resources: new Map() }))
  }
}

/** Adds a content stream with these operators, compressed if it is long. `entries` go into its dictionary. */
export function addContentStream(
  document: PdfDocument,
  operators: string,
  entries: Record<string, PDFObject> = {},
): PDFRef {
  const bytes = Buffer.from(operators, 'latin1')
  const isLong = bytes.length >= COMPRESSED_FROM
  const dict = PDFDict.withContext(document.context)
  for (const [key, value] of Object.entries(entries)) dict.set(PDFName.of(key), value)
  if (isLong) dict.set(Name.Filter, Name.FlateDecode)
  return document.register(PDFRawStream.of(dict, isLong ? deflate(bytes) : bytes))
}
