import { withDocument } from './reader'

const PATH = 2

/**
 * The page at this index as PDFium renders it, one gray byte per pixel, without shapes that are filled with a color.
 */
export function renderWithout(
  bytes: Uint8Array,
  color: readonly [number, number, number],
  pageIndex = 0,
): Promise<{ width: number; height: number; gray: Uint8Array }> {
  return withDocument(bytes, (pdfium, document) => {
    const page = pdfium.FPDF_LoadPage(document, pageIndex)
    const place = pdfium.pdfium.wasmExports.malloc(16)
    // The module has this function, but its types omit it.
    const memory = (): Uint8Array => (pdfium.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8
    for (let index = pdfium.FPDFPage_CountObjects(page) - 1; index >= 0; index--) {
      const object = pdfium.FPDFPage_GetObject(page, index)
      if (
        pdfium.FPDFPageObj_GetType(object) !== PATH ||
        !pdfium.FPDFPageObj_GetFillColor(object, place, place + 4, place + 8, place + 12)
      )
        continue
      const parts = [0, 4, 8].map(offset => memory()[place + offset])
      if (parts.every((part, at) => part === color[at])) pdfium.FPDFPage_RemoveObject(page, object)
    }
    const [width, height] = [Math.round(pdfium.FPDF_GetPageWidthF(page)), Math.round(pdfium.FPDF_GetPageHeightF(page))]
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0)
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    const gray = Uint8Array.from({ length: width * height }, (_, at) => memory()[start + at * 4 + 1] ?? 0)
    pdfium.FPDFBitmap_Destroy(bitmap)
    pdfium.FPDF_ClosePage(page)
    pdfium.pdfium.wasmExports.free(place)
    return { width, height, gray }
  })
}
