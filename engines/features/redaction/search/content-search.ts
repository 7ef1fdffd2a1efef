import type { PdfDocument } from '../../../pdf/document'
import { PageReader, findReorderedLines, gapBetween, hasSameAngle, turnToLine } from '../../../pdf/read-page'
import type { Glyph } from '../../../pdf/read-page'
import { addBoxes, coversShare } from '../areas/areas'
import type { PageAreas } from '../areas/areas'
import { isAmong } from '../recognized/join-readings'
import { isOwnMatch, readingsOf } from '../matching/readings'
import { POSSIBLE_EDGE, spanOf } from '../matching/search-text'
import type { Rule } from '../search-rules/rule'
import { findDoubtfulGaps } from './doubtful-gaps'
import type { GapReading } from './doubtful-gaps'
import { joinBoxes } from './line-boxes'
import type { MeasuredTexts } from './line-boxes'
import { matchedPositions } from './match-list'

/** A match is known if known areas cover this share of each of its boxes. */
const KNOWN_SHARE = 0.6

/** A superscript or a subscript has at most this share of the size of the text beside it. */
const SCRIPT_SIZE = 0.9

/** The maximum distances of a script from the text beside it, in ems of the larger one: along and across the line. */
const SCRIPT_GAP = 0.15
const SCRIPT_SHIFT = 0.8

/** The maximum gap between letters on a curve, along the line of the first one, in ems. */
const CURVE_GAP = 0.5

const HYPHENS = /[\u00ad\u2010]/g

/**
 * Searches the text of pages as Sheaf reads it, in addition to PDFium's text. PDFium doesn't know some mappings
 * to Unicode, reads lines in the order in which they are drawn, and reads accents apart from their letters.
 */
export class ContentSearch {
  /** The positions, from 0, of the pages with more text than the reader reads. */
  readonly cutPages = new Set<number>()
  private readonly reader: PageReader

  constructor(private readonly document: PdfDocument) {
    this.reader = new PageReader(document, { layers: 'all' })
  }

  /**
   * Adds areas over the matches that the areas of the page don't cover yet. `known` is the text that was searched
   * before. Throws EngineError `too_large` like `Rule.count`, and for content that nests too deep.
   */
  addMatches(page: PageAreas, known: readonly string[], rules: readonly Rule[], paddingPt: number): void {
    const source = this.document.pages[page.index]
    if (!source) return
    const { glyphs, replacedGlyphs, isCut } = this.reader.read(source)
    if (isCut) this.cutPages.add(page.index)
    const texts = findReorderedLines(glyphs).flatMap(line => {
      const gaps = findDoubtfulGaps(line)
      return [composeTexts(line, 'text'), ...(gaps.size > 0 ? [composeTexts(line, 'text', isScript, gaps)] : [])]
    })
    const mirrored = glyphs.filter(({ shown }) => shown.isMirrored).reverse()
    if (mirrored.length > 0) texts.push(composeTexts(mirrored.map(asFollowing), 'text'))
    const whole = composeTexts(glyphs, 'text')
    if (replacedGlyphs) texts.push(whole, composeTexts(replacedGlyphs, 'ownText'))
    else if (wordsOf(whole.texts) !== wordsOf(known)) texts.push(whole)
    if (glyphs.some((glyph, at) => at > 0 && glyph.isSpaced && isCurved(glyphs[at - 1] as Glyph, glyph)))
      texts.push(composeTexts(glyphs, 'text', isCurved))
    const gaps = findDoubtfulGaps(glyphs)
    if (gaps.size > 0) texts.push(composeTexts(glyphs, 'text', isScript, gaps))
    for (const text of texts) searchText(page, text, rules, paddingPt)
  }
}

/**
 * Characters of a page, with a blank between words and a line break between lines, unless `isJoined`. `gaps` are read in
 * another way: joined, with a possible edge of a word if that is doubtful.
 */
