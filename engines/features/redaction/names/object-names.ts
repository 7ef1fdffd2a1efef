import { PDFArray, PDFDict, PDFHexString, PDFName, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable, walkDictionaries } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { isCommonFamily } from './standard-names'

/** Types of objects whose names are font, glyph or encoding names. */
const FONT_TYPES: readonly (PDFObject | undefined)[] = ['Font', 'FontDescriptor', 'Encoding', 'CMap'].map(name =>
  PDFName.of(name),
)

/** Keys of font names, which viewers only use if the font program isn't embedded. */
const FONT_NAME_KEYS = ['BaseFont', 'FontName', 'Name'].map(name => PDFName.of(name))

/** The prefix of the name of a font subset (ISO 32000-2, 9.9.2). */
const SUBSET = /^[A-Z]{6}\+/

/**
 * Returns the new name for a name, or undefined if the name stays. Texts are bytes as Latin-1, without escapes.
 */
export type Rename = (text: string) => string | undefined

/** Returns the new default appearance string (/DA), or undefined if it stays. */
export type RenameInString = (bytes: Uint8Array) => Uint8Array | undefined

/** References of all reachable objects, and the dictionaries whose keys are glyph names. */
interface Names {
  refs: PDFRef[]
  glyphs: ReadonlySet<PDFDict>
}

/** Collects all reachable objects and the /CharProcs dictionaries of Type 3 fonts. */
export function openNames(document: PdfDocument): Names {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  const refs = [...reached.inOrder()].map(slot => reached.refOf(slot))
  const glyphs = new Set<PDFDict>()
  for (const ref of refs) {
    const object = document.peek(ref)
    if (!object || object instanceof PDFStream) continue
    for (const dict of walkDictionaries(object)) {
      const charProcs = dict.has(Name.CharProcs) ? document.peekDict(dict.get(Name.CharProcs)) : undefined
      if (charProcs) glyphs.add(charProcs)
    }
  }
  return { refs, glyphs }
}

/**
 * Passes the names of one object to `rename`, both keys and values, except for glyph names. Returns the object with the
 * new names, or undefined if nothing changes. Changes dictionaries and arrays in place if `isChanging` is `true`.
 */
export function renameInObject(
  document: PdfDocument,
  object: PDFObject,
  {
    glyphs,
    rename,
    renameInString,
    isChanging,
  }: {
    glyphs: ReadonlySet<PDFDict>
    rename: Rename
    renameInString: RenameInString
    isChanging: boolean
  },
): PDFObject | undefined {
  let isFound = false
  const read = (value: PDFObject): PDFName | undefined => {
    const text = value instanceof PDFName ? rename(textOf(value)) : undefined
    isFound ||= text !== undefined
    return text === undefined ? undefined : PDFName.of(text)
  }
  if (object instanceof PDFName) return read(object)
  const stack: PDFObject[] = [object]
  const push = (value: PDFObject): void => {
    if (value instanceof PDFDict || value instanceof PDFArray) stack.push(value)
  }
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFArray) {
      for (const [index, item] of value.asArray().entries()) {
        const name = read(item)
        if (name && isChanging) value.set(index, name)
        push(item)
      }
      continue
    }
    const dict = value instanceof PDFStream ? value.dict : value
    if (!(dict instanceof PDFDict)) continue
    const isFont = dict.has(Name.Differences) || FONT_TYPES.includes(document.peek(dict.get(Name.Type)))
    for (const [key, item] of dict.entries()) {
      const newKey = glyphs.has(dict) ? undefined : read(key)
      const newValue = isFont
        ? fontName(document, dict, { key, value: item, rename })
        : (read(item) ?? (key === Name.DA ? renamedString(item, renameInString) : undefined))
      isFound ||= newValue !== undefined
      if (isChanging && newKey) dict.delete(key)
      if (isChanging && (newKey || newValue)) dict.set(newKey ?? key, newValue ?? item)
      if (!(isFont && item instanceof PDFArray)) push(item)
    }
  }
  return isFound ? object : undefined
}

const texts = new WeakMap<PDFName, string>()

/** Returns the text of a name. The texts are cached, because documents repeat the same names. */
function textOf(name: PDFName): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = name.decodeText()
  texts.set(name, text)
  return text
}

/** Returns the new name of a font, with the prefix of its subset. */
function fontName(
  document: PdfDocument,
  dict: PDFDict,
  { key, value, rename }: { key: PDFName; value: PDFObject; rename: Rename },
): PDFObject | undefined {
  if (!(FONT_NAME_KEYS.includes(key) || key === Name.FontFamily)) return undefined
  const text =
    value instanceof PDFName ? value.decodeText() : Buffer.from(readText(value) ?? '', 'utf8').toString('latin1')
  const prefix = SUBSET.exec(text)?.[0] ?? ''
  const plain = text.slice(prefix.length)
  const name = isCommonFamily(plain) ? undefined : rename(plain)
  if (name === undefined) return undefined
  return value instanceof PDFName ? PDFName.of(`${prefix}${name}`) : PDFString.of(name)
}

function renamedString(value: PDFObject, renameInString: RenameInString): PDFObject | undefined {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return undefined
  const renamed = renameInString(value.asBytes())
  return renamed && PDFHexString.of(Buffer.from(renamed).toString('hex'))
}
