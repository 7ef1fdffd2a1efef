import { createHash } from 'node:crypto'
import { PDFDict } from 'pdf-lib'
import type { PDFObject, PDFRawStream } from 'pdf-lib'
import { Fonts } from '../fonts'
import { decodeUpToLimit } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { deflate } from '../../filters/deflate'
import { findOwners } from './font-owners'
import { findDescendant, findProgram, openProgram } from '../font-program'
import { findFormFonts, groupSpaces } from './font-spaces'
import type { FontSpace } from './font-spaces'
import { addUnknown, applyRebuilt, rebuildSpace } from './rebuild-fonts'
import type { RebuiltSpace } from './rebuilt-space'
import { countShownCodes, listAllFonts } from './shown-codes'
import { readToUnicode } from '../cmaps/to-unicode'
import * as Name from '../../syntax/names'
import { addTo } from '../../../map-entries'

/**
 * Removes glyphs that the document doesn't show from embedded fonts. Codes and texts stay. Fonts of the form's default
 * resources keep all glyphs, because viewers use them for new values. Fonts that share a program with them also keep
 * all glyphs. Returns whether any font changed.
 */
export function cutUnusedGlyphs(document: PdfDocument): boolean {
  const formPrograms = new Set([...findFormFonts(document)].map(font => programOf(document, font)))
  const isWanted = (font: PDFDict): boolean => {
    const program = programOf(document, font)
    return program !== undefined && !formPrograms.has(program)
  }
  const refs = listAllFonts(document)
  const all = [...refs.keys()].filter(isWanted)
  if (all.length === 0) return false
  const fonts = new Fonts(document)
  const shown = countShownCodes(document, isWanted, fonts)
  if (shown.isPartial) return false
  addUnknown(document, shown, { all, fonts })
  const spaces = groupSpaces(document, all, { shown, before: shown, read: font => fonts.find(font) })
  const owners = findOwners(document, new Map(all.map(font => [font, refs.get(font)])))
  // Equal programs are stored once. Different subsets of them would take more space.
  const byProgram = new Map<string, FontSpace[]>()
  for (const space of spaces) {
    const key = space.program && identify(document, space.program.stream)
    if (key !== undefined) addTo(byProgram, key, space)
  }
  let isChanged = false
  for (const group of byProgram.values()) isChanged = cutProgram(document, group, owners) || isChanged
  return isChanged
}

function programOf(document: PdfDocument, font: PDFDict): PDFObject | undefined {
  const described = findDescendant(document, font) ?? font
  return findProgram(document, document.peekDict(described.get(Name.FontDescriptor)))?.stream
}

/** A hash of a program. Undefined if it can't be decoded. */
function identify(document: PdfDocument, stream: PDFRawStream): string | undefined {
  const bytes = decodeUpToLimit(document, stream)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}

/**
 * Cuts a program for all fonts that use it. Changes nothing unless all of them can be cut and the result is smaller.
 */
function cutProgram(
  document: PdfDocument,
  spaces: readonly FontSpace[],
  owners: ReadonlyMap<PDFDict, Parameters<PdfDocument['edit']>[0]>,
): boolean {
  const [first] = spaces
  if (!first?.program) return false
  const opened = openProgram(document, first.program)
  if (!opened) return false
  const cuts: { space: FontSpace; rebuilt: RebuiltSpace }[] = []
  let bytes = 0
  for (const space of spaces) {
    if (!space.fonts.every(font => owners.has(font))) return false
    const texts = space.fonts[0] && readToUnicode(document, space.fonts[0])
    const meaning = (key: number) => ({ unicode: texts?.textOf(key) })
    const rebuilt = rebuildSpace(document, space, { opened, meaning, keepsCodes: true })
    if (!rebuilt || [...rebuilt.keys].some(([from, to]) => from !== to)) return false
    const program = findProgram(document, findNewDescriptor(document, rebuilt))
    if (!program) return false
    bytes += program.stream.contents.length
    cuts.push({ space, rebuilt })
  }
  if (bytes >= sizeOfProgram(first.program.stream)) return false
  for (const { space, rebuilt } of cuts) {
    for (const font of space.fonts) {
      const owner = owners.get(font)
      const texts = readToUnicode(document, font)
      applyRebuilt(document, font, { space, rebuilt, texts, isWhole: false, owner })
    }
  }
  return true
}

/** Returns the size of a stream's data in bytes, after compression. */
function sizeOfProgram({ contents, dict }: PDFRawStream): number {
  return dict.has(Name.Filter) ? contents.length : deflate(contents).length
}

/** Returns the new font descriptor of a rebuilt font. */
function findNewDescriptor(document: PdfDocument, { entries }: RebuiltSpace): PDFDict | undefined {
  const planned = PDFDict.fromMapWithContext(
    new Map([...entries].flatMap(([name, value]) => (value ? [[name, value] as const] : []))),
    document.context,
  )
  const described = findDescendant(document, planned) ?? planned
  return document.peekDict(described.get(Name.FontDescriptor))
}
