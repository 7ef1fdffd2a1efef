import { PDFString } from 'pdf-lib'
import type { PDFDict, PDFName, PDFObject } from 'pdf-lib'
import { addDeflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import { findObjectsByName } from '../../document/find-objects-by-name'
import { walkDictionaries } from '../../document/walk-dictionaries'
import { writeToUnicode } from '../../content/write-to-unicode'
import { readCidGlyphs } from '../cid-glyphs'
import { findDescendant, findProgram, openProgram } from '../font-program'
import type { OpenedProgram } from '../font-program'
import { readToUnicode } from '../cmaps/to-unicode'
import { findFormFonts } from './font-spaces'
import type { FontsBefore } from './rebuild-fonts'
import { listAllFonts } from './shown-codes'
import { writeCidSet } from './write-font'
import * as Name from '../../syntax/names'

const NOTDEF = '.notdef'

/** Other names would have to be escaped. No font needs them. */
const PLAIN_NAME = /^[\w.-]{1,100}$/

/** CIDs have at most two bytes. */
const MOST_CIDS = 65_536

/**
 * Writes what fonts say beside their glyphs anew, so that it repeats no other text: ToUnicode with the codes that the
 * document shows, in their order, and /CharSet and /CIDSet with the glyphs of the program. Fonts of the form's default
 * resources keep all codes. `before` are the codes that the document shows.
 */
export function cleanFonts(document: PdfDocument, before: FontsBefore): void {
  const { unknown, isPartial, byFont } = before.uses
  const formFonts = findFormFonts(document)
  const isAllKnown = unknown.length === 0 && !isPartial
  editDictionaries(document, Name.ToUnicode, font => {
    if (isAllKnown && !formFonts.has(font)) cutToUnicode(document, font, byFont.get(font)?.counts.keys() ?? [])
  })
  const described = new Map<PDFObject, PDFDict>()
  for (const font of listAllFonts(document).keys()) {
    const one = findDescendant(document, font) ?? font
    const descriptor = document.peekDict(one.get(Name.FontDescriptor))
    if (descriptor) described.set(descriptor, one)
  }
  editDictionaries(document, Name.CharSet, descriptor => cleanCharSet(document, descriptor))
  editDictionaries(document, Name.CIDSet, descriptor => cleanCidSet(document, descriptor, described.get(descriptor)))
}

/** Changes all dictionaries that have a key. */
function editDictionaries(document: PdfDocument, key: PDFName, edit: (dict: PDFDict) => void): void {
  for (const { ref, object } of findObjectsByName(document, [key.toString()])) {
    const dicts = [...walkDictionaries(object)].filter(dict => dict.has(key))
    if (dicts.length > 0) document.store.get(ref)
    for (const dict of dicts) edit(dict)
  }
}

function cutToUnicode(document: PdfDocument, font: PDFDict, shown: Iterable<number>): void {
  const texts = readToUnicode(document, font)
  const kept = new Map<number, string>()
  for (const key of [...shown].sort((one, other) => one - other)) {
    const text = texts?.textOf(key)
    if (text !== undefined) kept.set(key, text)
  }
  if (kept.size === 0) font.delete(Name.ToUnicode)
  else font.set(Name.ToUnicode, addDeflatedStream(document, writeToUnicode(kept)))
}

/** Lists the glyph names of the program in their order of the alphabet (ISO 32000-2, table 120). */
function cleanCharSet(document: PdfDocument, descriptor: PDFDict): void {
  const names = listNames(openDescribed(document, descriptor)).sort()
  if (names.length === 0 || names.some(name => !PLAIN_NAME.test(name))) descriptor.delete(Name.CharSet)
  else descriptor.set(Name.CharSet, PDFString.of(names.map(name => `/${name}`).join('')))
}

function listNames(opened: OpenedProgram | undefined): string[] {
  if (opened?.format === 'type1') return opened.program.names.filter(name => name !== NOTDEF)
  if (opened?.format !== 'cff') return []
  const { program } = opened
  const names = Array.from({ length: program.glyphCount }, (_, glyph) => program.nameOf(glyph))
  return [...new Set(names)].filter(name => name !== undefined).filter(name => name !== NOTDEF)
}

/** Lists the CIDs that have a glyph in the program (ISO 32000-2, table 122). */
function cleanCidSet(document: PdfDocument, descriptor: PDFDict, font: PDFDict | undefined): void {
  const opened = openDescribed(document, descriptor)
  const glyphOf = opened && font && readCidGlyphs(document, font, opened)
  if (!glyphOf || opened.format === 'type1') {
    descriptor.delete(Name.CIDSet)
    return
  }
  const { glyphCount } = opened.program
  const cids = Array.from({ length: MOST_CIDS }, (_, cid) => cid).filter(cid => {
    const glyph = glyphOf(cid)
    return glyph > 0 && glyph < glyphCount
  })
  descriptor.set(Name.CIDSet, addDeflatedStream(document, writeCidSet(cids)))
}

function openDescribed(document: PdfDocument, descriptor: PDFDict): OpenedProgram | undefined {
  const program = findProgram(document, descriptor)
  return program && openProgram(document, program)
}
