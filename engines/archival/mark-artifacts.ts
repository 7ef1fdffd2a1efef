import { PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { StreamEdits } from '../content/stream-edits'
import { contentsOf } from '../pdf-core/document/contents-of'
import { decodeContent } from '../pdf-core/document/decode-content'
import { addDeflatedStream, deflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import { NAME } from '../pdf-core/syntax/content-operands'
import { PATH_PAINTING_OPERATORS, TEXT_SHOWING_OPERATORS } from '../pdf-core/syntax/content-operators'
import { ContentReader } from '../pdf-core/syntax/content-reader'
import * as Name from '../pdf-core/syntax/names'

const BUILD = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're'])
const DRAW = new Set(['Do', 'sh', 'BI'])

/** Maximum nesting of form XObjects. Browsers nest a few. */
const MAX_DEPTH = 28

/**
 * Marks content that belongs to no structure element as an artifact (ISO 14289-1, 7.1): backgrounds, borders, and text
 * that style sheets generate. Content of form XObjects counts if the forms have marked content.
 */
export function markArtifacts(document: PdfDocument): void {
  const marker = new ArtifactMarker(document)
  for (const page of document.pages) {
    const parts = contentsOf(document, page).map(stream => decodeContent(document, stream))
    if (parts.includes(undefined)) continue
    const bytes = Buffer.concat((parts as Uint8Array[]).flatMap(part => [part, NEW_LINE])) // none is undefined
    const marked = marker.mark(bytes, document.peekDict(page.attribute(Name.Resources)), 0)
    if (marked) document.edit(page.ref).set(Name.Contents, addDeflatedStream(document, marked))
  }
}

const NEW_LINE = Buffer.from('\n')

class ArtifactMarker {
  private readonly seen = new Set<PDFObject>()

  constructor(private readonly document: PdfDocument) {}

  /** Returns the content with artifacts around everything that is drawn outside of marked content. */
  mark(bytes: Uint8Array, resources: PDFDict | undefined, level: number): Uint8Array | undefined {
    const reader = new ContentReader(bytes)
    const edits = new StreamEdits()
    /** For each open sequence, whether it or one around it belongs to the structure or is an artifact. */
    const open: boolean[] = []
    const isBare = (): boolean => open.at(-1) !== true
    let pathStart: number | undefined
    const wrap = (start: number, end: number): void => {
      edits.replace(start, start, '/Artifact BMC')
      edits.replace(end, end, 'EMC')
    }
    while (reader.next()) {
      const { operator, start, end } = reader
      if (operator === 'BMC' || operator === 'BDC') open.push(!isBare() || this.isAssigned(reader, resources))
      else if (operator === 'EMC') open.pop()
      else if (BUILD.has(operator)) pathStart ??= start
      else if (operator === 'n') pathStart = undefined
      else if (PATH_PAINTING_OPERATORS.has(operator)) {
        if (isBare()) wrap(pathStart ?? start, end)
        pathStart = undefined
      } else if (isBare() && (TEXT_SHOWING_OPERATORS.has(operator) || DRAW.has(operator))) {
        if (operator !== 'Do' || !this.markForm(reader.name, resources, level)) wrap(start, end)
      }
    }
    return edits.count > 0 ? edits.apply(bytes) : undefined
  }

  /** Returns whether a sequence is an artifact, or has an /MCID, which a structure element refers to. */
  private isAssigned(reader: ContentReader, resources: PDFDict | undefined): boolean {
    const { operands, operator, bytes } = reader
    const last = operands.count - 1
    if (operator === 'BMC') return reader.name === 'Artifact'
    if (reader.nameAt(last - 1) === 'Artifact') return true
    if (operands.kinds[last] !== NAME)
      return Buffer.from(bytes.subarray(operands.starts[last], operands.ends[last])).includes('/MCID')
    const lists = this.document.peekDict(resources?.get(Name.Properties))
    return this.document.peekDict(lists?.get(PDFName.of(reader.name ?? '')))?.has(Name.MCID) === true
  }

  /** Marks the content of a form that has marked content. Returns false for other forms and for images. */
  private markForm(name: string | undefined, resources: PDFDict | undefined, level: number): boolean {
    const { document, seen } = this
    const forms = document.peekDict(resources?.get(PDFName.of('XObject')))
    const ref = name === undefined ? undefined : forms?.get(PDFName.of(name))
    const form = document.peek(ref)
    if (!(ref instanceof PDFRef) || !(form instanceof PDFRawStream) || level >= MAX_DEPTH) return false
    if (document.peek(form.dict.get(Name.Subtype)) !== Name.Form) return false
    if (seen.has(ref)) return true
    const bytes = decodeContent(document, form)
    const formResources = document.peekDict(form.dict.get(Name.Resources)) ?? resources
    if (!bytes || !this.hasMarks(bytes, formResources, level)) return false
    seen.add(ref)
    const marked = this.mark(bytes, formResources, level + 1)
    if (marked) document.store.set(ref, deflatedStream(document, form.dict, marked))
    return true
  }

  /** Returns whether content has marked content, or draws a form that has. */
  private hasMarks(bytes: Uint8Array, resources: PDFDict | undefined, level: number): boolean {
    const { document } = this
    const reader = new ContentReader(bytes)
    while (reader.next()) {
      if (reader.operator === 'BDC' || reader.operator === 'BMC') return true
      if (reader.operator !== 'Do' || reader.name === undefined || level >= MAX_DEPTH) continue
      const forms = document.peekDict(resources?.get(PDFName.of('XObject')))
      const form = document.peek(forms?.get(PDFName.of(reader.name)))
      if (!(form instanceof PDFRawStream) || document.peek(form.dict.get(Name.Subtype)) !== Name.Form) continue
      const content = decodeContent(document, form)
      const inner = document.peekDict(form.dict.get(Name.Resources)) ?? resources
      if (content && this.hasMarks(content, inner, level + 1)) return true
    }
    return false
  }
}