function composeTexts(
  glyphs: readonly Glyph[],
  key: 'text' | 'ownText',
  isJoined: (before: Glyph, next: Glyph) => boolean = isScript,
  gaps?: ReadonlyMap<Glyph, GapReading>,
): MeasuredTexts {
  const texts: string[] = []
  const placed: (Glyph | undefined)[] = []
  let before: Glyph | undefined
  for (const glyph of glyphs) {
    const gap = gaps?.get(glyph)
    if (gap) {
      texts.push(gap === 'doubtful' ? POSSIBLE_EDGE : '')
      placed.push(undefined)
    } else if (before && glyph.isSpaced && !isJoined(before, glyph)) {
      texts.push(isOnLine(before, glyph) ? ' ' : '\n')
      placed.push(undefined)
    }
    texts.push(glyph[key])
    placed.push(glyph)
    before = glyph
  }
  return {
    texts,
    geometryOf(index) {
      const glyph = placed[index]
      if (!glyph) return undefined
      const { left, bottom, right, top, x, y, size, angle } = glyph
      const room = { left, bottom, right, top }
      return { room, shape: room, origin: { x, y }, size, angleDeg: (angle * 180) / Math.PI }
    },
  }
}

/** Returns a glyph with the space behind it in the content before it. Mirrored text may be drawn from its end. */
function asFollowing(glyph: Glyph, at: number, all: readonly Glyph[]): Glyph {
  return glyph.withSpace(at > 0 && (all[at - 1] as Glyph).isSpaced)
}

/** Returns whether one of two glyphs is a superscript or subscript of the other, without a blank between them. */
function isScript(before: Glyph, next: Glyph): boolean {
  const [small, large] = [Math.min(before.size, next.size), Math.max(before.size, next.size)]
  if (small > SCRIPT_SIZE * large || !hasSameAngle(before, next)) return false
  const [along, across] = gapBetween(before, next)
  return Math.abs(along) < SCRIPT_GAP * large && Math.abs(across) < SCRIPT_SHIFT * large
}

/** Returns whether two letters may be neighbors on a curve or on stairs of letters. */
function isCurved(before: Glyph, next: Glyph): boolean {
  const size = Math.max(before.size, next.size)
  const [along, across] = gapBetween(before, next)
  const most = hasSameAngle(before, next) ? SCRIPT_GAP : CURVE_GAP
  return Math.abs(along) < most * size && Math.abs(across) < SCRIPT_SHIFT * size && Math.abs(across) > 0.01 * size
}

function isOnLine(one: Glyph, other: Glyph): boolean {
  return Math.abs(turnToLine(one, other.x - one.x, other.y - one.y)[1]) < 0.5 * one.size
}

/** The words of a text, with one blank between them. */
function wordsOf(texts: readonly string[]): string {
  return texts.join('').normalize('NFKC').replace(HYPHENS, '-').replace(/\s+/g, ' ').trim()
}

function searchText(page: PageAreas, text: MeasuredTexts, rules: readonly Rule[], paddingPt: number): void {
  const readings = readingsOf(text.texts, { hasVariants: rules.some(rule => !rule.isText) })
  for (const rule of rules) {
    for (const reading of readings) {
      for (const match of rule.find(reading.searched)) {
        if (!isOwnMatch(reading, spanOf(reading.searched, match))) continue
        const boxes = joinBoxes(page.frame, text, matchedPositions(reading, match))
        const covered = page.areas.flatMap(({ box }) => box ?? [])
        if (boxes.every(box => covered.some(other => coversShare(other, box, KNOWN_SHARE)))) continue
        const matched = reading.searched.text.slice(match.start, match.end)
        // PDFium places a text that stands for several objects at the first one.
        if (boxes.some(box => isAmong(box, covered, KNOWN_SHARE))) rule.remember(matched)
        else rule.count(matched)
        addBoxes(page, boxes, {
          paddingPt,
          param: `${rule.param}.replacementText`,
          replacementText: rule.replacementText,
        })
      }
    }
  }
}
