import { memoryOf, openPdfium } from './pdfium'
import type { Pdfium } from './pdfium'
import { PdfiumFile } from './pdfium-file'

/** Maximum file size. PDFium needs three times the file size in its own memory. */
const MAX_BYTES = 50_000_000

/**
 * Lets PDFium read and rewrite a file that Sheaf's own parser can't read. Undefined if PDFium can't read it either, if
 * it is encrypted, or if it has no pages.
 */
export async function rescueDocument(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes.length > MAX_BYTES) return undefined
  const pdfium = await openPdfium()
  const file = PdfiumFile.open(pdfium, bytes)
  if (!file) return undefined
  try {
    if (file.pageCount === 0) return undefined
    // PDFium silently opens files with only an owner password. Sheaf doesn't.
    if (pdfium.FPDF_GetSecurityHandlerRevision(file.document) >= 0) return undefined
    return save(pdfium, file.document)
  } finally {
    file.close()
  }
}

function save(pdfium: Pdfium, document: number): Uint8Array | undefined {
  const writer = pdfium.PDFiumExt_OpenFileWriter()
  try {
    pdfium.PDFiumExt_SaveAsCopy(document, writer)
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer)
    if (size <= 0) return undefined
    const address = pdfium.pdfium.wasmExports.malloc(size)
    pdfium.PDFiumExt_GetFileWriterData(writer, address, size)
    const saved = memoryOf(pdfium).slice(address, address + size)
    pdfium.pdfium.wasmExports.free(address)
    return saved
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer)
  }
}
