import type createBidi from 'bidi-js'
import { EngineError } from '../../errors'
import { ARIMO, ARIMO_BOLD, BY_REGION, BY_SCRIPT, EMOJI, MAIN, MAIN_ITALIC, SYMBOLS } from './fonts-by-script'
import type { FontFamily } from './fonts-by-script'
import type { Cluster, Face, Ink } from './face'
import { openFontLibrary } from './font-library'
import type { FontLibrary } from './font-library'
import { orderRegions } from './cjk-regions'
import { resolveScripts } from './scripts'

/** The style of a text, without its size. */
export interface TextStyle {
  /** From 100 to 900: 400 is regular, 700 is bold. Default: 400. */
  weight?: number
  /** Applies to Latin, Greek and Cyrillic only. Other scripts have no italic. */
  isItalic?: boolean
  /** Sets Latin, Greek and Cyrillic in Arimo, upright, in regular or bold. */
  isArimo?: boolean
  /** Direction of the whole line. Default: `auto`, the direction of its first letter. */
  direction?: 'ltr' | 'rtl' | 'auto'
  /**
   * Language tag (BCP 47). Chooses between Chinese, Japanese and Korean glyphs, and the local glyph forms of a
   * language.
   */
  language?: string
  /** OpenType features, such as `tnum` for digits of equal width. */
  features?: readonly string[]
}

/** Clusters of one face, from left to right. */
export interface ClusterRun {
  face: Face
  clusters: Cluster[]
}

/** A line of text as displayed, from left to right. All measures are in thousandths of the font size. */
export interface ShapedText {
  text: string
  runs: ClusterRun[]
  width: number
  /** Height of the tallest face above the baseline. */
  ascent: number
  /** Lowest descent of all faces, below the baseline. Negative. */
  descent: number
  isRightToLeft: boolean
}

/** The settings that determine the faces of a line. */
interface Choice {
  weight: number
  main: FontFamily[]
  regions: () => FontFamily[]
}

interface Piece {
  start: number
  end: number
  face: Face
  script: string
  level: number
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const PLAIN = /^[\x20-\x7e]*$/
/** Latin letters with precomposed accents, and the punctuation used with them. */
const LATIN = /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u024f\u1e00-\u1eff\u2013\u2014\u2018-\u201e\u2026]*$/
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u
const PICTOGRAPH = /\p{Emoji_Presentation}|\ufe0f/u
const EAST_ASIAN_SCRIPTS = new Set(['Hani', 'Hira', 'Kana', 'Hang', 'Bopo'])

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

let opened: Promise<Typesetter> | undefined

/** Opens the typesetter of this process with its fonts. The first call compiles it. */
export function openTypesetter(): Promise<Typesetter> {
  return (opened ??= Promise.all([openFontLibrary(), import('bidi-js')]).then(
    ([library, bidi]) => new Typesetter(library, bidi.default()),
  ))
}

/** Turns text into glyphs. Finds fonts for all characters, reorders right-to-left text and shapes every script. */
export class Typesetter {
  constructor(
    private readonly library: FontLibrary,
    private readonly bidi: ReturnType<typeof createBidi>,
  ) {}

  /**
   * Shapes one line of text, without line breaks. Nothing is omitted or replaced. Throws EngineError `options_invalid` with
   * `param` for characters that no font has.
   */
  shape(text: string, style: TextStyle = {}, param = 'text'): ShapedText {
    const { levels, isRightToLeft } = this.readDirection(text, style.direction ?? 'auto')
    const pieces = this.divide(text, style, { levels, param })
    const runs = orderVisually(pieces).map(piece => shapePiece(text, piece, style))
    const faces = runs.length ? runs.map(run => run.face) : [this.mainFace(style)]
    return {
      text,
      runs,
      width: runs.reduce((sum, run) => sum + widthOf(run), 0),
      ascent: Math.max(...faces.map(face => face.ascent)),
      descent: Math.min(...faces.map(face => face.descent)),
      isRightToLeft,
    }
  }

  /** Returns the face of Latin text. Lines use its metrics, whatever script they contain. */
  mainFace(style: TextStyle = {}): Face {
    const face = this.library.find(mainOf(style), [0x20], style.weight ?? REGULAR)
    if (!face) throw new Error('the main font has no space')
    return face
  }

  private readDirection(
    text: string,
    direction: 'ltr' | 'rtl' | 'auto',
  ): { levels: Uint8Array | undefined; isRightToLeft: boolean } {
    if (direction !== 'rtl' && !RIGHT_TO_LEFT.test(text)) return { levels: undefined, isRightToLeft: false }
    const { levels, paragraphs } = this.bidi.getEmbeddingLevels(text, direction)
    return { levels, isRightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 }
  }

  /** Divides a text into parts of one face, script and direction, in the order of the text. */
  private divide(
    text: string,
    style: TextStyle,
    { levels, param }: { levels: Uint8Array | undefined; param: string },
  ): Piece[] {
    if (text === '') return []
    if (!levels && LATIN.test(text)) {
      const face = this.mainFace(style)
      if (PLAIN.test(text) || hasAll(face, text))
        return [{ start: 0, end: text.length, face, script: 'Latn', level: 0 }]
    }
    const clusters = [...graphemes.segment(text)].map(({ segment }) => segment)
    const scripts = resolveScripts(clusters)
    const choice = chooseBy(text, style)
    const pieces: Piece[] = []
    const missing = new Set<string>()
    let start = 0
    const add = (part: string, script: string): boolean => {
      const last = pieces.at(-1)
      const face = this.findFace(part, script, { choice, before: last?.face })
      if (!face) return false
      const level = levels?.[start] ?? 0
      const end = start + part.length
      if (last?.face === face && last.script === script && last.level === level) last.end = end
      else pieces.push({ start, end, face, script, level })
      start = end
      return true
    }
    for (const [index, cluster] of clusters.entries()) {
      const script = scripts[index] ?? 'Zyyy'
      if (add(cluster, script)) continue
      // No font has all characters of some clusters, such as emoji that consist of several emoji. Each character is
      // then drawn separately.
      for (const character of cluster) if (!add(character, script)) missing.add(character)
    }
    if (missing.size) throw noGlyphs([...missing], param)
    return pieces
  }

