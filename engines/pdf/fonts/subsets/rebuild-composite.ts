import { PDFArray, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { readCMap } from '../cmaps/cmap'
import type { CMap } from '../cmaps/cmap'
import { GlyphValues } from '../composite-font'
import { subsetCff } from '../programs/cff/subset-cff'
import type { CffProgram } from '../programs/cff/cff'
import { subsetTrueType } from '../programs/true-type/subset-true-type'
import type { TrueTypeProgram } from '../programs/true-type/true-type'
import { codeOfKey, keyOfCode } from '../../content/code-keys'
import { addDeflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import { hasKnownCharacters, readCollection } from '../character-collection'
import { glyphsOfCff, readCidGlyphs } from '../cid-glyphs'
import type { FontSpace } from './font-spaces'
import { isNaturalNumbering } from './standard-codes'
import { keepKeys } from './rebuilt-space'
import type { Rebuilding, RebuiltSpace } from './rebuilt-space'
import { writeCidSet, writeDescriptor } from './write-font'
import type { NewProgram } from './write-font'
import * as Name from '../../syntax/names'
import { copyDict } from '../../document/object-copies'

const key = (text: string): PDFName => PDFName.of(text)

/** The key of the single-byte code 32, to which word spacing applies (ISO 32000-2, 9.3.3). */
const SPACE = keyOfCode(32, 1)

interface Plan {
  document: PdfDocument
  space: FontSpace
  descendant: PDFDict
  cmap: CMap
  /** CIDs of the codes that are shown, by key, in order of first use. */
  cids: ReadonlyMap<number, number>
  isNatural: boolean
  keepsCodes: boolean
}

/**
 * Rebuilds a Type 0 font (ISO 32000-2, 9.7) with only the shown glyphs. If glyph numbers reveal the order in which a
 * program encountered the characters, glyphs and codes are renumbered. Returns undefined if that can't be done safely.
 */
export function rebuildComposite(
  document: PdfDocument,
  space: FontSpace,
  { opened, meaning, keepsCodes = false }: Rebuilding,
): RebuiltSpace | undefined {
  const [font] = space.fonts
  const { descendant } = space
  if (!font || !descendant) return undefined
  const cmap = readCMap(document, font.get(Name.Encoding))
  if (!cmap.knowsGlyphs) return undefined
  const cidsOf = (keys: Iterable<number>): Map<number, number> =>
    new Map([...keys].map(one => [one, cmap.cidOf(codeOfKey(one).code, codeOfKey(one).length)]))
  const cids = cidsOf(space.shown)
  const hasCustomEncoding = !(document.peek(font.get(Name.Encoding)) instanceof PDFName)
  const isNatural =
    keepsCodes ||
    (!hasCustomEncoding &&
      (!isIdentity(document, descendant) || isNaturalNumbering(cidsOf([...space.before, ...space.shown]), meaning)))
  const plan = { document, space, descendant, cmap, cids, isNatural, keepsCodes }
  if (!opened) return hasCustomEncoding ? undefined : finish(plan, { newCids: keepCids(cids) })
  if (opened.format === 'true-type') return rebuildTrueType(plan, opened.program)
  return opened.format === 'cff' ? rebuildCff(plan, opened.program) : undefined
}

/** Returns whether CIDs are only glyph numbers of this font. CIDs of Adobe's character collections are characters. */
function isIdentity(document: PdfDocument, descendant: PDFDict): boolean {
  return !hasKnownCharacters(readCollection(document, descendant.get(Name.CIDSystemInfo)))
}

function rebuildTrueType(plan: Plan, program: TrueTypeProgram): RebuiltSpace | undefined {
  const { document, descendant, cids } = plan
  const glyphOf = readCidGlyphs(document, descendant, { format: 'true-type', program })
  if (!glyphOf) return undefined
  const glyphs = [...new Set([...cids.values()].map(glyphOf))].filter(glyph => glyph > 0 && glyph < program.glyphCount)
  // Some readers reject programs without any outline.
  const isMissingBlank =
    cids.size > 0 && isShownWhole(cids, cid => (glyphOf(cid) < program.glyphCount ? glyphOf(cid) : 0))
  const cut = subsetTrueType(program, { glyphs, isMissingBlank, keepsBounds: plan.keepsCodes })
  if (!cut) return undefined
  const newCids = plan.isNatural ? keepCids(cids) : renumberCids(cids)
  const pairs = [...newCids].map(([old, cid]) => [cid, cut.numbers.get(glyphOf(old)) ?? 0] as const)
  const isSame = pairs.every(([cid, glyph]) => cid === glyph)
  return finish(plan, {
    newCids,
    program: { programKey: 'FontFile2', bytes: cut.bytes, dict: { Length1: cut.bytes.length } },
    cidToGid: isSame ? Name.Identity : addDeflatedStream(document, writeGlyphMap(pairs)),
  })
}

function rebuildCff(plan: Plan, program: CffProgram): RebuiltSpace | undefined {
  const { cids } = plan
  const glyphOf = glyphsOfCff(program)
  const glyphs = [...new Set([...cids.values()].map(glyphOf))].filter(glyph => glyph > 0)
  const newCids = plan.isNatural && program.isCid ? keepCids(cids) : renumberCids(cids, cid => glyphOf(cid))
  const byGlyph = new Map([...newCids].map(([old, cid]) => [glyphOf(old), cid] as const).filter(([glyph]) => glyph > 0))
  const isMissingBlank = isShownWhole(cids, glyphOf)
  const cut = subsetCff(program, program.isCid ? { glyphs, isMissingBlank, cids: byGlyph } : { glyphs, isMissingBlank })
  if (!cut) return undefined
  return finish(plan, {
    newCids,
    program: { programKey: 'FontFile3', bytes: cut.bytes, dict: { Subtype: 'CIDFontType0C' } },
  })
}

/** Returns whether every CID has a glyph, so that the .notdef glyph isn't shown. */
function isShownWhole(cids: ReadonlyMap<number, number>, glyphOf: (cid: number) => number): boolean {
  return [...cids.values()].every(cid => glyphOf(cid) > 0)
}

interface Result {
  /** New CIDs by old ones. */
  newCids: ReadonlyMap<number, number>
  program?: NewProgram
  cidToGid?: PDFObject
}

function finish(
  { document, space, descendant, cmap, cids, isNatural }: Plan,
  { newCids, program, cidToGid }: Result,
): RebuiltSpace | undefined {
  const isRecoded = !isNatural || [...newCids].some(([old, cid]) => old !== cid)
  // Word spacing doesn't apply to two-byte codes.
  if (isRecoded && space.shown.includes(SPACE)) return undefined
  const keys = isRecoded
    ? new Map([...cids].map(([one, cid]) => [one, keyOfCode(newCids.get(cid) ?? 0, 2)]))
    : keepKeys(space)
  const copy = copyDict(document, descendant)
  setWidths(document, descendant, copy, { newCids, isVertical: cmap.isVertical })
  if (cidToGid) copy.set(Name.CIDToGIDMap, cidToGid)
  const hasSet = document.peekDict(descendant.get(Name.FontDescriptor))?.has(Name.CIDSet) ?? false
  if (program)
    copy.set(
      Name.FontDescriptor,
      writeDescriptor(document, space.descriptor, {
        ...program,
        ...(hasSet ? { cidSet: writeCidSet(newCids.values()) } : {}),
      }),
    )
  const entries = new Map<PDFName, PDFObject | undefined>([
    [Name.DescendantFonts, document.context.obj([document.register(copy)])],
  ])
  if (isRecoded) entries.set(Name.Encoding, key(cmap.isVertical ? 'Identity-V' : 'Identity-H'))
  return { keys, entries, texts: new Map() }
}

function keepCids(cids: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...cids.values()].map(cid => [cid, cid]))
}

