import type { Matrix } from '../pdf-core/geometry/matrix'
import { IDENTITY, chainMatrices } from '../pdf-core/geometry/matrix'
import { PathReader } from './path-shapes'
import type { PathShape } from './path-shapes'
import { memoryOf } from './pdfium'
import type { Pdfium } from './pdfium'

/** FPDF_PAGEOBJ_*: types of page objects. */
const [TEXT, PATH, IMAGE, FORM] = [1, 2, 3, 5]

/** Maximum number of page objects, nesting of form XObjects, and characters of a page. */
const MAX_OBJECTS = 100_000
const MAX_FORM_DEPTH = 12
const MAX_CHARACTERS = 300_000

/** Only these many marks of an object are read. */
const MAX_MARKS = 20

/** PDFium's character code for a hyphen at the end of a line. */
const HYPHEN = 2

/** Text rendering modes without visible glyphs: invisible, and clipping only (ISO 32000-2, table 104). */
const UNSEEN = new Set([3, 7])

/** Bit of a font's flags: the font is bold at small sizes. */
const FORCE_BOLD = 1 << 18

/** What a text object says about all of its characters. */
export interface TextStyle {
  isBold: boolean
  isItalic: boolean
  isMonospaced: boolean
  /** The marked-content identifier of the content of the page. -1 if there is none. */
  mcid: number
  /** The content is marked as an artifact. */
  isArtifact: boolean
  /** The text is drawn without ink. */
  isUnseen: boolean
}

/** A character of a page. Positions are in default user space. */
export interface Glyph {
  text: string
  /** Whether a space, a line break or another blank comes before it, in the content or according to PDFium. */
  isSpaced: boolean
  /** Origin on the baseline. */
  x: number
  y: number
  /** The bounds of the character on its line, from the font's metrics. */
  left: number
  bottom: number
  right: number
  top: number
  /** Angle of the line in radians, counter-clockwise from the x axis. */
  angle: number
  /** Size of an em. */
  size: number
  style: TextStyle
}

/** The content of a page that matters for its layout, in default user space. */
export interface PageLayout {
  /** The characters in the order of the content. */
  glyphs: Glyph[]
  /** The lines, rectangles and small shapes that are painted. */
  shapes: PathShape[]
  /** Whether the page draws an image or a shading. */
  hasImage: boolean
  /** Whether the page has more characters than are read. */
  isCut: boolean
}

interface PageObject {
  object: number
  matrix: Matrix
  depth: number
  mcid: number
  isArtifact: boolean
}

type Exports = Record<string, (...values: number[]) => number>

const PLAIN: TextStyle = {
  isBold: false,
  isItalic: false,
  isMonospaced: false,
  mcid: -1,
  isArtifact: false,
  isUnseen: false,
}

/** Reads the characters of a loaded page, with their marks, and its painted lines and rectangles. */
export function readPageLayout(pdfium: Pdfium, page: number): PageLayout {
  const text = pdfium.FPDFText_LoadPage(page)
  const place = pdfium.pdfium.wasmExports.malloc(512)
  try {
    const reader = new LayoutReader(pdfium, place)
    reader.walk(page)
    return {
      ...(text === 0 ? { glyphs: [], isCut: false } : reader.readGlyphs(text)),
      shapes: reader.paths.shapes,
      hasImage: reader.hasImage,
    }
  } finally {
    pdfium.pdfium.wasmExports.free(place)
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
  }
}

class LayoutReader {
  hasImage = false
  readonly paths: PathReader
  private readonly styles = new Map<number, TextStyle>()
  private readonly fonts = new Map<number, Pick<TextStyle, 'isBold' | 'isItalic' | 'isMonospaced'>>()
  private readonly raw: Exports
  private data: DataView

  /** `place` is the address of 512 free bytes. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly place: number,
  ) {
    this.raw = pdfium.pdfium.wasmExports as unknown as Exports // the functions that the module exports
    this.data = new DataView(memoryOf(pdfium).buffer)
    this.paths = new PathReader(pdfium, place)
  }

  /** Visits the objects of a page in painting order. */
  walk(page: number): void {
    const { pdfium } = this
    const stack: PageObject[] = []
    const outer = { matrix: IDENTITY, depth: 0, mcid: -1, isArtifact: false }
    pushAll(stack, pdfium.FPDFPage_CountObjects(page), index => ({
      ...outer,
      object: pdfium.FPDFPage_GetObject(page, index),
    }))
    let count = 0
    for (let item = stack.pop(); item && count < MAX_OBJECTS; item = stack.pop()) {
      count++
      const kind = pdfium.FPDFPageObj_GetType(item.object)
      if (kind === TEXT) this.noteText(item)
      else if (kind === PATH) this.paths.read(item.object, item.matrix)
      else if (kind === FORM) this.open(this.withMarks(item), stack)
      else if (kind === IMAGE || kind > 0) this.hasImage = true
    }
  }