  private findFace(
    cluster: string,
    script: string,
    { choice, before }: { choice: Choice; before: Face | undefined },
  ): Face | undefined {
    const codePoints = Array.from(cluster)
      .filter(character => !IGNORABLE.test(character))
      .map(character => character.codePointAt(0) ?? 0)
    // Invisible characters never change the face. Spaces in a script with its own family keep the face, because each
    // family has its own space width.
    const goesAlong =
      codePoints.length === 0 ||
      (BY_SCRIPT.has(script) && codePoints.every(codePoint => codePoint === 0x20 && before?.has(codePoint)))
    if (before && goesAlong) return before
    for (const family of familiesFor(cluster, script, choice)) {
      const face = this.library.find(family, codePoints, choice.weight)
      if (face) return face
    }
    return undefined
  }
}

function hasAll(face: Face, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!face.has(text.charCodeAt(at))) return false
  return true
}

const REGULAR = 400
const BOLD = 700

function mainOf({ weight = REGULAR, isItalic = false, isArimo = false }: TextStyle): FontFamily {
  if (isArimo) return weight >= BOLD ? ARIMO_BOLD : ARIMO
  return isItalic ? MAIN_ITALIC : MAIN
}

function chooseBy(text: string, style: TextStyle): Choice {
  const { weight = REGULAR, language } = style
  const main = mainOf(style)
  let regions: FontFamily[] | undefined
  return {
    weight,
    main: main === MAIN ? [MAIN] : [main, MAIN],
    regions: () => (regions ??= orderRegions(text, language).map(region => BY_REGION[region])),
  }
}

/** Yields the families in which to search for a cluster, best first. */
function* familiesFor(cluster: string, script: string, { main, regions }: Choice): Generator<FontFamily> {
  if (PICTOGRAPH.test(cluster)) yield EMOJI
  yield* main
  const own = BY_SCRIPT.get(script)
  if (own) yield own
  if (EAST_ASIAN_SCRIPTS.has(script)) yield* regions()
  yield* SYMBOLS
  yield EMOJI
  if (!EAST_ASIAN_SCRIPTS.has(script)) yield* regions()
  for (const family of BY_SCRIPT.values()) if (family !== own) yield family
}

/**
 * Applies rule L2 of UAX #9 to parts. From the highest level down, reverses each sequence of parts at that level or
 * higher.
 */
function orderVisually(pieces: Piece[]): Piece[] {
  const ordered = [...pieces]
  const highest = Math.max(0, ...pieces.map(piece => piece.level))
  for (let level = highest; level > 0; level--) {
    for (let at = 0; at < ordered.length; at++) {
      let end = at
      while ((ordered[end]?.level ?? -1) >= level) end++
      if (end - at > 1) ordered.splice(at, end - at, ...ordered.slice(at, end).reverse())
      at = end
    }
  }
  return ordered
}

function shapePiece(
  text: string,
  { start, end, face, script, level }: Piece,
  { language, features = [] }: TextStyle,
): ClusterRun {
  const isRightToLeft = level % 2 === 1
  const clusters = face.shape({ text, start, end, script, isRightToLeft, language, features })
  return { face, clusters: isRightToLeft ? clusters.map(turnMarks) : clusters }
}

/**
 * Moves marks before their letter in the text of a right-to-left cluster. Readers reverse right-to-left text by
 * character, which restores the order. They don't reverse the text of ligatures (observed in poppler and pdf.js).
 */
function turnMarks(cluster: Cluster): Cluster {
  return /^.\p{M}+$/u.test(cluster.text) ? { ...cluster, text: Array.from(cluster.text).reverse().join('') } : cluster
}

function widthOf({ clusters }: ClusterRun): number {
  return clusters.reduce((sum, cluster) => sum + cluster.advance, 0)
}

const MOST_NAMED = 5

function noGlyphs(characters: string[], param: string): EngineError {
  const names = characters.slice(0, MOST_NAMED).map(describeCharacter)
  const more = characters.length > MOST_NAMED ? ` and ${characters.length - MOST_NAMED} more` : ''
  return new EngineError(
    'options_invalid',
    `${param}: no font has ${names.join(', ')}${more}. Remove or replace these characters.`,
    { param },
  )
}

function describeCharacter(character: string): string {
  const codes = Array.from(character).map(
    one => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
  return /[\p{C}\p{Z}]/u.test(character) ? codes.join(' ') : `“${character}” (${codes.join(' ')})`
}

/** Returns the bounding box of everything that a line draws if the pen starts at 0,0. Undefined if it draws nothing. */
export function measureInk({ runs }: ShapedText): Ink | undefined {
  let pen = 0
  let ink: Ink | undefined
  for (const { face, clusters } of runs) {
    for (const cluster of clusters) {
      const own = face.inkOf(cluster)
      if (own) {
        ink = {
          left: Math.min(ink?.left ?? Infinity, pen + own.left),
          bottom: Math.min(ink?.bottom ?? Infinity, own.bottom),
          right: Math.max(ink?.right ?? -Infinity, pen + own.right),
          top: Math.max(ink?.top ?? -Infinity, own.top),
        }
      }
      pen += cluster.advance
    }
  }
  return ink
}
