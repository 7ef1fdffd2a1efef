import { PDFArray, PDFDict, PDFRawStream, PDFStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { nameOf, readEncoding } from '../../content/fonts/simple-font'
import { readTextOfName } from '../../font-programs/glyph-names'
import { readBuiltInNames } from '../../fonts/built-in-names'
import { findOwners } from '../../fonts/font-owners'
import { listAllFonts } from '../../fonts/shown-codes'
import { readToUnicode } from '../../fonts/to-unicode'
import { keyOfCode } from '../../pdf-core/content/code-keys'
import type { PdfDocument } from '../../pdf-core/document/document'
import { reopenDocument } from '../../pdf-core/pages/reopen'
import { writeToUnicode } from '../../pdf-core/content/write-to-unicode'
import { withoutLargeForm } from './large-forms'
import * as Name from '../../pdf-core/syntax/names'

const SIMPLE = new Set(['Type1', 'MMType1', 'TrueType', 'Type3'])

/** The codes of simple fonts. */
const CODES = Array.from({ length: 256 }, (_, code) => code)

/** Names that PDFium reads by itself: those of the list that stand for one character. */
const READ_ANYWAY = /^(?!u(?:ni)?[0-9A-Fa-f]{4,})[A-Za-z]+$/

/**
 * The document for reading its text with PDFium: where fonts of one-byte codes name glyphs as the Adobe Glyph List
 * does, and have no text for those codes, the copy says which text that is; the document itself is unchanged. The
 * document, when there are none. Very large forms are left out of the copy, as `withoutLargeForm` says.
 */
export function openReadableCopy(document: PdfDocument): PdfDocument {
  const seen = withoutLargeForm(document)
  const owners = listOwners(seen)
  if (owners.length === 0) return seen
  const copy = seen === document ? reopenDocument(document) : seen
  addTextsTo(copy, owners)
  return copy
}

/** Does the same to a copy that was made already. */
export function makeReadable(copy: PdfDocument): void {
  addTextsTo(copy, listOwners(copy))
}

function addTextsTo(copy: PdfDocument, owners: readonly PDFRef[]): void {
  for (const ref of owners) {
    const object = copy.store.get(ref)
    if (object) for (const font of fontsIn(copy, object)) addTexts(copy, font)
  }
}

/** The objects with fonts in them that are to say more. */
function listOwners(document: PdfDocument): PDFRef[] {
  const fonts = [...listAllFonts(document)].filter(
    ([font]) => SIMPLE.has(nameOf(document, font.get(Name.Subtype))) && textsOf(document, font),
  )
  return [...new Set(findOwners(document, new Map(fonts)).values())]
}

/** The simple fonts that are in an object, not those that it refers to. */
function fontsIn(document: PdfDocument, object: PDFObject): PDFDict[] {
  const fonts: PDFDict[] = []
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFStream) stack.push(value.dict)
    else if (value instanceof PDFArray) {
      for (const item of value.asArray()) if (item instanceof PDFDict || item instanceof PDFArray) stack.push(item)
    } else if (value instanceof PDFDict) {
      if (SIMPLE.has(nameOf(document, value.get(Name.Subtype)))) fonts.push(value)
      else for (const item of value.values()) if (item instanceof PDFDict || item instanceof PDFArray) stack.push(item)
    }
  }
  return fonts
}

/** What codes stand for that PDFium would not tell; undefined without any. */
function textsOf(document: PdfDocument, font: PDFDict): Map<number, string> | undefined {
  const { base, names } = readEncoding(document, font)
  const builtIn =
    base === undefined ? readBuiltInNames(document, document.peekDict(font.get(Name.FontDescriptor))) : undefined
  const texts = new Map<number, string>()
  for (const [code, name] of [...(builtIn ?? []), ...names]) {
    texts.delete(code)
    const text = READ_ANYWAY.test(name) && !/small$|oldstyle$/.test(name) ? undefined : readTextOfName(name)
    if (text !== undefined && text !== '' && code >= 0 && code < 256) texts.set(code, text)
  }
  if (texts.size === 0) return undefined
  const said = readToUnicode(document, font)
  for (const code of texts.keys()) if (isMeant(said?.textOf(keyOfCode(code, 1)))) texts.delete(code)
  return texts.size === 0 ? undefined : texts
}

/** Whether PDFium takes a text from /ToUnicode. */
function isMeant(text: string | undefined): boolean {
  return text !== undefined && text !== '' && text !== '\0' && text !== '\ufffd'
}

function addTexts(document: PdfDocument, font: PDFDict): void {
  const added = textsOf(document, font)
  if (!added) return
  const said = readToUnicode(document, font)
  const texts = CODES.flatMap((code): [number, string][] => {
    const text = added.get(code) ?? said?.textOf(keyOfCode(code, 1))
    return text === undefined ? [] : [[keyOfCode(code, 1), text]]
  })
  font.set(Name.ToUnicode, document.register(PDFRawStream.of(document.context.obj({}), writeToUnicode(texts))))
}