  readGlyphs(text: number): { glyphs: Glyph[]; isCut: boolean } {
    const { raw, place } = this
    const all = raw.FPDFText_CountChars?.(text) ?? 0
    const count = Math.min(all, MAX_CHARACTERS)
    const glyphs: Glyph[] = []
    let isSpaced = false
    for (let index = 0; index < count; index++) {
      const code = (raw.FPDFText_GetUnicode?.(text, index) ?? 0) >>> 0
      let character = toText(code)
      if (code >= 0xd800 && code <= 0xdbff && index + 1 < count) {
        const next = (raw.FPDFText_GetUnicode?.(text, index + 1) ?? 0) >>> 0
        if (next >= 0xdc00 && next <= 0xdfff) character = String.fromCharCode(code, next)
      }
      if (character.trim() === '') {
        if (character !== '' || code <= 0x20) isSpaced = true
        continue
      }
      const style = this.styles.get(raw.FPDFText_GetTextObject?.(text, index) ?? 0) ?? PLAIN
      const glyph = this.placeGlyph(text, index, character, { isSpaced, style, place })
      if (glyph) {
        glyphs.push(tellApart(glyphs.at(-1), glyph, this.shapeOf(text, index, glyphs.at(-1), glyph)))
        isSpaced = false
      }
    }
    return { glyphs, isCut: all > count }
  }

  private placeGlyph(
    text: number,
    index: number,
    character: string,
    { isSpaced, style, place }: { isSpaced: boolean; style: TextStyle; place: number },
  ): Glyph | undefined {
    const { raw } = this
    if (!raw.FPDFText_GetCharOrigin?.(text, index, place, place + 8)) return undefined
    const [x, y] = [this.double(0), this.double(8)]
    const hasMatrix = raw.FPDFText_GetMatrix?.(text, index, place)
    const [a, b, c, d] = hasMatrix ? [this.single(0), this.single(4), this.single(8), this.single(12)] : [1, 0, 0, 1]
    const size = (raw.FPDFText_GetFontSize?.(text, index) ?? 0) * Math.hypot(c, d)
    let [left, top, right, bottom] = [x, y + size * 0.75, x + size / 2, y - size * 0.25]
    if (raw.FPDFText_GetLooseCharBox?.(text, index, place)) {
      const box = [this.single(0), this.single(4), this.single(8), this.single(12)] as const
      if (box.every(Number.isFinite) && box[2] !== box[0]) {
        ;[left, right] = [Math.min(box[0], box[2]), Math.max(box[0], box[2])]
        ;[bottom, top] = [Math.min(box[1], box[3]), Math.max(box[1], box[3])]
      }
    }
    const angle = Math.atan2(b, a)
    if (![x, y, size, angle].every(Number.isFinite) || size <= 0) return undefined
    return { text: character, isSpaced, x, y, left, bottom, right, top, angle, size, style }
  }

  /** The shape of a character with the same origin as the one before it. Undefined for other characters. */
  private shapeOf(text: number, index: number, before: Glyph | undefined, glyph: Glyph): [number, number] | undefined {
    const { raw, place } = this
    if (!before || Math.abs(before.x - glyph.x) > 0.001 || before.y !== glyph.y) return undefined
    if (!raw.FPDFText_GetCharBox?.(text, index, place, place + 8, place + 16, place + 24)) return undefined
    return [this.double(0), this.double(8)]
  }

  private noteText(item: PageObject): void {
    const { object } = item
    const { mcid, isArtifact } = this.withMarks(item)
    const isUnseen = UNSEEN.has(this.raw.FPDFTextObj_GetTextRenderMode?.(object) ?? 0)
    this.styles.set(object, { ...this.fontOf(object), mcid, isArtifact, isUnseen })
  }

