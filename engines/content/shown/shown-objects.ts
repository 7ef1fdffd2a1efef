import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { isEngineError } from '../../errors'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import type { PdfDocument } from '../../pdf-core/document/document'
import type { Page } from '../../pdf-core/document/page-tree'
import { decodeStream } from '../../pdf-core/filters/filters'
import { ContentReader } from '../../pdf-core/syntax/content-reader'
import { describesContent } from '../tags/marked-content'
import * as Name from '../../pdf-core/syntax/names'

const [ALTERNATES, IMAGE, CHAR_PROCS, MK] = ['Alternates', 'Image', 'CharProcs', 'MK'].map(name =>
  PDFName.of(name),
) as [PDFName, PDFName, PDFName, PDFName]

/** The operators that use a resource, and its category (ISO 32000-2, annex A). */
const CATEGORIES: ReadonlyMap<string, PDFName> = new Map([
  ['Do', Name.XObject],
  ['gs', Name.ExtGState],
  ['Tf', Name.Font],
  ['scn', Name.Pattern],
  ['SCN', Name.Pattern],
  ['sh', Name.Shading],
  ['BDC', Name.Properties],
  ['DP', Name.Properties],
])

/** Entries of /MK with the icons of a button (ISO 32000-2, table 192). */
const ICONS = ['I', 'RI', 'IX'].map(name => PDFName.of(name))

/**
 * Collects the objects that pages show: their content, and the form XObjects, images, patterns and property lists that
 * the content uses. An object that is only listed in resources doesn't count.
 */
export class ShownObjects {
  readonly refs = new Set<PDFRef>()
  /** Visited streams, by the resources that their names refer to. */
  private readonly visited = new Map<PDFObject, Set<PDFObject | undefined>>()
  /** Number of bytes of content that are still decoded. */
  private left: number

  constructor(private readonly document: PdfDocument) {
    this.left = document.limits.maxInflateBytes
  }

  /** Adds what the content of a page shows. */
  addContent(page: Page): void {
    const { document } = this
    const value = page.dict.get(Name.Contents)
    const contents = document.peek(value)
    if (value instanceof PDFRef) this.refs.add(value)
    const streams = contents instanceof PDFArray ? contents.asArray() : [value]
    for (const stream of streams) if (stream instanceof PDFRef) this.refs.add(stream)
    this.addUsed(
      streams.map(stream => document.peek(stream)),
      document.peekDict(page.attribute(Name.Resources)),
    )
  }

  /** Adds what the appearances of a page's annotations show. */
  addAnnotations(page: Page): void {
    const { document } = this
    for (const annotation of annotationsOf(document, page)) {
      const dict = document.peekDict(annotation)
      const icons = document.peekDict(dict?.get(MK))
      for (const key of ICONS) this.addStream(icons?.get(key), undefined)
      for (const state of document.peekDict(dict?.get(Name.AP))?.values() ?? []) {
        const object = document.peek(state)
        for (const appearance of object instanceof PDFDict ? object.values() : [state])
          this.addStream(appearance, undefined)
      }
    }
  }

  /** Adds the resources that content uses. Several streams are one content (7.8.2). */
  private addUsed(streams: (PDFObject | undefined)[], resources: PDFDict | undefined): void {
    const { document } = this
    if (!resources) return
    const used = this.readUses(streams)
    const usedOf = (category: PDFName): PDFObject[] =>
      (document.peekDict(resources.get(category))?.entries() ?? []).flatMap(([key, value]) =>
        !used || used.get(category)?.has(key.decodeText()) ? [value] : [],
      )
    for (const value of usedOf(Name.XObject)) this.addStream(value, resources)
    for (const value of usedOf(Name.Shading)) this.addData(value)
    for (const value of usedOf(Name.Pattern)) {
      this.addStream(value, resources)
      const pattern = document.peek(value)
      if (pattern instanceof PDFDict) this.addData(pattern.get(Name.Shading))
    }
    // Property lists of layers stay.
    for (const value of usedOf(Name.Properties))
      if (value instanceof PDFRef && describesContent(document.peekDict(value))) this.refs.add(value)
    for (const value of usedOf(Name.ExtGState)) {
      const mask = document.peekDict(document.peekDict(value)?.get(Name.SMask))
      this.addStream(mask?.get(Name.G), resources)
    }
    for (const value of usedOf(Name.Font)) {
      const font = document.peekDict(value)
      const glyphs = document.peekDict(font?.get(CHAR_PROCS))?.values() ?? []
      const own = document.peekDict(font?.get(Name.Resources)) ?? resources
      for (const glyph of glyphs) this.addStream(glyph, own)
    }
  }

  /** The names of used resources by category. Undefined if the content is too large, so that it may use any. */
  private readUses(streams: (PDFObject | undefined)[]): Map<PDFName, Set<string>> | undefined {
    const parts: Uint8Array[] = []
    for (const stream of streams) {
      if (!(stream instanceof PDFRawStream)) continue
      const bytes = this.decode(stream)
      if (bytes === 'too-large') return undefined
      if (bytes) parts.push(bytes, Buffer.from('\n'))
    }
    const used = new Map([...CATEGORIES.values()].map(category => [category, new Set<string>()] as const))
    const reader = new ContentReader(Buffer.concat(parts))
    while (reader.next()) {
      const category = CATEGORIES.get(reader.operator)
      if (!category) continue
      const name = reader.operator === 'Tf' ? reader.nameAt(reader.operands.count - 2) : reader.name
      if (name !== undefined) used.get(category)?.add(name)
    }
    return used
  }

  /** The decoded bytes of a stream. Undefined if none can be decoded, so that the stream shows nothing. */
  private decode({ dict, contents }: PDFRawStream): Uint8Array | 'too-large' | undefined {
    const { document } = this
    if (this.left <= 0) return 'too-large'
    try {
      const bytes = decodeStream(dict, contents, item => document.peek(item), document.limits.maxStreamBytes)
      this.left -= bytes?.length ?? 0
      return bytes
    } catch (error) {
      if (isEngineError(error) && error.reason === 'too-large') return 'too-large'
      throw error
    }
  }

  /** Adds the data of a mesh. */
  private addData(value: PDFObject | undefined): void {
    if (value instanceof PDFRef && this.document.peek(value) instanceof PDFRawStream) this.refs.add(value)
  }

  /** Adds a form XObject, pattern or image. A form without resources uses those of its parent. */
  private addStream(value: PDFObject | undefined, parent: PDFDict | undefined): void {
    const { document } = this
    const stream = document.peek(value)
    if (!(stream instanceof PDFRawStream)) return
    if (value instanceof PDFRef) this.refs.add(value)
    const resources = document.peekDict(stream.dict.get(Name.Resources)) ?? parent
    const known = this.visited.get(stream) ?? new Set()
    this.visited.set(stream, known)
    if (known.has(resources)) return
    known.add(resources)
    if (document.peek(stream.dict.get(Name.Subtype)) !== IMAGE) {
      this.addUsed([stream], resources)
      return
    }
    for (const key of [Name.SMask, Name.Mask]) this.addStream(stream.dict.get(key), undefined)
    for (const alternate of document.peekArray(stream.dict.get(ALTERNATES))?.asArray() ?? [])
      this.addStream(document.peekDict(alternate)?.get(IMAGE), undefined)
  }
}
