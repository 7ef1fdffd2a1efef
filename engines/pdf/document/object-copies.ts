import { PDFDict, PDFRawStream, PDFStream } from 'pdf-lib'
import type { PDFName, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from './document'

/**
 * Copies streams and dictionaries before changing them, if other objects may use the originals too. Copying the same
 * object with the same key twice returns the same copy.
 */
export class ObjectCopies {
  private readonly made = new Map<string, PDFRef>()

  constructor(private readonly document: PdfDocument) {}

  /** Copies a stream or dictionary and sets the entries from `change`. Undefined if `ref` leads to neither. */
  copy(ref: PDFRef, key: string, change: (dict: PDFDict) => [PDFName, PDFObject][]): PDFRef | undefined {
    const { document } = this
    const name = `${ref.tag} ${key}`
    const existing = this.made.get(name)
    if (existing) return existing
    const object = document.peek(ref)
    const dict = document.peekDict(object)
    if (!object || !dict) return undefined
    const changed = copyDict(document, dict)
    for (const [entry, value] of change(dict)) changed.set(entry, value)
    const contents =
      object instanceof PDFRawStream ? object.contents : object instanceof PDFStream ? object.getContents() : undefined
    const copy = document.register(contents ? PDFRawStream.of(changed, contents) : changed)
    this.made.set(name, copy)
    return copy
  }
}

/** Returns a new dictionary with the same entries, or without any. It is plain, even if the original is a catalog or page. */
export function copyDict({ context }: PdfDocument, dict?: PDFDict): PDFDict {
  return PDFDict.fromMapWithContext(new Map(dict?.entries()), context)
}
