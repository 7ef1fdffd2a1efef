import type { Glyph, GlyphTable } from './glyph'
import { hasSameAngle, turnToLine } from './line-geometry'
import type { Replacement } from './open-marks'

type Ended = Replacement & { end: number }

interface ReplacedTexts {
  /** For each glyph after the first one of a sequence, whether a blank of the text comes before it. */
  spaced: ReadonlyMap<Glyph, boolean>
  /** The glyph that has the text of one that lost it. */
  owned: ReadonlyMap<Glyph, Glyph>
}

/** Blanks and characters that never show. */
const UNSHOWN = /[\s\p{Cf}\p{Cc}]/gu

/**
 * Gives glyphs the texts of the marked-content sequences around them (ISO 32000-2, 14.9.4). Glyphs whose own text stays
 * keep it and their position. What differs goes to the first glyph of the part that differs, and the others of that part
 * lose their text.
 */
export function replaceTexts(table: GlyphTable, replacements: readonly Ended[]): ReplacedTexts {
  const spaced = new Map<Glyph, boolean>()
  const owned = new Map<Glyph, Glyph>()
  for (const { text, first, end } of replacements) {
    if (end === first) continue
    const part = Array.from({ length: end - first }, (_, at) => table.at(first + at))
    replacePart(part, text, owned)
    findSpaces(part, text, spaced)
  }
  return { spaced, owned }
}

/** Extends glyphs over those that lost their text to them. */
export function extendOwners(owned: ReadonlyMap<Glyph, Glyph>): void {
  for (const [glyph, owner] of owned) if (isOnSameLine(owner, glyph)) extend(owner, glyph)
}

/** Sets whether a blank of the text comes before each glyph after the first one. */
function findSpaces(glyphs: readonly Glyph[], text: string, spaced: Map<Glyph, boolean>): void {
  let at = 0
  for (const [index, glyph] of glyphs.entries()) {
    const shown = glyph.text.replace(UNSHOWN, '')
    if (shown === '') continue
    const found = text.indexOf(shown[0] as string, at)
    if (found < 0) return
    if (index > 0) spaced.set(glyph, /\s/.test(text.slice(at, found)))
    at = found + shown.length
  }
}

function replacePart(glyphs: readonly Glyph[], text: string, owned: Map<Glyph, Glyph>): void {
  const shown = text.replace(UNSHOWN, '')
  if (ownTextOf(glyphs) === shown || ownTextOf(sortAlongLine(glyphs)) === shown) return
  // A text of blanks still separates words.
  if (shown === '' && text !== '') for (const glyph of glyphs) glyph.text = ' '
  else replaceGlyphs(glyphs, [...shown], owned)
}

function replaceGlyphs(glyphs: readonly Glyph[], characters: readonly string[], owned: Map<Glyph, Glyph>): void {
  const drawn = glyphs.filter(({ ownText }) => ownText.trim() !== '')
  if (drawn.length === characters.length) {
    for (const [at, glyph] of drawn.entries()) glyph.text = characters[at] as string
    return
  }
  const [before, after] = commonEnds(drawn, characters)
  const changed = drawn.slice(before, drawn.length - after)
  const rest = characters.slice(
    countLetters(drawn.slice(0, before)),
    characters.length - countLetters(drawn.slice(drawn.length - after)),
  )
  const target = changed[0] ?? drawn[before] ?? drawn[before - 1] ?? glyphs[0]
  if (!target) return
  if (changed.length === 0) {
    target.text = drawn[before] ? rest.join('') + target.text : target.text + rest.join('')
    return
  }
  for (const glyph of changed) glyph.text = ''
  // Glyphs without a text of their own belong to the glyph before them.
  const owner = rest.length === 0 ? (drawn[before - 1] ?? target) : target
  if (owner === target) owner.text = rest.join('')
  for (const glyph of changed) if (glyph !== owner) owned.set(glyph, owner)
}

function ownTextOf(glyphs: readonly Glyph[]): string {
  return glyphs
    .map(({ ownText }) => ownText)
    .join('')
    .replace(UNSHOWN, '')
}

/** Glyphs from the start to the end of their line. Programs may draw them in another order. */
function sortAlongLine(glyphs: readonly Glyph[]): readonly Glyph[] {
  const [first] = glyphs
  if (!first || !glyphs.every(glyph => isOnSameLine(first, glyph))) return glyphs
  return glyphs.toSorted((one, other) => turnToLine(first, one.x - other.x, one.y - other.y)[0])
}

/** How many glyphs at the start and at the end already have the text that replaces them. */
function commonEnds(glyphs: readonly Glyph[], characters: readonly string[]): [before: number, after: number] {
  const whole = characters.join('')
  let [before, at] = [0, 0]
  for (; before < glyphs.length; before++) {
    const { ownText } = glyphs[before] as Glyph
    if (!whole.startsWith(ownText, at)) break
    at += ownText.length
  }
  let [after, end] = [0, whole.length]
  for (; after < glyphs.length - before; after++) {
    const { ownText } = glyphs[glyphs.length - 1 - after] as Glyph
    if (end - ownText.length < at || !whole.endsWith(ownText, end)) break
    end -= ownText.length
  }
  return [before, after]
}

function countLetters(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((count, { ownText }) => count + [...ownText].length, 0)
}

function isOnSameLine(one: Glyph, other: Glyph): boolean {
  const [, across] = turnToLine(one, other.x - one.x, other.y - one.y)
  return hasSameAngle(one, other) && Math.abs(across) < 0.7 * one.size
}

/** Extends a glyph over another one of its line. */
function extend(glyph: Glyph, other: Glyph): void {
  const { endX, endY } = other
  if (turnToLine(glyph, endX - glyph.endX, endY - glyph.endY)[0] > 0) glyph.endAt(endX, endY)
  glyph.cover(other)
}
