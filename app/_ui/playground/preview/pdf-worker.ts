// Renders pages with PDFium in a separate thread. If a page takes too long, the thread is terminated. The worker runs
// under the Content-Security-Policy of its own script. Pages have a policy without WebAssembly.
import { init } from '@embedpdf/pdfium'
import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { DrawnPage, OpenedPdf, PageCorners, PdfReply, PdfRequest } from './pdf-messages'
import { listFields } from './pdf-worker-fields'
import { bytesOf, measurePage, readString, toPage } from './pdf-worker-memory'
import { findText, readText } from './pdf-worker-text'

/** FPDFBitmap_BGRx, and the flags of FPDF_RenderPageBitmap for annotations and red before blue. */
const FOUR_BYTES = 3
const WITH_ANNOTATIONS = 0x01
const RED_FIRST = 0x10
const WHITE = 0xffffffff

/** Maximum number of pages that are measured when a file is opened. The preview shows no further pages. */
const MOST_PAGES = 2000
/** Maximum size of a title in UTF-16, with a zero at its end. */
const MOST_PROPERTY_BYTES = 1000
/** FPDF_ERR_PASSWORD of FPDF_GetLastError. */
const PASSWORD = 4

interface OpenFile {
  document: number
  pageCount: number
  pointer: number
  form: number
  formInfo: number
}

/** Keyed by our own numbers, because PDFium reuses handles after a restart. */
const files = new Map<number, OpenFile>()
let lastFile = 0
let loadedPdfium: Promise<WrappedPdfiumModule> | undefined

self.addEventListener('message', ({ data }: MessageEvent<PdfRequest>) => void reply(data))

async function reply(request: PdfRequest): Promise<void> {
  try {
    const pdfium = await (loadedPdfium ??= openPdfium())
    send(handleRequest(pdfium, request))
  } catch (error) {
    if (!(error instanceof PreviewError)) abandonPdfium()
    send({
      id: request.id,
      failure: error instanceof PreviewError ? error.message : 'The preview failed.',
    })
  }
}

function send(reply: PdfReply): void {
  self.postMessage(reply, { transfer: 'drawn' in reply ? [reply.drawn.pixels.buffer] : [] })
}

/** After a trap, PDFium's memory can't be trusted. */
function abandonPdfium(): void {
  loadedPdfium = undefined
  files.clear()
}

/** An error whose message is for the visitor. */
class PreviewError extends Error {}

async function openPdfium(): Promise<WrappedPdfiumModule> {
  const response = await fetch(new URL('@embedpdf/pdfium/pdfium.wasm', import.meta.url))
  if (!response.ok) throw new PreviewError('The preview failed to load.')
  const pdfium = await init({ wasmBinary: await response.arrayBuffer() })
  pdfium.PDFiumExt_Init()
  return pdfium
}

function handleRequest(pdfium: WrappedPdfiumModule, request: PdfRequest): PdfReply {
  const { id } = request
  switch (request.task) {
    case 'open':
      return { id, opened: open(pdfium, new Uint8Array(request.bytes)) }
    case 'draw':
      return { id, drawn: renderPage(pdfium, request) }
    case 'find': {
      const { document, pageCount } = fileOf(request.file)
      return { id, hits: findText(pdfium, document, pageCount, request.queries) }
    }
    case 'read':
      return { id, texts: readText(pdfium, fileOf(request.file).document, request.places) }
    case 'fields':
      return { id, fields: listFields(pdfium, fileOf(request.file)) }
    case 'corners':
      return { id, corners: locateCorners(pdfium, fileOf(request.file).document, request.pageIndex) }
    case 'close':
      close(pdfium, request.file)
      return { id, closed: true }
  }
}

function open(pdfium: WrappedPdfiumModule, bytes: Uint8Array): OpenedPdf {
  const pointer = pdfium.pdfium.wasmExports.malloc(bytes.length)
  if (pointer === 0) throw new PreviewError('This file is too large for a preview.')
  bytesOf(pdfium).set(bytes, pointer)
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, '')
  if (document === 0) {
    const isLocked = pdfium.FPDF_GetLastError() === PASSWORD
    pdfium.pdfium.wasmExports.free(pointer)
    throw new PreviewError(
      isLocked ? 'This PDF has a password, so there is no preview.' : 'This file isn’t a readable PDF.',
    )
  }
  const formInfo = pdfium.PDFiumExt_OpenFormFillInfo()
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, formInfo)
  pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0)
  lastFile += 1
  const pageCount = pdfium.FPDF_GetPageCount(document)
  const measuredCount = Math.min(pageCount, MOST_PAGES)
  files.set(lastFile, { document, pageCount: measuredCount, pointer, form, formInfo })
  const pages = Array.from({ length: measuredCount }, (_, index) => measure(pdfium, document, index))
  const properties = {
    title: readProperty(pdfium, document, 'Title'),
    author: readProperty(pdfium, document, 'Author'),
    subject: readProperty(pdfium, document, 'Subject'),
  }
  return { file: lastFile, pages, pageCount, properties }
}

