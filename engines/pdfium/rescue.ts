import { openPdfium } from './pdfium'
import type { Pdfium } from './pdfium'

/** Files above this are not tried: PDFium would need their size three times over in its own memory. */
const MAX_BYTES = 50_000_000

/**
 * A file as PDFium understands and writes it, for one that our own reader gave up on; undefined when PDFium can't read it
 * either, finds it encrypted, or sees no page.
 */
export async function rescue(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes.length === 0 || bytes.length > MAX_BYTES) return undefined
  const pdfium = await openPdfium()
  const { wasmExports } = pdfium.pdfium
  const place = wasmExports.malloc(bytes.length)
  if (place === 0) return undefined
  memory(pdfium).set(bytes, place)
  const document = pdfium.FPDF_LoadMemDocument(place, bytes.length, '')
  try {
    if (document === 0 || pdfium.FPDF_GetPageCount(document) === 0) return undefined
    // PDFium opens what only has an owner password without a word; we do not.
    if (pdfium.FPDF_GetSecurityHandlerRevision(document) >= 0) return undefined
    return save(pdfium, document)
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document)
    wasmExports.free(place)
  }
}

function save(pdfium: Pdfium, document: number): Uint8Array | undefined {
  const writer = pdfium.PDFiumExt_OpenFileWriter()
  try {
    pdfium.PDFiumExt_SaveAsCopy(document, writer)
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer)
    if (size <= 0) return undefined
    const place = pdfium.pdfium.wasmExports.malloc(size)
    pdfium.PDFiumExt_GetFileWriterData(writer, place, size)
    const saved = memory(pdfium).slice(place, place + size)
    pdfium.pdfium.wasmExports.free(place)
    return saved
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer)
  }
}

/** The module's memory; a new view each time, because it moves when it grows. */
function memory(pdfium: Pdfium): Uint8Array {
  const { HEAPU8 } = pdfium.pdfium as unknown as { HEAPU8: Uint8Array } // the module has it; its types leave it out
  return HEAPU8
}
