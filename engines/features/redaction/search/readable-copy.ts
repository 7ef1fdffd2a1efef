import { PDFArray, PDFDict, PDFRawStream, PDFStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import {
  findOwners,
  listAllFonts,
  readBuiltInNames,
  readCodeTexts,
  readEncoding,
  readToUnicode,
} from '../../../pdf/fonts'
import { keyOfCode, writeToUnicode } from '../../../pdf/rewrite-content'
import type { PdfDocument } from '../../../pdf/document'
import { reopenDocument } from '../../../pdf/open'
import * as Name from '../../../pdf/names'
import { withoutLargeForm } from './large-forms'

const SIMPLE = new Set(['Type1', 'MMType1', 'TrueType', 'Type3'])

/** The codes of simple fonts. */
const CODES = Array.from({ length: 256 }, (_, code) => code)

/** Glyph names that PDFium maps to Unicode itself: names of the Adobe Glyph List that stand for one character. */
const KNOWN_TO_PDFIUM = /^(?!u(?:ni)?[0-9A-Fa-f]{4,})[A-Za-z]+$/

/**
 * Returns a document from which PDFium extracts all text. If simple fonts have glyph names but no /ToUnicode mapping
 * for their codes, the result is a copy with these mappings added. Very large forms are left out, as in
 * `withoutLargeForm`. Without such fonts and forms, the document itself is returned. Our own reader needs no copy. PDFium
 * needs it as the second opinion of the search and of the check of the result.
 */
export function openReadableCopy(document: PdfDocument): PdfDocument {
  const seen = withoutLargeForm(document)
  const owners = listOwners(seen)
  if (owners.length === 0) return seen
  const copy = seen === document ? reopenDocument(document) : seen
  addTextsTo(copy, owners)
  return copy
}

/** Adds the missing mappings to a copy, as `openReadableCopy` does. */
export function makeReadable(copy: PdfDocument): void {
  addTextsTo(copy, listOwners(copy))
}

function addTextsTo(copy: PdfDocument, owners: readonly PDFRef[]): void {
  for (const ref of owners) {
    const object = copy.store.get(ref)
    if (object) for (const font of fontsIn(copy, object)) addTexts(copy, font)
  }
}

/** Returns the objects that contain fonts with missing mappings. */
function listOwners(document: PdfDocument): PDFRef[] {
  const fonts = [...listAllFonts(document)].filter(
    ([font]) => SIMPLE.has(document.peekName(font.get(Name.Subtype)) ?? '') && textsOf(document, font),
  )
  return [...new Set(findOwners(document, new Map(fonts)).values())]
}

/** Returns the simple fonts that are direct parts of an object. Referenced objects are skipped. */
function fontsIn(document: PdfDocument, object: PDFObject): PDFDict[] {
  const fonts: PDFDict[] = []
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFStream) stack.push(value.dict)
    else if (value instanceof PDFArray) {
      for (const item of value.asArray()) if (item instanceof PDFDict || item instanceof PDFArray) stack.push(item)
    } else if (value instanceof PDFDict) {
      if (SIMPLE.has(document.peekName(value.get(Name.Subtype)) ?? '')) fonts.push(value)
      else for (const item of value.values()) if (item instanceof PDFDict || item instanceof PDFArray) stack.push(item)
    }
  }
  return fonts
}

/** Returns the texts of codes that PDFium can't map. Returns undefined if there are none. */
function textsOf(document: PdfDocument, font: PDFDict): Map<number, string> | undefined {
  const { base, names } = readEncoding(document, font)
  const builtIn =
    base === undefined ? readBuiltInNames(document, document.peekDict(font.get(Name.FontDescriptor))) : undefined
  // PDFium doesn't map the glyph names of Type 3 fonts.
  const isType3 = document.peekName(font.get(Name.Subtype)) === 'Type3'
  const codeTexts = readCodeTexts(document, font)
  const texts = new Map<number, string>()
  for (const [code, name] of new Map([...(builtIn ?? []), ...names])) {
    if (!isType3 && KNOWN_TO_PDFIUM.test(name) && !/small$|oldstyle$/.test(name)) continue
    const read = codeTexts.of(code, 1)
    if (read && read.source !== 'to-unicode') texts.set(code, read.text)
  }
  return texts.size === 0 ? undefined : texts
}

function addTexts(document: PdfDocument, font: PDFDict): void {
  const added = textsOf(document, font)
  if (!added) return
  const toUnicode = readToUnicode(document, font)
  const texts = CODES.flatMap((code): [number, string][] => {
    const text = added.get(code) ?? toUnicode?.textOf(keyOfCode(code, 1))
    return text === undefined ? [] : [[keyOfCode(code, 1), text]]
  })
  font.set(Name.ToUnicode, document.register(PDFRawStream.of(document.context.obj({}), writeToUnicode(texts))))
}
