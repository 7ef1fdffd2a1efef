import { deflateSync } from 'node:zlib'
import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { contentsOf } from '../document/contents-of'
import { balanceContent } from './balance-content'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'

/** Bytes from which a content stream is compressed. */
const COMPRESSED_FROM = 200

/** What several pages have in common when they are drawn on. */
interface Shared {
  /**
   * The streams that were added, by their text: those that open and close what was there before, and what is the same
   * on many pages.
   */
  streams: Map<string, PDFRef>
  /** Resources with additions, by the given ones and what was added. */
  resources: Map<PDFObject, Map<string, PDFRef>>
}

const sharedOf = new WeakMap<PdfDocument, Shared>()

/**
 * Draws on a page in its own user space, over what is there or under it. What is there is enclosed in `q` and `Q`, also
 * where it leaves states open or closes too many, so that it can't shift what is drawn (ISO 32000-2, 8.4.2). Resource
 * names are new ones; resources that pages share stay shared. Nothing changes before `write`.
 */
export class PageContent {
  private readonly under: string[] = []
  private readonly over: string[] = []
  private readonly parts = new Map<PDFName, PDFDict>()
  private readonly names = new Map<PDFRef, string>()

  constructor(
    private readonly document: PdfDocument,
    private readonly page: Page,
  ) {}

  /** The name under which the page's content finds an object: a font, a form, a graphics state. */
  name(category: PDFName, prefix: string, ref: PDFRef): string {
    const known = this.names.get(ref)
    if (known) return known
    const part = this.part(category)
    let count = 1
    while (part.has(PDFName.of(`${prefix}${count}`))) count++
    const name = `${prefix}${count}`
    part.set(PDFName.of(name), ref)
    this.names.set(ref, name)
    return name
  }

  /** Operators to be drawn over the page, each call in a graphics state of its own. */
  drawOver(operators: string): void {
    this.over.push(`q\n${operators}\nQ\n`)
  }

  /** Operators to be drawn before everything else, in the order of the calls. */
  drawUnder(operators: string): void {
    this.under.push(`q\n${operators}\nQ\n`)
  }

  /** Puts what was drawn into the page. */
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
    const known = this.parts.get(category)
    if (known) return known
    const { document } = this
    const given = document.peekDict(document.peekDict(this.page.attribute(Name.Resources))?.get(category))
    const part = PDFDict.fromMapWithContext(new Map(given?.entries() ?? []), document.context)
    this.parts.set(category, part)
    return part
  }

  /** The given resources with the additions: the same object for all pages that have both in common. */
  private writeResources(): PDFObject {
    const { document } = this
    const value = this.page.attribute(Name.Resources)
    const given = document.peekDict(value)
    const resources = PDFDict.fromMapWithContext(new Map(given?.entries() ?? []), document.context)
    for (const [category, part] of this.parts) resources.set(category, part)
    if (!value || (value === this.page.dict.get(Name.Resources) && !(value instanceof PDFRef))) return resources
    const shared = this.shared.resources
    const byAddition = shared.get(value) ?? new Map<string, PDFRef>()
    shared.set(value, byAddition)
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

  private get shared(): Shared {
    const { document } = this
    const shared = sharedOf.get(document) ?? { streams: new Map(), resources: new Map() }
    sharedOf.set(document, shared)
    return shared
  }
}

/** A content stream with these operators, compressed where that pays; `entries` go into its dictionary. */
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
  return document.register(PDFRawStream.of(dict, isLong ? deflateSync(bytes) : bytes))
}
