import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'

interface SeenLink {
  /** The number of the target page, from 1. */
  page?: number
  uri?: string
}

interface SeenPage {
  text: string
  width: number
  height: number
  /** Degrees clockwise. */
  rotation: number
  label: string
  links: SeenLink[]
  annotationCount: number
  fields: { name: string; value: string; isChecked: boolean }[]
}

interface SeenEntry {
  title: string
  /** The number of the target page, from 1. */
  page: number | undefined
  level: number
}

/** The content of a PDF according to an engine that is independent of ours. */
export interface SeenPdf {
  pages: SeenPage[]
  outline: SeenEntry[]
  attachments: { name: string; bytes: Buffer }[]
  scripts: string[]
  namedDestinations: number
  title: string
  isTagged: boolean
}

export interface Image {
  width: number
  height: number
  /** Four bytes per pixel: blue, green, red, unused. */
  pixels: Buffer
}

type Pdfium = Awaited<ReturnType<typeof init>>

let opening: Promise<Pdfium> | undefined

function openPdfium(): Promise<Pdfium> {
  return (opening ??= (async () => {
    const path = fileURLToPath(new URL('../../node_modules/@embedpdf/pdfium/dist/pdfium.wasm', import.meta.url))
    const pdfium = await init({ wasmBinary: new Uint8Array(await readFile(path)).buffer })
    pdfium.PDFiumExt_Init()
    return pdfium
  })())
}

/** Reads a PDF with PDFium. Throws if PDFium can't open the file. */
export function readPdf(bytes: Uint8Array): Promise<SeenPdf> {
  return withDocument(bytes, (pdfium, document) => new Reading(pdfium, document).all())
}

/** The number of pages that PDFium finds. Throws if PDFium can't open the file. */
export function countPages(bytes: Uint8Array): Promise<number> {
  return withDocument(bytes, (pdfium, document) => pdfium.FPDF_GetPageCount(document))
}

/** FPDF_ANNOT and FPDF_PRINTING. */
const [ANNOTATIONS, PRINTING] = [0x01, 0x800]

/**
 * A page as PDFium renders it for the screen or, with `isPrint`, for print, with annotations. One pixel per point unless
 * `scale` says more. With `hasFields`, the image includes form fields.
 */
export function renderPage(
  bytes: Uint8Array,
  pageIndex: number,
  { isPrint = false, hasFields = false, scale = 1 } = {},
): Promise<Image> {
  return withDocument(bytes, (pdfium, document) => {
    const form = hasFields ? openForm(pdfium, document) : undefined
    const page = pdfium.FPDF_LoadPage(document, pageIndex)
    const width = Math.round(pdfium.FPDF_GetPageWidthF(page) * scale)
    const height = Math.round(pdfium.FPDF_GetPageHeightF(page) * scale)
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
    const flags = ANNOTATIONS | (isPrint ? PRINTING : 0)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    if (form) {
      pdfium.FORM_OnAfterLoadPage(page, form.handle)
      pdfium.FPDF_FFLDraw(form.handle, bitmap, page, 0, 0, width, height, 0, flags)
      pdfium.FORM_OnBeforeClosePage(page, form.handle)
    }
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    const pixels = Buffer.from(heap(pdfium).slice(start, start + width * height * 4).buffer)
    pdfium.FPDFBitmap_Destroy(bitmap)
    pdfium.FPDF_ClosePage(page)
    form?.close()
    return { width, height, pixels }
  })
}

/** PDFium's view of the form, without highlighted fields. */
function openForm(pdfium: Pdfium, document: number): { handle: number; close(): void } {
  const info = pdfium.PDFiumExt_OpenFormFillInfo()
  const handle = pdfium.PDFiumExt_InitFormFillEnvironment(document, info)
  pdfium.FPDF_SetFormFieldHighlightAlpha(handle, 0)
  const close = (): void => {
    pdfium.PDFiumExt_ExitFormFillEnvironment(handle)
    pdfium.PDFiumExt_CloseFormFillInfo(info)
  }
  return { handle, close }
}

