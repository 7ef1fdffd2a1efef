import { memoryOf } from './pdfium'
import type { Pdfium } from './pdfium'

/** Kinds of page objects, as FPDFPageObj_GetType numbers them. */
const TEXT = 1
const FORM = 5

/** Bytes for a name of a layer; a longer one counts as unknown. */
const ROOM = 2048

/**
 * The text objects of a page that belong to hidden layers by the marks around them or around a form that they are part
 * of; PDFium reads them like any other text. What belongs to several layers by a rule counts as hidden: it can't be told.
 */
export function findHiddenText(pdfium: Pdfium, page: number, hiddenLayers: ReadonlySet<string>): Set<number> {
  const hidden = new Set<number>()
  if (hiddenLayers.size === 0) return hidden
  const place = pdfium.pdfium.wasmExports.malloc(ROOM + 4)
  try {
    const stack: { object: number; isHidden: boolean }[] = []
    const add = (count: number, get: (index: number) => number, isHidden: boolean): void => {
      for (let index = 0; index < count; index++) stack.push({ object: get(index), isHidden })
    }
    add(pdfium.FPDFPage_CountObjects(page), index => pdfium.FPDFPage_GetObject(page, index), false)
    for (let item = stack.pop(); item; item = stack.pop()) {
      const { object } = item
      const isHidden = item.isHidden || hasHiddenMark(pdfium, object, hiddenLayers, place)
      const kind = pdfium.FPDFPageObj_GetType(object)
      if (kind === TEXT && isHidden) hidden.add(object)
      if (kind === FORM) add(pdfium.FPDFFormObj_CountObjects(object), index => pdfium.FPDFFormObj_GetObject(object, index), isHidden)
    }
    return hidden
  } finally {
    pdfium.pdfium.wasmExports.free(place)
  }
}

function hasHiddenMark(pdfium: Pdfium, object: number, hiddenLayers: ReadonlySet<string>, place: number): boolean {
  const count = pdfium.FPDFPageObj_CountMarks(object)
  for (let index = 0; index < count; index++) {
    const mark = pdfium.FPDFPageObj_GetMark(object, index)
    const kind = readText(pdfium, place, (buffer, size, length) => pdfium.FPDFPageObjMark_GetName(mark, buffer, size, length))
    if (kind !== 'OC') continue
    const layer = readText(pdfium, place, (buffer, size, length) => pdfium.FPDFPageObjMark_GetParamStringValue(mark, 'Name', buffer, size, length))
    if (layer === undefined || hiddenLayers.has(layer)) return true
  }
  return false
}

/** A text that PDFium writes as UTF-16LE with a zero behind it; undefined when there is none. */
function readText(pdfium: Pdfium, place: number, ask: (buffer: number, size: number, length: number) => boolean): string | undefined {
  const lengthPlace = place + ROOM
  if (!ask(place, ROOM, lengthPlace)) return undefined
  const bytes = Buffer.from(memoryOf(pdfium).buffer)
  const length = bytes.readUInt32LE(lengthPlace)
  return length >= 2 && length <= ROOM ? bytes.toString('utf16le', place, place + length - 2) : undefined
}