/** Numbers CIDs from 1 in the order of first use. CIDs of one glyph share a number. CIDs without a glyph become 0. */
function renumberCids(cids: ReadonlyMap<number, number>, glyphOf?: (cid: number) => number): Map<number, number> {
  const numbers = new Map<number, number>()
  const newCids = new Map<number, number>()
  for (const cid of cids.values()) {
    const id = glyphOf ? glyphOf(cid) : cid
    if (id !== 0 && !numbers.has(id)) numbers.set(id, numbers.size + 1)
    newCids.set(cid, numbers.get(id) ?? 0)
  }
  return newCids
}

/** Writes the widths of the shown glyphs only (ISO 32000-2, 9.7.4.3). */
function setWidths(
  document: PdfDocument,
  old: PDFDict,
  copy: PDFDict,
  { newCids, isVertical }: { newCids: ReadonlyMap<number, number>; isVertical: boolean },
): void {
  for (const [name, size] of [
    [Name.W, 1],
    [Name.W2, 3],
  ] as const) {
    if (!old.has(name)) continue
    const values = name === Name.W2 && !isVertical ? undefined : new GlyphValues(document, old.get(name), size)
    const items = new Map<number, number[]>()
    for (const [from, to] of newCids) {
      const known = values?.of(from)
      if (known && !items.has(to)) items.set(to, known)
    }
    if (items.size > 0) copy.set(name, writeWidths(document, items))
    else copy.delete(name)
  }
}

function writeWidths(document: PdfDocument, items: ReadonlyMap<number, number[]>): PDFArray {
  const array = PDFArray.withContext(document.context)
  let run: PDFArray | undefined
  let next = -1
  for (const [cid, values] of [...items].sort(([one], [other]) => one - other)) {
    if (!run || cid !== next) {
      run = PDFArray.withContext(document.context)
      array.push(PDFNumber.of(cid))
      array.push(run)
    }
    for (const value of values) run.push(PDFNumber.of(Math.round(value * 1e6) / 1e3))
    next = cid + 1
  }
  return array
}

function writeGlyphMap(pairs: readonly (readonly [number, number])[]): Uint8Array {
  const map = new Uint8Array(2 * (Math.max(0, ...pairs.map(([cid]) => cid)) + 1))
  for (const [cid, glyph] of pairs) map.set([glyph >> 8, glyph & 0xff], cid * 2)
  return map
}
