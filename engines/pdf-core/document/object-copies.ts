import { PDFDict, PDFRawStream, PDFStream } from 'pdf-lib'
import type { PDFName, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from './document'

/**
 * Copies of streams and dictionaries with other entries, for where the given ones may be used by others too. The same
 * object asked for under the same key becomes one copy.
 */
export class ObjectCopies {
  private readonly made = new Map<string, PDFRef>()

  constructor(private readonly document: PdfDocument) {}

  /** A copy of the stream or dictionary behind the reference with these entries; undefined when it is neither. */
  copy(ref: PDFRef, key: string, change: (dict: PDFDict) => [PDFName, PDFObject][]): PDFRef | undefined {
    const { document } = this
    const name = `${ref.tag} ${key}`
    const known = this.made.get(name)
    if (known) return known
    const object = document.peek(ref)
    const dict = document.peekDict(object)
    if (!object || !dict) return undefined
    const entries = new Map(dict.entries())
    for (const [entry, value] of change(dict)) entries.set(entry, value)
    const changed = PDFDict.fromMapWithContext(entries, document.context)
    const contents =
      object instanceof PDFRawStream ? object.contents : object instanceof PDFStream ? object.getContents() : undefined
    const copy = document.register(contents ? PDFRawStream.of(changed, contents) : changed)
    this.made.set(name, copy)
    return copy
  }
}
