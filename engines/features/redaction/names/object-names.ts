import { PDFArray, PDFDict, PDFHexString, PDFName, PDFStream, PDFString } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable, walkDictionaries } from '../../../pdf/document'
import { readCharacterOfName } from '../../../pdf/fonts'
import { readText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { isCommonFamily } from './standard-names'

/** Types of objects whose names are font, glyph or encoding names. */
const FONT_TYPES: readonly (PDFObject | undefined)[] = ['Font', 'FontDescriptor', 'Encoding', 'CMap'].map(name =>
  PDFName.of(name),
)

/** Keys of font names, which viewers only use if the font program isn't embedded. */
const FONT_NAME_KEYS = ['BaseFont', 'FontName', 'Name'].map(name => PDFName.of(name))

const FONT_FILES = new Set(['FontFile', 'FontFile2', 'FontFile3'].map(name => PDFName.of(name)))

/** The prefix of the name of a font subset (ISO 32000-2, 9.9.2). */
const SUBSET = /^[A-Z]{6}\+/

/**
 * Returns the new name for a name, or undefined if the name stays. Texts are bytes as Latin-1, without escapes.
 */
export type Rename = (text: string) => string | undefined

/** Returns the new default appearance string (/DA), or undefined if it stays. */
export type RenameInString = (bytes: Uint8Array) => Uint8Array | undefined

/** References of all reachable objects, and the containers whose names are glyph names. */
interface Names {
  refs: PDFRef[]
  glyphs: GlyphNames
}

interface GlyphNames {
  /** Containers whose names stay, because a font program or `CharProcs` has them. */
  used: ReadonlySet<PDFObject>
  /** All arrays of glyph names. */
  differences: ReadonlySet<PDFObject>
}

/** Collects all reachable objects, the /CharProcs dictionaries of Type 3 fonts, and /Differences of embedded fonts. */
export function openNames(document: PdfDocument): Names {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  const refs = [...reached.inOrder()].map(slot => reached.refOf(slot))
  const [used, all] = [new Set<PDFObject>(), new Set<PDFObject>()]
  for (const ref of refs) {
    const object = document.peek(ref)
    if (!object || object instanceof PDFStream) continue
    for (const dict of walkDictionaries(object)) {
      const charProcs = dict.has(Name.CharProcs) ? document.peekDict(dict.get(Name.CharProcs)) : undefined
      if (charProcs) used.add(charProcs)
      const own = document.peekArray(dict.get(Name.Differences))
      if (own) all.add(own)
      const descriptor = document.peekDict(dict.get(Name.FontDescriptor))
      const isEmbedded = charProcs || descriptor?.keys().some(key => FONT_FILES.has(key))
      const encoding = isEmbedded ? document.peekDict(dict.get(Name.Encoding)) : undefined
      const differences = document.peekArray(encoding?.get(Name.Differences))
      if (differences) used.add(differences)
    }
  }
  return { refs, glyphs: { used, differences: all } }
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
    glyphs: GlyphNames
    rename: Rename
    renameInString: RenameInString
    isChanging: boolean
  },
): PDFObject | undefined {
  let isFound = false
  const read = (value: PDFObject, isGlyph = false): PDFName | undefined => {
    const own = value instanceof PDFName ? textOf(value) : undefined
    const text = own === undefined || (isGlyph && readCharacterOfName(own) !== undefined) ? undefined : rename(own)
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
      for (const [index, item] of glyphs.used.has(value) ? [] : value.asArray().entries()) {
        const name = read(item, glyphs.differences.has(value))
        if (name && isChanging) value.set(index, name)
        push(item)
      }
      continue
    }
    const dict = value instanceof PDFStream ? value.dict : value
    if (!(dict instanceof PDFDict)) continue
    const isFont = dict.has(Name.Differences) || FONT_TYPES.includes(document.peek(dict.get(Name.Type)))
    for (const [key, item] of dict.entries()) {
      const newKey = glyphs.used.has(dict) ? undefined : read(key)
      const isName = isFont && (FONT_NAME_KEYS.includes(key) || key === Name.FontFamily)
      const newValue = isName
        ? fontName(item, rename)
        : (read(item) ?? (key === Name.DA ? renamedString(item, renameInString) : undefined))
      isFound ||= newValue !== undefined
      if (isChanging && newKey) dict.delete(key)
      if (isChanging && (newKey || newValue)) dict.set(newKey ?? key, newValue ?? item)
      push(item)
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
function fontName(value: PDFObject, rename: Rename): PDFObject | undefined {
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
