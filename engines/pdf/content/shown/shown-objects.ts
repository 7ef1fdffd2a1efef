import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError, isEngineError } from '../../../errors'
import { annotationsOf } from '../../annotations/annotations'
import type { PdfDocument } from '../../document/document'
import type { Page } from '../../document/page-tree'
import { decodeStream } from '../../filters/filters'
import * as Name from '../../syntax/names'
import type { StreamWalk } from '../walk/stream-walk'
import { ContentWalk } from '../walk/walk-content'
import type { ContentVisitor, StreamUse } from '../walk/walk-content'
import { describesContent } from '../rewriting/marked-content/marked-content'

/** The operators that use a resource, and its category (ISO 32000-2, annex A). */
const CATEGORIES: ReadonlyMap<string, PDFName> = new Map([
  ['Do', Name.XObject],
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
export class ShownObjects implements ContentVisitor {
  readonly refs = new Set<PDFRef>()
  private readonly walk: ContentWalk
  private readonly images = new Set<PDFObject>()
  /** Number of bytes of content that are still decoded. */
  private left: number
  /** Whether the stream that is read next is too large. */
  private isTooLarge = false

  constructor(private readonly document: PdfDocument) {
    this.left = document.limits.maxInflateBytes
    this.walk = new ContentWalk(document, this)
  }

  /** Adds what the content of a page shows. */
  addContent(page: Page): void {
    const value = page.dict.get(Name.Contents)
    for (const stream of [value, ...this.document.peekItems(value)]) if (stream instanceof PDFRef) this.refs.add(stream)
    this.walk.readPage(page)
  }

  /** Adds what the appearances of a page's annotations show. */
  addAnnotations(page: Page): void {
    const { document } = this
    this.walk.readAppearances(page)
    for (const annotation of annotationsOf(document, page)) {
      const icons = document.peekDict(document.peekDict(annotation)?.get(Name.MK))
      for (const key of ICONS) this.walk.readForm(icons?.get(key), page)
    }
  }

  /** Adds all resources of content that is too large, because it may use any. */
  begin({ stream }: StreamWalk): void {
    if (!this.isTooLarge) return
    this.isTooLarge = false
    const { document } = this
    const resources = (category: PDFName): PDFObject[] =>
      document.peekDict(stream.resources?.get(category))?.values() ?? []
    for (const category of [Name.XObject, Name.Pattern, Name.Shading, Name.Properties])
      for (const value of resources(category)) {
        this.use(category, value)
        const isImage = document.peek(document.peekDict(value)?.get(Name.Subtype)) === Name.Image
        if (!isImage && category !== Name.Shading) this.walk.readForm(value, stream.page)
      }
    for (const value of resources(Name.ExtGState))
      this.walk.readForm(document.peekDict(document.peekDict(value)?.get(Name.SMask))?.get(Name.G), stream.page)
    for (const value of resources(Name.Font))
      for (const glyph of document.peekDict(document.peekDict(value)?.get(Name.CharProcs))?.values() ?? [])
        this.walk.readForm(glyph, stream.page)
  }

  operator(walk: StreamWalk): void {
    const category = CATEGORIES.get(walk.reader.operator)
    if (category) this.use(category, walk.resource(category.decodeText(), walk.reader.name))
  }

  enter({ value }: StreamUse): string {
    if (value instanceof PDFRef) this.refs.add(value)
    return ''
  }

  readonly decode = (document: PdfDocument, value: PDFObject | undefined): Uint8Array | undefined => {
    const stream = document.peek(value)
    if (!(stream instanceof PDFRawStream)) return undefined
    try {
      if (this.left <= 0) throw new EngineError('too_large', '')
      const bytes = decodeStream(
        stream.dict,
        stream.contents,
        item => document.peek(item),
        document.limits.maxStreamBytes,
      )
      this.left -= bytes?.length ?? 0
      return bytes
    } catch (error) {
      if (!isEngineError(error) || error.reason !== 'too_large') throw error
      this.isTooLarge = true
      return undefined
    }
  }

  private use(category: PDFName, value: PDFObject | undefined): void {
    const { document } = this
    const object = document.peek(value)
    if (category === Name.XObject) this.addImage(value)
    else if (category === Name.Shading) this.addData(value)
    else if (category === Name.Pattern) this.addData(object instanceof PDFDict ? object.get(Name.Shading) : undefined)
    // Property lists of layers stay.
    else if (value instanceof PDFRef && describesContent(document.peekDict(value))) this.refs.add(value)
  }

  /** Adds the data of a mesh. */
  private addData(value: PDFObject | undefined): void {
    if (value instanceof PDFRef && this.document.peek(value) instanceof PDFRawStream) this.refs.add(value)
  }

  /** Adds an image with its masks and alternates. */
  private addImage(value: PDFObject | undefined): void {
    const { document } = this
    const image = document.peek(value)
    if (!(image instanceof PDFRawStream) || document.peek(image.dict.get(Name.Subtype)) !== Name.Image) return
    if (value instanceof PDFRef) this.refs.add(value)
    if (this.images.has(image)) return
    this.images.add(image)
    for (const key of [Name.SMask, Name.Mask]) this.addImage(image.dict.get(key))
    for (const alternate of document.peekItems(image.dict.get(Name.Alternates)))
      this.addImage(document.peekDict(alternate)?.get(Name.Image))
  }
}
