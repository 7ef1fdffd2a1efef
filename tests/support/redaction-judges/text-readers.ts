import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { askProgram, hasProgram } from '../other-programs'
import { readPdf, withDocument } from '../reader'

const PACKAGE = fileURLToPath(new URL('../../../node_modules/pdfjs-dist/', import.meta.url))

/**
 * Everything that PDFium reads in a file: page texts, annotations, fields, links, bookmarks, attachments, scripts,
 * title.
 */
export async function readWithPdfium(file: Uint8Array): Promise<string> {
  const { pages, ...rest } = await readPdf(file)
  const texts = pages.map(({ text }) => text)
  return [
    ...texts,
    JSON.stringify(pages.map(({ text: _text, ...other }) => other)),
    JSON.stringify(rest),
    ...(await readAnnotations(file)),
  ].join('\n')
}

const ANNOTATION_KEYS = ['Contents', 'T', 'Subj', 'RC', 'V', 'DA', 'NM']

function readAnnotations(file: Uint8Array): Promise<string[]> {
  return withDocument(file, (pdfium, document) => {
    const { malloc, free } = pdfium.pdfium.wasmExports
    const texts: string[] = []
    const place = malloc(4096)
    for (let index = 0; index < pdfium.FPDF_GetPageCount(document); index++) {
      const page = pdfium.FPDF_LoadPage(document, index)
      for (let at = 0; at < pdfium.FPDFPage_GetAnnotCount(page); at++) {
        const annotation = pdfium.FPDFPage_GetAnnot(page, at)
        for (const key of ANNOTATION_KEYS) {
          const size = pdfium.FPDFAnnot_GetStringValue(annotation, key, place, 4096)
          if (size > 2 && size <= 4096) texts.push(pdfium.pdfium.UTF16ToString(place))
        }
        pdfium.FPDFPage_CloseAnnot(annotation)
      }
      pdfium.FPDF_ClosePage(page)
    }
    free(place)
    return texts
  })
}

/**
 * Everything that PDF.js reads in a file: page texts, annotations, outline, metadata, labels, layers, structure and
 * scripts.
 */
export async function readWithPdfjs(file: Uint8Array): Promise<string> {
  const task = getDocument({
    data: new Uint8Array(file),
    verbosity: VerbosityLevel.ERRORS,
    cMapUrl: join(PACKAGE, 'cmaps/'),
    standardFontDataUrl: join(PACKAGE, 'standard_fonts/'),
    wasmUrl: join(PACKAGE, 'wasm/'),
    useSystemFonts: false,
    isEvalSupported: false,
  })
  try {
    const document = await task.promise
    const parts: unknown[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      parts.push(items.map(item => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''))
      parts.push(await page.getAnnotations(), await page.getStructTree(), await page.getJSActions())
    }
    const { info, metadata } = await document.getMetadata()
    parts.push(
      info,
      metadata?.getRaw(),
      await document.getOutline(),
      await document.getPageLabels(),
      await document.getAttachments(),
    )
    parts.push(
      await document.getJSActions(),
      await document.getFieldObjects(),
      await document.getDestinations(),
      await document.getOpenAction(),
    )
    const layers = await document.getOptionalContentConfig()
    parts.push([...layers].map(([, group]) => group))
    return parts.map(part => (typeof part === 'string' ? part : JSON.stringify(part ?? ''))).join('\n')
  } finally {
    await task.destroy()
  }
}

const COMMANDS: Record<string, (path: string) => string[]> = {
  pdftotext: path => ['-q', path, '-'],
  mutool: path => ['draw', '-q', '-F', 'txt', path],
}
/** Whether poppler and MuPDF are installed, by program. */
export const OTHER_READERS = new Map(Object.keys(COMMANDS).map(program => [program, hasProgram(program)]))

/** The text that the installed programs read, by program. */
export function readWithOthers(file: Uint8Array): Record<string, string> {
  const installed = Object.entries(COMMANDS).filter(([program]) => OTHER_READERS.get(program))
  return Object.fromEntries(installed.map(([program, given]) => [program, askProgram(program, file, given)]))
}

/** A text for comparison: its letters and digits only, normalized and in one case. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
