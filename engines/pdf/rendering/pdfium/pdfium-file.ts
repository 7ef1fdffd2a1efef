import { memoryOf } from './pdfium'
import type { Pdfium } from './pdfium'

/**
 * A PDF that PDFium opened from a copy of its bytes in PDFium's memory. Call `close`, or this memory is never freed.
 */
export class PdfiumFile {
  private constructor(
    readonly pdfium: Pdfium,
    /** PDFium's document handle. */
    readonly document: number,
    private readonly address: number,
  ) {}

  /** Undefined if PDFium can't open the file, or if there isn't enough memory. */
  static open(pdfium: Pdfium, bytes: Uint8Array): PdfiumFile | undefined {
    const { wasmExports } = pdfium.pdfium
    const address = bytes.length === 0 ? 0 : wasmExports.malloc(bytes.length)
    if (address === 0) return undefined
    memoryOf(pdfium).set(bytes, address)
    const document = pdfium.FPDF_LoadMemDocument(address, bytes.length, '')
    if (document !== 0) return new PdfiumFile(pdfium, document, address)
    wasmExports.free(address)
    return undefined
  }

  get pageCount(): number {
    return this.pdfium.FPDF_GetPageCount(this.document)
  }

  close(): void {
    this.pdfium.FPDF_CloseDocument(this.document)
    this.pdfium.pdfium.wasmExports.free(this.address)
  }
}