/** Opens a PDF for a single query to PDFium. Throws if PDFium can't open the file. */
export async function withDocument<Result>(
  bytes: Uint8Array,
  read: (pdfium: Pdfium, document: number) => Result,
): Promise<Result> {
  const pdfium = await openPdfium()
  const { wasmExports } = pdfium.pdfium
  const place = wasmExports.malloc(bytes.byteLength)
  heap(pdfium).set(bytes, place)
  const document = pdfium.FPDF_LoadMemDocument(place, bytes.byteLength, '')
  try {
    if (document === 0) throw new Error(`PDFium can't open the file (error ${pdfium.FPDF_GetLastError()})`)
    return read(pdfium, document)
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document)
    wasmExports.free(place)
  }
}

function heap(pdfium: Pdfium): Uint8Array {
  return (pdfium.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8 // The types omit this function.
}

const LINK = 2
const WIDGET = 20

class Reading {
  constructor(
    private readonly pdfium: Pdfium,
    private readonly document: number,
  ) {}

  all(): SeenPdf {
    const { pdfium, document } = this
    const form = openForm(pdfium, document)
    const seen = {
      pages: Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, index) => this.page(index, form.handle)),
      outline: this.outline(),
      attachments: Array.from({ length: pdfium.FPDFDoc_GetAttachmentCount(document) }, (_, index) =>
        this.attachment(index),
      ),
      scripts: Array.from({ length: Math.max(0, pdfium.FPDFDoc_GetJavaScriptActionCount(document)) }, (_, index) =>
        this.script(index),
      ),
      namedDestinations: pdfium.FPDF_CountNamedDests(document),
      title: this.wide((buffer, size) => pdfium.FPDF_GetMetaText(document, 'Title', buffer, size)),
      isTagged: pdfium.FPDFCatalog_IsTagged(document),
    }
    form.close()
    return seen
  }

  private page(index: number, form: number): SeenPage {
    const { pdfium, document } = this
    const page = pdfium.FPDF_LoadPage(document, index)
    if (page === 0) throw new Error(`PDFium can't load page ${index + 1}`)
    const seen: SeenPage = {
      text: this.text(page),
      width: pdfium.FPDF_GetPageWidthF(page),
      height: pdfium.FPDF_GetPageHeightF(page),
      rotation: pdfium.FPDFPage_GetRotation(page) * 90,
      label: this.wide((buffer, size) => pdfium.FPDF_GetPageLabel(document, index, buffer, size)),
      links: [],
      fields: [],
      annotationCount: pdfium.FPDFPage_GetAnnotCount(page),
    }
    pdfium.FORM_OnAfterLoadPage(page, form)
    for (let at = 0; at < seen.annotationCount; at++) {
      const annotation = pdfium.FPDFPage_GetAnnot(page, at)
      const kind = pdfium.FPDFAnnot_GetSubtype(annotation)
      if (kind === LINK) seen.links.push(this.link(annotation))
      if (kind === WIDGET) {
        const name = this.wide((buffer, size) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, size))
        const value = this.wide((buffer, size) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))
        seen.fields.push({ name, value, isChecked: pdfium.FPDFAnnot_IsChecked(form, annotation) })
      }
      pdfium.FPDFPage_CloseAnnot(annotation)
    }
    pdfium.FORM_OnBeforeClosePage(page, form)
    pdfium.FPDF_ClosePage(page)
    return seen
  }

  private text(page: number): string {
    const { pdfium } = this
    const text = pdfium.FPDFText_LoadPage(page)
    const count = pdfium.FPDFText_CountChars(text)
    const characters = Array.from({ length: count }, (_, position) =>
      String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, position)),
    )
    pdfium.FPDFText_ClosePage(text)
    return characters.join('')
  }

  private link(annotation: number): SeenLink {
    const { pdfium, document } = this
    const link = pdfium.FPDFAnnot_GetLink(annotation)
    const action = pdfium.FPDFLink_GetAction(link)
    const uri = action
      ? this.narrow((buffer, size) => pdfium.FPDFAction_GetURIPath(document, action, buffer, size))
      : ''
    if (uri) return { uri }
    const destination =
      pdfium.FPDFLink_GetDest(document, link) || (action ? pdfium.FPDFAction_GetDest(document, action) : 0)
    const page = this.pageOf(destination)
    return page === undefined ? {} : { page }
  }

  private outline(): SeenEntry[] {
    const { pdfium, document } = this
    const entries: SeenEntry[] = []
    const walk = (parent: number, level: number): void => {
      for (
        let entry = pdfium.FPDFBookmark_GetFirstChild(document, parent);
        entry && entries.length < 10_000;
        entry = pdfium.FPDFBookmark_GetNextSibling(document, entry)
      ) {
        const action = pdfium.FPDFBookmark_GetAction(entry)
        const destination =
          pdfium.FPDFBookmark_GetDest(document, entry) || (action ? pdfium.FPDFAction_GetDest(document, action) : 0)
        entries.push({
          title: this.wide((buffer, size) => pdfium.FPDFBookmark_GetTitle(entry, buffer, size)),
          page: this.pageOf(destination),
          level,
        })
        if (level < 30) walk(entry, level + 1)
      }
    }
    walk(0, 1)
    return entries
  }

  private pageOf(destination: number): number | undefined {
    if (!destination) return undefined
    const index = this.pdfium.FPDFDest_GetDestPageIndex(this.document, destination)
    return index < 0 ? undefined : index + 1
  }

  private attachment(index: number): { name: string; bytes: Buffer } {
    const { pdfium } = this
    const attachment = pdfium.FPDFDoc_GetAttachment(this.document, index)
    const name = this.wide((buffer, size) => pdfium.FPDFAttachment_GetName(attachment, buffer, size))
    const sizePlace = pdfium.pdfium.wasmExports.malloc(4)
    pdfium.FPDFAttachment_GetFile(attachment, 0, 0, sizePlace)
    const size = pdfium.pdfium.getValue(sizePlace, 'i32')
    pdfium.pdfium.wasmExports.free(sizePlace)
    return {
      name,
      bytes: this.read(size, (buffer, length) => {
        const out = pdfium.pdfium.wasmExports.malloc(4)
        pdfium.FPDFAttachment_GetFile(attachment, buffer, length, out)
        pdfium.pdfium.wasmExports.free(out)
      }),
    }
  }

  private script(index: number): string {
    const { pdfium } = this
    const action = pdfium.FPDFDoc_GetJavaScriptAction(this.document, index)
    const name = this.wide((buffer, size) => pdfium.FPDFJavaScriptAction_GetName(action, buffer, size))
    pdfium.FPDFDoc_CloseJavaScriptAction(action)
    return name
  }

  /** Reads a UTF-16LE result. PDFium returns the size first. */
  private wide(ask: (buffer: number, size: number) => number): string {
    const size = ask(0, 0)
    return this.read(size, ask).toString('utf16le').replace(/\0+$/, '')
  }

  private narrow(ask: (buffer: number, size: number) => number): string {
    const size = ask(0, 0)
    return this.read(size, ask).toString('latin1').replace(/\0+$/, '')
  }

  private read(size: number, fill: (buffer: number, size: number) => void): Buffer {
    if (size <= 0) return Buffer.alloc(0)
    const { malloc, free } = this.pdfium.pdfium.wasmExports
    const buffer = malloc(size)
    fill(buffer, size)
    const bytes = Buffer.from(heap(this.pdfium).slice(buffer, buffer + size))
    free(buffer)
    return bytes
  }
}
