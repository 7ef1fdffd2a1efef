import { PDFArray, PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { Font } from '../font'
import { findDescendant, findProgram } from '../font-program'
import type { Program } from '../font-program'
import type { PdfDocument } from '../../document/document'
import { serialize } from '../../syntax/serialize'
import type { FontUses } from './shown-codes'
import * as Name from '../../syntax/names'

const key = (text: string): PDFName => PDFName.of(text)

/** Fonts with the same codes for the same glyphs. Their dictionaries differ at most in widths and /ToUnicode. */
export interface FontSpace {
  kind: 'simple' | 'composite' | 'type3'
  fonts: PDFDict[]
  reader: Font
  /** Keys of the codes that are shown, in order of first use. */
  shown: number[]
  /** Keys of the codes that were shown before. */
  before: ReadonlySet<number>
  descendant: PDFDict | undefined
  descriptor: PDFDict | undefined
  program: Program | undefined
}

/** Returns the fonts of the form's default resources (ISO 32000-2, table 224), which viewers use for new values. */
export function findFormFonts(document: PdfDocument): Set<PDFDict> {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const fonts = document.peekDict(document.peekDict(form?.get(Name.DR))?.get(Name.Font))
  return new Set((fonts?.values() ?? []).flatMap(value => document.peekDict(value) ?? []))
}

/** Keys of font entries that list glyphs or codes. */
const LISTS = ['Widths', 'ToUnicode', 'CharProcs', 'DescendantFonts'].map(key)

/** Returns whether a font lists single glyphs or codes. Standard fonts with a predefined encoding don't. */
export function tellsGlyphs(document: PdfDocument, font: PDFDict): boolean {
  if (LISTS.some(name => font.has(name)) || document.peek(font.get(Name.Encoding)) instanceof PDFDict) return true
  return findProgram(document, document.peekDict(font.get(Name.FontDescriptor))) !== undefined
}

/** Groups fonts into spaces. `shown` and `before` contain the codes of each font now and before the redaction. */
export function groupSpaces(
  document: PdfDocument,
  fonts: Iterable<PDFDict>,
  { shown, before, read }: Uses,
): FontSpace[] {
  const spaces = new Map<string, FontSpace>()
  const ids = new Map<PDFObject, number>()
  for (const font of fonts) {
    const space = openSpace(document, font, read)
    const id = identify(document, space, ids)
    const group = spaces.get(id) ?? space
    spaces.set(id, group)
    if (group !== space) group.fonts.push(font)
    group.shown = [...new Set([...group.shown, ...(shown.byFont.get(font)?.counts.keys() ?? [])])]
    group.before = new Set([...group.before, ...(before.byFont.get(font)?.counts.keys() ?? [])])
  }
  return [...spaces.values()]
}

interface Uses {
  shown: FontUses
  before: FontUses
  read: (font: PDFDict) => Font
}

function openSpace(document: PdfDocument, font: PDFDict, read: Uses['read']): FontSpace {
  const subtype = document.peekName(font.get(Name.Subtype))
  const descendant = subtype === 'Type0' ? findDescendant(document, font) : undefined
  const descriptor = document.peekDict((descendant ?? font).get(Name.FontDescriptor))
  return {
    kind: subtype === 'Type0' ? 'composite' : subtype === 'Type3' ? 'type3' : 'simple',
    fonts: [font],
    reader: read(font),
    shown: [],
    before: new Set(),
    descendant,
    descriptor,
    program: subtype === 'Type3' ? undefined : findProgram(document, descriptor),
  }
}

/** Returns the objects that list glyphs or codes of a space. Fonts of other spaces may share them. */
export function listGlyphLists(document: PdfDocument, { fonts, program }: FontSpace): PDFObject[] {
  const lists = fonts.flatMap(font => [...LISTS, Name.Encoding].map(name => document.peek(font.get(name))))
  const procedures = fonts.flatMap(
    font =>
      document
        .peekDict(font.get(Name.CharProcs))
        ?.values()
        .map(value => document.peek(value)) ?? [],
  )
  const objects = [program?.stream, ...lists, ...procedures]
  return objects.filter(
    object => object instanceof PDFDict || object instanceof PDFArray || object instanceof PDFRawStream,
  )
}

/** Returns an identifier that all fonts of one space share. Every font that isn't embedded has its own space. */
function identify(
  document: PdfDocument,
  { kind, fonts, descendant, program }: FontSpace,
  ids: Map<PDFObject, number>,
): string {
  const [font] = fonts
  const idOf = (object: PDFObject | undefined): number => {
    if (!object) return -1
    const id = ids.get(object) ?? ids.size
    ids.set(object, id)
    return id
  }
  if (!font || !program) return `font ${idOf(font)}`
  const encoding = document.peek(font.get(Name.Encoding))
  const isData = encoding instanceof PDFRawStream
  const written = isData || !encoding ? idOf(encoding) : serialize(encoding, () => false)
  const base = document.peekName(font.get(Name.BaseFont)) ?? ''
  return `${kind} ${idOf(program.stream)} ${descendant ? idOf(descendant) : base} ${document.peekName(font.get(Name.Subtype)) ?? ''} ${written}`
}

/** Returns whether a font name has a subset tag (ISO 32000-2, 9.9.2). */
export function hasSubsetTag(document: PdfDocument, { fonts, descendant, descriptor }: FontSpace): boolean {
  const names = [
    ...fonts.map(font => font.get(Name.BaseFont)),
    descendant?.get(Name.BaseFont),
    descriptor?.get(Name.FontName),
  ]
  return names.some(name => /^[A-Z]{6}\+/.test(document.peekName(name) ?? ''))
}
