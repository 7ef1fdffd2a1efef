import type { PDFDict } from 'pdf-lib'
import { keyOfCode } from '../content/code-keys'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'
import { readCollection } from './character-collection'
import { readCMap } from './cmaps/cmap'
import { toCodeText } from './code-text'
import type { CodeTexts } from './code-text'
import { openProgramTexts } from './program-texts'
import { readCidGlyphs } from './cid-glyphs'
import { findDescendant, findProgram } from './font-program'
import { openPredefinedTexts } from './cmaps/to-unicode'

/** Predefined CMaps by their Adobe character collections (ISO 32000-2, table 116). All others belong to Japan1. */
const COLLECTIONS: readonly (readonly [ordering: string, names: RegExp])[] = [
  ['GB1', /^(UniGB|GB)/],
  ['CNS1', /^(UniCNS|CNS|B5|ET|HK)/],
  ['KR', /^UniAKR/],
  ['Korea1', /^(UniKS|KSC)/],
]

/**
 * Reads what the codes of a Type 0 font mean, apart from /ToUnicode: by a predefined CMap for Unicode, by Adobe's
 * character collections, else by the embedded program.
 */
export function readCompositeTexts(document: PdfDocument, font: PDFDict): CodeTexts {
  const encoding = document.peekName(font.get(Name.Encoding)) ?? ''
  const descendant = findDescendant(document, font)
  const cmap = readCMap(document, font.get(Name.Encoding))
  const collection = openPredefinedTexts(`Adobe-${findOrdering(document, encoding, descendant)}-UCS2`)
  let program: ((cid: number) => string | undefined) | undefined
  return {
    of(code, length) {
      const direct = toCodeText(decodeUnicode(encoding, code, length), 'encoding')
      if (direct || !cmap.has(code, length)) return direct
      const cid = cmap.cidOf(code, length)
      const known = toCodeText(collection?.textOf(keyOfCode(cid, 2)), 'collection')
      if (known) return known
      program ??= openGlyphTexts(document, descendant)
      return toCodeText(program(cid), 'program')
    },
  }
}

/** The ordering of the character collection that has the font's CIDs. Empty if there is none. */
function findOrdering(document: PdfDocument, encoding: string, descendant: PDFDict | undefined): string {
  if (encoding !== '' && !encoding.startsWith('Identity'))
    return COLLECTIONS.find(([, names]) => names.test(encoding))?.[0] ?? 'Japan1'
  return readCollection(document, descendant?.get(Name.CIDSystemInfo)).ordering ?? ''
}

/** Reads a code of a predefined CMap whose codes are Unicode. Undefined for codes of other CMaps. */
function decodeUnicode(encoding: string, code: number, length: number): string | undefined {
  const form = /^Uni.*-(UCS2|UTF16|UTF8|UTF32)-/.exec(encoding)?.[1]
  if (form === undefined) return undefined
  if (form === 'UTF8') return Buffer.from(bytesOf(code, length)).toString('utf8')
  if (form === 'UTF32') return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  return Buffer.from(bytesOf(code, length === 4 ? 4 : 2))
    .swap16()
    .toString('utf16le')
}

/** The bytes of a code, the highest first. */
function bytesOf(code: number, length: number): number[] {
  return Array.from({ length }, (_, index) => Math.floor(code / 256 ** (length - 1 - index)) % 256)
}

/** Opens the embedded program of a CIDFont. Returns the texts of glyphs by CID. */
function openGlyphTexts(document: PdfDocument, descendant: PDFDict | undefined): (cid: number) => string | undefined {
  const texts = openProgramTexts(
    document,
    findProgram(document, document.peekDict(descendant?.get(Name.FontDescriptor))),
  )
  const glyphOf = descendant && texts && readCidGlyphs(document, descendant, texts.opened)
  return cid => (glyphOf ? texts.textOf(glyphOf(cid)) : undefined)
}
