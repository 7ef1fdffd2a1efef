import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'

/** The text of each page of a PDF as PDFium reads it. Throws if PDFium can't open the file. */
export async function readPageTexts(pdf: Uint8Array): Promise<string[]> {
  const pdfium = await openPdfium()
  const { wasmExports } = pdfium.pdfium
  const { HEAPU8 } = pdfium.pdfium as unknown as { HEAPU8: Uint8Array } // The types omit this function.
  const place = wasmExports.malloc(pdf.byteLength)
  HEAPU8.set(pdf, place)
  const document = pdfium.FPDF_LoadMemDocument(place, pdf.byteLength, '')
  if (document === 0) throw new Error(`PDFium can't open the file (error ${pdfium.FPDF_GetLastError()})`)
  const texts = Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, index) =>
    readText(pdfium, document, index),
  )
  pdfium.FPDF_CloseDocument(document)
  wasmExports.free(place)
  return texts
}

type Pdfium = Awaited<ReturnType<typeof init>>

async function openPdfium(): Promise<Pdfium> {
  const path = fileURLToPath(new URL('../../node_modules/@embedpdf/pdfium/dist/pdfium.wasm', import.meta.url))
  const pdfium = await init({ wasmBinary: new Uint8Array(await readFile(path)).buffer })
  pdfium.PDFiumExt_Init()
  return pdfium
}

function readText(pdfium: Pdfium, document: number, index: number): string {
  const page = pdfium.FPDF_LoadPage(document, index)
  const text = pdfium.FPDFText_LoadPage(page)
  const count = pdfium.FPDFText_CountChars(text)
  const characters = Array.from({ length: count }, (_, position) =>
    String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, position)),
  )
  pdfium.FPDFText_ClosePage(text)
  pdfium.FPDF_ClosePage(page)
  return characters.join('')
}
