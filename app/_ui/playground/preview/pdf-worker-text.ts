import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { TextHit, PageArea, TextQuery } from './pdf-messages'
import {
  type LoadedPage,
  measurePage,
  memoryOf,
  readString,
  toDisplayBox,
  toPage,
  writeString,
} from './pdf-worker-memory'

/** FPDF_MATCHCASE and FPDF_MATCHWHOLEWORD of FPDFText_FindStart. */
const MATCH_CASE = 1
const WHOLE_WORD = 2
/** Maximum number of hits that are returned. */
const MOST_HITS = 500

/** A loaded page with its text. */
interface TextPage extends LoadedPage {
  text: number
}

/** Finds texts on all pages. A hit that continues on the next line has a box for each line. */
export function findText(
  pdfium: WrappedPdfiumModule,
  document: number,
  pageCount: number,
  queries: TextQuery[],
): TextHit[] {
  const hits: TextHit[] = []
  for (let pageIndex = 0; pageIndex < pageCount && hits.length < MOST_HITS; pageIndex++) {
    withPage(pdfium, document, pageIndex, page => {
      for (const [queryIndex, query] of queries.entries())
        for (const { start, length } of findOnPage(pdfium, page, query))
          if (hits.length < MOST_HITS)
            hits.push({ queryIndex, pageIndex, boxes: measureText(pdfium, page, start, length) })
    })
  }
  return hits
}

/** Returns the text in each place, in the order of the places. Whole characters count if a part of them is inside. */
export function readText(pdfium: WrappedPdfiumModule, document: number, places: PageArea[]): string[] {
  return places.map(({ pageIndex, box }) => {
    let found = ''
    withPage(pdfium, document, pageIndex, page => {
      const [left, top] = toPage(pdfium, page, box.x, box.y)
      const [right, bottom] = toPage(pdfium, page, box.x + box.width, box.y + box.height)
      const edges = [
        Math.min(left, right),
        Math.max(top, bottom),
        Math.max(left, right),
        Math.min(top, bottom),
      ] as const
      const count = pdfium.FPDFText_GetBoundedText(page.text, ...edges, 0, 0)
      if (count <= 0) return
      found = readString(pdfium, count, pointer => pdfium.FPDFText_GetBoundedText(page.text, ...edges, pointer, count))
    })
    return found.replaceAll(/\s+/g, ' ').trim()
  })
}

function withPage(
  pdfium: WrappedPdfiumModule,
  document: number,
  pageIndex: number,
  work: (page: TextPage) => void,
): void {
  const page = pdfium.FPDF_LoadPage(document, pageIndex)
  if (page === 0) return
  const text = pdfium.FPDFText_LoadPage(page)
  try {
    if (text !== 0) work({ ...measurePage(pdfium, page), text })
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
  }
}

function findOnPage(
  pdfium: WrappedPdfiumModule,
  { text }: TextPage,
  { words, isCaseSensitive, isWholeWord }: TextQuery,
): { start: number; length: number }[] {
  const pointer = writeString(pdfium, words)
  const flags = (isCaseSensitive ? MATCH_CASE : 0) | (isWholeWord ? WHOLE_WORD : 0)
  const search = pdfium.FPDFText_FindStart(text, pointer, flags, 0)
  const found: { start: number; length: number }[] = []
  while (found.length < MOST_HITS && pdfium.FPDFText_FindNext(search))
    found.push({ start: pdfium.FPDFText_GetSchResultIndex(search), length: pdfium.FPDFText_GetSchCount(search) })
  pdfium.FPDFText_FindClose(search)
  pdfium.pdfium.wasmExports.free(pointer)
  return found
}

/** Returns the boxes of characters, one for each line. */
function measureText(pdfium: WrappedPdfiumModule, page: TextPage, start: number, length: number): PageArea['box'][] {
  const count = pdfium.FPDFText_CountRects(page.text, start, length)
  const pointer = pdfium.pdfium.wasmExports.malloc(32)
  const boxes = Array.from({ length: Math.max(0, count) }, (_, index) => {
    pdfium.FPDFText_GetRect(page.text, index, pointer, pointer + 8, pointer + 16, pointer + 24)
    const view = memoryOf(pdfium)
    const [left, top, right, bottom] = [0, 8, 16, 24].map(offset => view.getFloat64(pointer + offset, true))
    return toDisplayBox(pdfium, page, [left ?? 0, top ?? 0], [right ?? 0, bottom ?? 0])
  })
  pdfium.pdfium.wasmExports.free(pointer)
  return boxes
}
