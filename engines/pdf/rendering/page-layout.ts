import { boundsOf, FORM, IMAGE, PATH, TEXT, visitObjects } from './page-objects'
import type { PageObject } from './page-objects'
import { isBlank, isUnseen, upright } from './page-text'
import type { Baseline, PageText } from './page-text'
import { mapBox } from '../geometry/matrix'
import { PathReader } from './path-shapes'
import type { PathShape } from './path-shapes'
import { memoryOf } from './pdfium'
import type { Pdfium } from './pdfium'

/** Only these many characters of a page are read. */
const MAX_CHARACTERS = 300_000

/** Only these many marks of an object are read. */
const MAX_MARKS = 20

/** Only these many images of a page are read. */
const MAX_IMAGES = 5000

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
export interface Glyph extends Baseline {
  text: string
  /** Whether a space, a line break or another blank comes before it, in the content or according to PDFium. */
  isSpaced: boolean
  /** The bounds of the character on its line, from the font's metrics. */
  left: number
  bottom: number
  right: number
  top: number
  style: TextStyle
}

/** An image of a page, with its bounds in default user space. Clipping doesn't count. */
export interface PlacedImage extends Pick<TextStyle, 'mcid' | 'isArtifact'> {
  left: number
  bottom: number
  right: number
  top: number
}

/** The content of a page that matters for its layout, in default user space. */
export interface PageLayout {
  /** The characters in the order of the content. */
  glyphs: Glyph[]
  /** The lines, rectangles and small shapes that are painted. */
  shapes: PathShape[]
  /** The images in painting order. */
  images: PlacedImage[]
  /** Whether the page draws an image or a shading. */
  hasImage: boolean
  /** Whether the page has more characters than are read. */
  isCut: boolean
}

type Exports = Record<string, (...values: number[]) => number>

/** What the marked content around an object says. */
type Marks = Pick<TextStyle, 'mcid' | 'isArtifact'>

const PLAIN: TextStyle = {
  isBold: false,
  isItalic: false,
  isMonospaced: false,
  mcid: -1,
  isArtifact: false,
  isUnseen: false,
}

/** Reads the characters of a loaded page, with their marks, and its painted lines and rectangles. */
export function readPageLayout(pdfium: Pdfium, page: number, text: PageText): PageLayout {
  const place = pdfium.pdfium.wasmExports.malloc(512)
  try {
    const reader = new LayoutReader(pdfium, place)
    reader.visit(page)
    return { ...reader.readGlyphs(text), shapes: reader.paths.shapes, images: reader.images, hasImage: reader.hasImage }
  } finally {
    pdfium.pdfium.wasmExports.free(place)
  }
}

class LayoutReader {
  hasImage = false
  readonly images: PlacedImage[] = []
  readonly paths: PathReader
  private readonly styles = new Map<number, TextStyle>()
  private readonly formMarks = new Map<PageObject, Marks>()
  private readonly fonts = new Map<number, Pick<TextStyle, 'isBold' | 'isItalic' | 'isMonospaced'>>()
  private readonly raw: Exports

  /** `place` is the address of 512 free bytes. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly place: number,
  ) {
    this.raw = pdfium.pdfium.wasmExports as unknown as Exports // the functions that the module exports
    this.paths = new PathReader(pdfium, place)
  }

  visit(page: number): void {
    for (const item of visitObjects(this.pdfium, page, this.place)) {
      const { object, kind, matrix } = item
      if (kind === TEXT)
        this.styles.set(object, {
          ...this.fontOf(object),
          ...this.marksOf(item),
          isUnseen: isUnseen(this.pdfium, object),
        })
      else if (kind === PATH) this.paths.read(object, matrix)
      else if (kind === FORM) this.formMarks.set(item, this.marksOf(item))
      else if (kind > 0) {
        this.hasImage = true
        if (kind === IMAGE) this.addImage(item)
      }
    }
  }

  private addImage(item: PageObject): void {
    const bounds = this.images.length < MAX_IMAGES && boundsOf(this.pdfium, item.object, this.place)
    if (!bounds || !bounds.every(Number.isFinite)) return
    const [left, bottom, right, top] = bounds
    const { x, y, width, height } = mapBox(item.matrix, {
      x: left,
      y: bottom,
      width: right - left,
      height: top - bottom,
    })
    this.images.push({ left: x, bottom: y, right: x + width, top: y + height, ...this.marksOf(item) })
  }

  readGlyphs(text: PageText): { glyphs: Glyph[]; isCut: boolean } {
    const count = Math.min(text.texts.length, MAX_CHARACTERS)
    const glyphs: Glyph[] = []
    let isSpaced = false
    // The second half of a surrogate pair has no text of its own.
    for (let index = 0; index < count; index += text.texts[index]?.length || 1) {
      const character = text.texts[index] ?? ''
      if (isBlank(character)) {
        isSpaced = true
        continue
      }
      const baseline = text.baselineOf(index)
      if (!baseline || !Object.values(baseline).every(Number.isFinite) || baseline.size <= 0) continue
      const style = this.styles.get(text.objectOf(index)) ?? PLAIN
      const glyph = { text: character, isSpaced, ...baseline, ...boxOf(text, index, baseline), style }
      glyphs.push(tellApart(text, index, glyphs.at(-1), glyph))
      isSpaced = false
    }
    return { glyphs, isCut: text.texts.length > count }
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

  /** The marks of the object itself, or else those of the form that contains it. */
  private marksOf({ object, depth, form }: PageObject): Marks {
    const { raw, place } = this
    const outer = (form && this.formMarks.get(form)) ?? PLAIN
    const count = Math.min(MAX_MARKS, raw.FPDFPageObj_CountMarks?.(object) ?? 0)
    // Identifiers in a form belong to the form, so that only those of the page count.
    const own = count > 0 && depth === 0 ? (raw.FPDFPageObj_GetMarkedContentID?.(object) ?? -1) : -1
    let { isArtifact } = outer
    for (let index = 0; index < count; index++) {
      const mark = raw.FPDFPageObj_GetMark?.(object, index) ?? 0
      if (mark === 0 || !raw.FPDFPageObjMark_GetName?.(mark, place, 64, place + 64)) continue
      const name = Buffer.from(memoryOf(this.pdfium).slice(place, place + 16)).toString('utf16le')
      if (name === 'Artifact') isArtifact = true
    }
    return { mcid: own >= 0 ? own : outer.mcid, isArtifact }
  }
}

/** The bounds of the character on its line. Estimated from its size if the font has none. */
function boxOf(
  text: PageText,
  index: number,
  { x, y, size }: Baseline,
): Pick<Glyph, 'left' | 'bottom' | 'right' | 'top'> {
  const box = text.looseBoxOf(index)
  return box && Object.values(box).every(Number.isFinite) && box.right !== box.left
    ? upright(box)
    : { left: x, bottom: y - size * 0.25, right: x + size / 2, top: y + size * 0.75 }
}

/** Separates characters of /ActualText. They all have the origin of the replaced text, but different boxes. */
function tellApart(text: PageText, index: number, before: Glyph | undefined, glyph: Glyph): Glyph {
  const isSame = before && Math.abs(before.x - glyph.x) <= 0.001 && before.y === glyph.y && glyph.angle === 0
  const shape = isSame ? text.glyphBoxOf(index) : undefined
  if (!shape || !(shape.right > shape.left)) return glyph
  return { ...glyph, x: shape.left, left: shape.left, right: shape.right }
}
