import { PDFArray, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFDict, PDFRef } from 'pdf-lib'
import { Fonts } from '../fonts'
import { codeOfKey } from '../../content/code-keys'
import { addDeflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import { writeToUnicode } from '../../content/write-to-unicode'
import { findOwners } from './font-owners'
import { openProgram } from '../font-program'
import type { OpenedProgram } from '../font-program'
import { findFormFonts, groupSpaces, hasSubsetTag, listGlyphLists, tellsGlyphs } from './font-spaces'
import type { FontSpace } from './font-spaces'
import type { Meaning } from './standard-codes'
import { rebuildComposite } from './rebuild-composite'
import { rebuildSimple } from './rebuild-simple'
import { rebuildType3 } from './rebuild-type3'
import { keepKeys } from './rebuilt-space'
import type { Rebuilding, RebuiltSpace } from './rebuilt-space'
import { recodeContent } from './recode-content'
import type { Recoding } from './recode-content'
import { countCodes, countShownCodes, listAllFonts, nameFonts } from './shown-codes'
import type { FontUse, FontUses } from './shown-codes'
import { readEncoding } from '../simple-font'
import { readToUnicode } from '../cmaps/to-unicode'
import type { ToUnicode } from '../cmaps/to-unicode'
import * as Name from '../../syntax/names'
import { findOrAdd } from '../../../map-entries'

const key = (text: string): PDFName => PDFName.of(text)

/**
 * The minimum share and number of glyphs that weren't shown even before text was removed. A font without a subset tag
 * counts as a full font if it reaches both.
 */
const WHOLE_SHARE = 0.2
const WHOLE_COUNT = 10

/** The entries that replace those of a font that isn't shown anymore. */
const PLAIN: readonly (readonly [string, string])[] = [
  ['Type', 'Font'],
  ['Subtype', 'Type1'],
  ['BaseFont', 'Helvetica'],
]

/** The codes that fonts showed before text was removed. See `recordFonts`. */
export interface FontsBefore {
  uses: FontUses
  /** All fonts in the resources of content streams. */
  named: ReadonlySet<PDFDict>
  isWanted: (font: PDFDict) => boolean
  /** The parsed fonts. `rebuildFonts` replaces them, because rebuilt fonts must be parsed again. */
  fonts: Fonts
}

/**
 * Records which codes the document's fonts show, for a later comparison. Leaves out fonts of the form's default
 * resources.
 */
export function recordFonts(document: PdfDocument): FontsBefore {
  const formFonts = findFormFonts(document)
  const known = new Map<PDFDict, boolean>()
  const isWanted = (font: PDFDict): boolean => {
    const isKnown = known.get(font) ?? (!formFonts.has(font) && tellsGlyphs(document, font))
    known.set(font, isKnown)
    return isKnown
  }
  const fonts = new Fonts(document)
  return {
    uses: countShownCodes(document, isWanted, fonts),
    named: new Set(listAllFonts(document).keys()),
    isWanted,
    fonts,
  }
}

/**
 * Rebuilds all fonts that show less text than in `noted`, so that they reveal nothing about the removed text. Subset
 * fonts keep only what the document still shows. This applies to programs, widths, encodings, glyph procedures and
 * ToUnicode. Glyphs and codes that were numbered in the order of use are renumbered in the order of the remaining text.
 * Full fonts keep their glyphs. Returns the fonts that couldn't be rebuilt.
 */
export function rebuildFonts(document: PdfDocument, noted: FontsBefore): PDFDict[] {
  const { uses: before, named, isWanted, fonts } = noted
  if (before.byFont.size === 0 && before.unknown.length === 0) return []
  const shown = countShownCodes(document, isWanted, fonts)
  const refs = listAllFonts(document)
  const all = [...refs.keys()].filter(isWanted)
  const touched = findTouched(before, shown)
  // Rewriting content copies Type 3 fonts.
  for (const font of all)
    if (
      document.peekName(font.get(Name.Subtype)) === 'Type3' &&
      (!named.has(font) || hasUnshown(document, font, shown))
    )
      touched.add(font)
  if (touched.size === 0) return []
  addUnknown(document, shown, { all, fonts })
  // Fonts that no content has any more may share their program with others.
  const gone = [...touched].filter(font => !refs.has(font))
  const spaces = groupSpaces(document, [...all, ...gone], { shown, before, read: font => fonts.find(font) })
  const changed = spaces.filter(space => space.fonts.some(font => touched.has(font)))
  const shared = new Set(changed.flatMap(space => listGlyphLists(document, space)))
  const chosen = spaces.filter(
    space => changed.includes(space) || listGlyphLists(document, space).some(object => shared.has(object)),
  )
  for (const space of chosen) space.fonts = space.fonts.filter(font => refs.has(font))
  noted.fonts = new Fonts(document)
  return new Rebuilder(document, { refs, hasUnknown: shown.unknown.length > 0 }).rebuild(
    chosen.filter(({ fonts: left }) => left.length > 0),
  )
}

/** Returns whether a Type 3 font has glyph procedures that nothing shows. They may say what isn't searched anywhere. */
function hasUnshown(document: PdfDocument, font: PDFDict, { byFont, unknown }: FontUses): boolean {
  if (unknown.length > 0) return false
  const { names } = readEncoding(document, font)
  const shownNames = new Set(
    [...(byFont.get(font)?.counts.keys() ?? [])].map(shown => names.get(codeOfKey(shown).code)),
  )
  const procedures = document.peekDict(font.get(Name.CharProcs))
  return procedures?.keys().some(name => !shownNames.has(name.decodeText())) ?? false
}

/** Returns the fonts that show less than before. */
function findTouched(before: FontUses, shown: FontUses): Set<PDFDict> {
  const touched = new Set<PDFDict>()
  const isAny = countBytes(shown.unknown) < countBytes(before.unknown)
  for (const [font, use] of before.byFont)
    if (isAny || countShown(shown.byFont.get(font)) < countShown(use)) touched.add(font)
  return touched
}

function countShown(use: FontUse | undefined): number {
  let sum = 0
  for (const count of use?.counts.values() ?? []) sum += count
  return sum
}

function countBytes(strings: FontUses['unknown']): number {
  return strings.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

/**
 * Counts strings in unknown fonts for all fonts that have the string's font name. Strings without a font name count for
 * all fonts.
 */
export function addUnknown(
  document: PdfDocument,
  { unknown, byFont }: FontUses,
  { all, fonts }: { all: readonly PDFDict[]; fonts: Fonts },
): void {
  if (unknown.length === 0) return
  const names = nameFonts(document)
  for (const font of all) {
    const strings = unknown.filter(({ name }) => name === undefined || names.get(font)?.has(name))
    if (strings.length === 0) continue
    const use = findOrAdd(byFont, font, () => ({ reader: fonts.find(font), counts: new Map<number, number>() }))
    for (const { bytes } of strings) countCodes(use, bytes)
  }
}

class Rebuilder {
  private readonly recodings = new Map<PDFDict, Recoding>()
  private readonly changes: (() => void)[] = []

  constructor(
    private readonly document: PdfDocument,
    private readonly facts: { refs: ReadonlyMap<PDFDict, PDFRef | undefined>; hasUnknown: boolean },
  ) {}

  /** Rebuilds the fonts of these spaces. Returns the fonts that couldn't be rebuilt. */
  rebuild(spaces: readonly FontSpace[]): PDFDict[] {
    const { refs } = this.facts
    const owners = findOwners(
      this.document,
      new Map(spaces.flatMap(({ fonts }) => fonts.map(font => [font, refs.get(font)]))),
    )
    const failed: PDFDict[] = []
    for (const space of spaces) {
      const isOwned = space.fonts.every(font => owners.has(font))
      if (!isOwned || !this.plan(space, owners)) failed.push(...space.fonts)
    }
    recodeContent(this.document, this.recodings)
    for (const change of this.changes) change()
    return failed
  }

  private plan(space: FontSpace, owners: ReadonlyMap<PDFDict, PDFRef>): boolean {
    const { document } = this
    if (space.shown.length === 0) {
      for (const font of space.fonts) this.changes.push(() => makePlain(document, font, owners.get(font)))
      return true
    }
    const maps = new Map(space.fonts.map(font => [font, readToUnicode(document, font)] as const))
    const [texts] = maps.values()
    const meaning: Meaning = shown => ({ unicode: texts?.textOf(shown) })
    const opened = space.program ? openProgram(document, space.program) : undefined
    const isWhole = opened !== undefined && this.isWhole(space, opened)
    if (space.program && !opened) return false
    const rebuilt = isWhole
      ? { keys: keepKeys(space), entries: new Map(), texts: new Map() }
      : rebuildSpace(document, space, { opened, meaning })
    if (!rebuilt) return false
    const isRecoded = [...rebuilt.keys].some(([from, to]) => from !== to)
    if (isRecoded && this.facts.hasUnknown) return false
    for (const font of space.fonts) {
      if (isRecoded) this.recodings.set(font, { reader: space.reader, keys: rebuilt.keys })
      this.changes.push(() =>
        applyRebuilt(document, font, { space, rebuilt, texts: maps.get(font), isWhole, owner: owners.get(font) }),
      )
    }
    return true
  }

  /** Returns whether a font without a subset tag has many glyphs that weren't shown even before text was removed. */
  private isWhole(space: FontSpace, opened: OpenedProgram): boolean {
    if (hasSubsetTag(this.document, space)) return false
    const glyphCount = opened.program.listOutlines().length
    const unused = glyphCount - space.before.size
    return unused >= WHOLE_COUNT && unused >= WHOLE_SHARE * glyphCount
  }
}

/**
 * Plans the fonts of a space with only the glyphs that are shown. If `keepsCodes` is true, codes and glyph names stay
 * unchanged if that's possible. Returns undefined if it can't be done safely.
 */
export function rebuildSpace(document: PdfDocument, space: FontSpace, how: Rebuilding): RebuiltSpace | undefined {
  if (space.kind === 'type3') return rebuildType3(document, space, how.meaning)
  return space.kind === 'composite' ? rebuildComposite(document, space, how) : rebuildSimple(document, space, how)
}

export interface Change {
  space: FontSpace
  rebuilt: RebuiltSpace
  /** The texts of the font's ToUnicode CMap. */
  texts: ToUnicode | undefined
  isWhole: boolean
  owner: PDFRef | undefined
}

/** Writes the planned entries into a font. */
export function applyRebuilt(
  document: PdfDocument,
  font: PDFDict,
  { space, rebuilt, texts, isWhole, owner }: Change,
): void {
  if (owner) document.store.get(owner)
  if (space.kind !== 'composite' && !isWhole) setWidths(document, font, { space, keys: rebuilt.keys })
  for (const [name, value] of rebuilt.entries) {
    if (value === undefined) font.delete(name)
    else font.set(name, value)
  }
  if (!texts && rebuilt.texts.size === 0) return
  const kept = new Map(
    [...rebuilt.keys].flatMap(([from, to]): [number, string][] => {
      const text = texts?.textOf(from) ?? rebuilt.texts.get(from)
      return text === undefined ? [] : [[to, text]]
    }),
  )
  font.set(Name.ToUnicode, addDeflatedStream(document, writeToUnicode(kept)))
}

/** Writes the widths of the codes that are shown, and 0 for all others (ISO 32000-2, 9.6.2.1). */
function setWidths(
  document: PdfDocument,
  font: PDFDict,
  { space, keys }: { space: FontSpace; keys: ReadonlyMap<number, number> },
): void {
  const widths = document.peekArray(font.get(Name.Widths))
  if (!widths) return
  const first = document.peekNumber(font.get(Name.FirstChar)) ?? 0
  const missing = document.peekNumber(space.descriptor?.get(Name.MissingWidth)) ?? 0
  const byCode = new Map(
    [...keys].map(([from, to]) => {
      const index = codeOfKey(from).code - first
      const stated = index >= 0 && index < widths.size() ? document.peekNumber(widths.get(index)) : undefined
      return [codeOfKey(to).code, stated ?? missing] as const
    }),
  )
  // A font that shows nothing still needs a width.
  if (byCode.size === 0) byCode.set(first, missing)
  const [low, high] = [Math.min(...byCode.keys()), Math.max(...byCode.keys())]
  const array = PDFArray.withContext(document.context)
  for (let code = low; code <= high; code++) array.push(PDFNumber.of(byCode.get(code) ?? 0))
  font.set(Name.FirstChar, PDFNumber.of(low))
  font.set(Name.LastChar, PDFNumber.of(high))
  font.set(Name.Widths, array)
}

/** Replaces a font that shows nothing with a standard font, which is always available. */
function makePlain(document: PdfDocument, font: PDFDict, owner: PDFRef | undefined): void {
  if (owner) document.store.get(owner)
  for (const name of font.keys()) font.delete(name)
  for (const [name, value] of PLAIN) font.set(key(name), key(value))
}

/** Returns the name of a font without its subset tag, for reports. */
export function describeFont(document: PdfDocument, font: PDFDict): string {
  return (
    document.peekName(font.get(Name.BaseFont))?.replace(/^[A-Z]{6}\+/, '') ||
    document.peekName(font.get(Name.Subtype)) ||
    'unnamed'
  )
}
