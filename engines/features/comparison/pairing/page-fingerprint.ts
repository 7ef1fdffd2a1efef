import { createHash } from 'node:crypto'
import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf, hasAppearance } from '../../../pdf/annotations'
import { contentsOf } from '../../../pdf/document'
import type { Page, PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'

const names = (list: string): ReadonlySet<PDFName> => new Set(list.split(' ').map(name => PDFName.of(name)))

/** Entries of an annotation that refer to other objects of the document and don't change its appearance. */
const BESIDE_ANNOTATION = names('P Parent StructParent Dest A AA Popup IRT M NM')

/** Entries of a stream that don't change what it draws. */
const BESIDE_STREAM = names('Length StructParent StructParents Metadata PieceInfo LastModified')

const NOTHING: ReadonlySet<PDFName> = new Set()

/** Maximum depth of nested objects. Deeper objects make a page incomparable. */
const MAX_DEPTH = 60

/**
 * Computes fingerprints of the pages of a document. Pages with the same fingerprint look the same, except for boxes.
 */
export class Fingerprints {
  private readonly digests = new Map<string, string>()
  private readonly layers: string

  constructor(
    private readonly document: PdfDocument,
    private readonly withAnnotations: boolean,
  ) {
    this.layers = this.digest(document.catalog.get(Name.OCProperties), 0) ?? 'unknown'
  }

  /**
   * The fingerprint of a page: a hash of its content, its resources and its annotations. Undefined if the page is
   * nested too deeply. Also undefined if a field has no appearance, because the appearance of the page then depends on
   * other objects.
   */
  of(page: Page): string | undefined {
    const { document } = this
    const annotations = this.withAnnotations ? annotationsOf(document, page) : []
    const isDrawnByForm = annotations.some(value => {
      const dict = document.peekDict(value)
      return dict && document.peek(dict.get(Name.Subtype)) === Name.Widget && !hasAppearance(document, dict)
    })
    if (isDrawnByForm) return undefined
    const parts: (string | undefined)[] = [this.layers]
    for (const content of contentsOf(document, page)) parts.push(this.digest(content, 0))
    parts.push('resources', this.digest(page.attribute(Name.Resources), 0), this.digest(page.dict.get(Name.Group), 0))
    for (const annotation of annotations) {
      const dict = document.peekDict(annotation)
      parts.push(dict ? this.digestEntries(dict, 0, BESIDE_ANNOTATION) : 'null')
    }
    if (parts.includes(undefined)) return undefined
    return createHash('sha256').update(parts.join('\n')).digest('base64')
  }

  /** A hash of an object and everything that it refers to. Undefined if the object is nested too deeply. */
  private digest(value: PDFObject | undefined, depth: number): string | undefined {
    if (depth > MAX_DEPTH) return undefined
    if (!(value instanceof PDFRef)) return this.digestDirect(value, depth)
    const known = this.digests.get(value.tag)
    if (known !== undefined) return known
    // An object that contains itself is only entered once.
    this.digests.set(value.tag, `cycle ${depth}`)
    const digest = this.digestDirect(this.document.peek(value), depth)
    if (digest === undefined) this.digests.delete(value.tag)
    else this.digests.set(value.tag, digest)
    return digest
  }

  private digestDirect(object: PDFObject | undefined, depth: number): string | undefined {
    if (object instanceof PDFRef) return this.digest(object, depth + 1)
    if (object instanceof PDFRawStream) {
      const entries = this.digestEntries(object.dict, depth, BESIDE_STREAM)
      if (entries === undefined) return undefined
      return createHash('sha256').update(entries).update('stream').update(object.contents).digest('base64')
    }
    if (object instanceof PDFDict) {
      const entries = this.digestEntries(object, depth, NOTHING)
      return entries === undefined ? undefined : shorten(`<<${entries}>>`)
    }
    if (object instanceof PDFArray) {
      const items = object.asArray().map(item => this.digest(item, depth + 1))
      return items.includes(undefined) ? undefined : shorten(`[${items.join(' ')}]`)
    }
    return object?.toString() ?? 'null'
  }

  private digestEntries(dict: PDFDict, depth: number, beside: ReadonlySet<PDFName>): string | undefined {
    const entries: string[] = []
    for (const [key, value] of dict.entries()) {
      if (beside.has(key)) continue
      const digest = this.digest(value, depth + 1)
      if (digest === undefined) return undefined
      entries.push(`${key.toString()} ${digest}`)
    }
    return entries.sort().join('\n')
  }
}

function shorten(text: string): string {
  return text.length <= 64 ? text : createHash('sha256').update(text).digest('base64')
}