/** Reads an entry of the information dictionary. Empty if there is none, or if it is longer than any title. */
function readProperty(pdfium: WrappedPdfiumModule, document: number, name: string): string {
  const bytes = pdfium.FPDF_GetMetaText(document, name, 0, 0)
  if (bytes <= 2 || bytes > MOST_PROPERTY_BYTES) return ''
  return readString(pdfium, bytes / 2, pointer => pdfium.FPDF_GetMetaText(document, name, pointer, bytes))
}

function fileOf(file: number): OpenFile {
  const openFile = files.get(file)
  if (!openFile) throw new PreviewError('The preview of this file was closed.')
  return openFile
}

function measure(pdfium: WrappedPdfiumModule, document: number, index: number): { width: number; height: number } {
  const pointer = pdfium.pdfium.wasmExports.malloc(8)
  const isKnown = pdfium.FPDF_GetPageSizeByIndexF(document, index, pointer)
  const [width = 0, height = 0] = new Float32Array(bytesOf(pdfium).buffer, pointer, 2)
  pdfium.pdfium.wasmExports.free(pointer)
  return isKnown && width > 0 && height > 0 ? { width, height } : { width: 612, height: 792 }
}

function locateCorners(pdfium: WrappedPdfiumModule, document: number, pageIndex: number): PageCorners {
  const handle = pdfium.FPDF_LoadPage(document, pageIndex)
  if (handle === 0) throw new PreviewError('This page can’t be shown.')
  try {
    const page = measurePage(pdfium, handle)
    return {
      upperLeft: toPage(pdfium, page, 0, 0),
      upperRight: toPage(pdfium, page, page.width, 0),
      lowerLeft: toPage(pdfium, page, 0, page.height),
    }
  } finally {
    pdfium.FPDF_ClosePage(handle)
  }
}

function renderPage(
  pdfium: WrappedPdfiumModule,
  { file, pageIndex, maxWidthPx, maxHeightPx }: Extract<PdfRequest, { task: 'draw' }>,
): DrawnPage {
  const openFile = fileOf(file)
  const page = pdfium.FPDF_LoadPage(openFile.document, pageIndex)
  if (page === 0) throw new PreviewError('This page can’t be shown.')
  try {
    const [pageWidth, pageHeight] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
    const scale = Math.min(maxWidthPx / pageWidth, maxHeightPx / pageHeight)
    const [width, height] = [Math.max(1, Math.round(pageWidth * scale)), Math.max(1, Math.round(pageHeight * scale))]
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, FOUR_BYTES, 0, 0)
    if (bitmap === 0) throw new PreviewError('This page is too large for a preview.')
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS | RED_FIRST)
      renderFormFields(pdfium, openFile.form, page, bitmap, { width, height })
      const rotation = pdfium.FPDFPage_GetRotation(page) * 90
      return { width, height, rotation, pixels: readPixels(pdfium, bitmap, width, height) }
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap)
    }
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}

/** Form fields without an appearance in the file are only rendered by the form code. */
function renderFormFields(
  pdfium: WrappedPdfiumModule,
  form: number,
  page: number,
  bitmap: number,
  { width, height }: { width: number; height: number },
): void {
  if (form === 0) return
  pdfium.FORM_OnAfterLoadPage(page, form)
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, RED_FIRST)
  pdfium.FORM_OnBeforeClosePage(page, form)
}

function readPixels(
  pdfium: WrappedPdfiumModule,
  bitmap: number,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(width * height * 4)
  const [start, stride] = [pdfium.FPDFBitmap_GetBuffer(bitmap), pdfium.FPDFBitmap_GetStride(bitmap)]
  const memory = bytesOf(pdfium)
  for (let row = 0; row < height; row++)
    pixels.set(memory.subarray(start + row * stride, start + row * stride + width * 4), row * width * 4)
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255
  return pixels
}

function close(pdfium: WrappedPdfiumModule, file: number): void {
  const openFile = files.get(file)
  if (!openFile) return
  files.delete(file)
  pdfium.PDFiumExt_ExitFormFillEnvironment(openFile.form)
  pdfium.PDFiumExt_CloseFormFillInfo(openFile.formInfo)
  pdfium.FPDF_CloseDocument(openFile.document)
  pdfium.pdfium.wasmExports.free(openFile.pointer)
}