  private fontOf(object: number): Pick<TextStyle, 'isBold' | 'isItalic' | 'isMonospaced'> {
    const { raw, pdfium, place } = this
    const font = raw.FPDFTextObj_GetFont?.(object) ?? 0
    if (font === 0) return PLAIN
    const known = this.fonts.get(font)
    if (known) return known
    const length = Math.min(256, raw.FPDFFont_GetBaseFontName?.(font, place, 256) ?? 0)
    const name = Buffer.from(memoryOf(pdfium).slice(place, place + Math.max(0, length - 1))).toString('latin1')
    const flags = raw.FPDFFont_GetFlags?.(font) ?? 0
    const weight = raw.FPDFFont_GetWeight?.(font) ?? 0
    const facts = {
      isBold:
        /bold|black|heavy|demi|[-,](bd|hv)\b|w[789]\b/i.test(name) ||
        (weight >= 600 && weight <= 1000 && !/regular|roman|book|light/i.test(name)) ||
        (flags & FORCE_BOLD) !== 0,
      isItalic: /italic|oblique|[-,]it\b/i.test(name),
      isMonospaced: /mono|courier|consol|menlo|typewriter|cmtt|lettergothic|(?<!bar|qr|uni)code/i.test(name),
    }
    this.fonts.set(font, facts)
    return facts
  }

  /** Returns the object with its own marks, or else those of the form that contains it. */
  private withMarks(item: PageObject): PageObject {
    const { raw, place } = this
    const count = Math.min(MAX_MARKS, raw.FPDFPageObj_CountMarks?.(item.object) ?? 0)
    if (count <= 0) return item
    // Identifiers in a form belong to the form, so that only those of the page count.
    const own = item.depth === 0 ? (raw.FPDFPageObj_GetMarkedContentID?.(item.object) ?? -1) : -1
    let { isArtifact } = item
    for (let index = 0; index < count; index++) {
      const mark = raw.FPDFPageObj_GetMark?.(item.object, index) ?? 0
      if (mark === 0 || !raw.FPDFPageObjMark_GetName?.(mark, place, 64, place + 64)) continue
      const name = Buffer.from(memoryOf(this.pdfium).slice(place, place + 16)).toString('utf16le')
      if (name === 'Artifact') isArtifact = true
    }
    return { ...item, mcid: own >= 0 ? own : item.mcid, isArtifact }
  }

  private open(item: PageObject, stack: PageObject[]): void {
    const { pdfium } = this
    const { object, matrix, depth } = item
    if (depth >= MAX_FORM_DEPTH || !this.raw.FPDFPageObj_GetMatrix?.(object, this.place)) return
    const own = [0, 4, 8, 12, 16, 20].map(at => this.single(at)) as Matrix // six numbers
    const inner = { ...item, matrix: chainMatrices(own, matrix), depth: depth + 1 }
    pushAll(stack, pdfium.FPDFFormObj_CountObjects(object), index => ({
      ...inner,
      object: pdfium.FPDFFormObj_GetObject(object, index),
    }))
  }

  private double(at: number): number {
    return this.memory().getFloat64(this.place + at, true)
  }

  private single(at: number): number {
    return this.memory().getFloat32(this.place + at, true)
  }

  /** A view of PDFium's memory. Its buffer changes when it grows. */
  private memory(): DataView {
    const { buffer } = memoryOf(this.pdfium)
    if (this.data.buffer !== buffer) this.data = new DataView(buffer)
    return this.data
  }
}

/** Pushes objects so that the first one is on top of the stack. */
function pushAll(stack: PageObject[], count: number, find: (index: number) => PageObject): void {
  for (let index = Math.min(count, MAX_OBJECTS) - 1; index >= 0; index--) stack.push(find(index))
}

/** Separates characters of /ActualText. They all have the origin of the replaced text, but different boxes. */
function tellApart(before: Glyph | undefined, glyph: Glyph, shape: [number, number] | undefined): Glyph {
  if (!before || !shape || glyph.angle !== 0 || shape[1] <= shape[0]) return glyph
  return { ...glyph, x: shape[0], left: shape[0], right: shape[1] }
}

/** Converts a character code to text. Empty for control characters, surrogates and numbers beyond Unicode. */
function toText(code: number): string {
  if (code === HYPHEN) return '\u00ad'
  if (code === 9 || code === 10 || code === 13) return ' '
  const isCharacter =
    code > 0x1f && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && (code & 0xfffe) !== 0xfffe
  return isCharacter ? String.fromCodePoint(code) : ''
}
