import { memoryOf, textFunctionsOf } from './pdfium/pdfium'
import type { Pdfium, TextFunctions } from './pdfium/pdfium'

/** PDFium's character code for a hyphen at the end of a line. */
const HYPHEN = 2

/** Text rendering modes without visible glyphs: invisible, and clipping only (ISO 32000-2, table 104). */
const UNSEEN = new Set([3, 7])

/** Size of the assumed bounds of a character without any, from its origin, in user space units. */
const LEAST_ROOM = 0.5

/** Bounds in default user space of a page. */
interface Edges {
  left: number
  bottom: number
  right: number
  top: number
}

/** The origin of a character on its baseline, in default user space of its page. */
export interface Baseline {
  x: number
  y: number
  /** Angle of the line in radians, counter-clockwise from the x axis. */
  angle: number
  /** Size of an em. */
  size: number
}

/** The position of a character, in default user space of its page. */
export interface CharacterGeometry {
  /** The bounds of the character on its line, from the font's metrics. */
  room: Edges
  /** The bounds of its glyph's shape. Equal to `room` if the shape is empty. */
  shape: Edges
  /** Angle of the line in degrees, counter-clockwise from the x axis. */
  angleDeg: number
  /** Origin of the character on the baseline. */
  origin: { x: number; y: number }
  /** Size of an em. */
  size: number
}

/**
 * The characters of a page in PDFium's reading order, with the spaces and line breaks that PDFium adds. Only valid
 * while the page is open. It stays beside our own reader, because redaction searches both, and because only PDFium knows
 * what it can't draw.
 */
export class PageText {
  private cachedTexts: string[] | undefined
  private readonly functions: TextFunctions
  private data: DataView

  /** `text` is PDFium's text page, or 0 for none. `address` is that of 64 free bytes in PDFium's memory. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly text: number,
    private readonly address: number,
  ) {
    this.functions = textFunctionsOf(pdfium)
    this.data = new DataView(memoryOf(pdfium).buffer)
  }

  /**
   * The characters as text. Empty for invalid characters, and for the second half of a surrogate pair. A hyphen that
   * only divides a word at the end of a line is U+00AD.
   */
  get texts(): readonly string[] {
    if (this.cachedTexts) return this.cachedTexts
    const { functions, text } = this
    const count = text === 0 ? 0 : Math.max(0, functions.FPDFText_CountChars(text))
    const texts: string[] = []
    for (let index = 0; index < count; index++) {
      const code = functions.FPDFText_GetUnicode(text, index) >>> 0
      const next = isHighSurrogate(code) && index + 1 < count ? functions.FPDFText_GetUnicode(text, index + 1) >>> 0 : 0
      if (isLowSurrogate(next)) {
        texts.push(String.fromCharCode(code, next), '')
        index++
      } else texts.push(toText(code))
    }
    return (this.cachedTexts = texts)
  }

  /** Returns whether the font doesn't tell the character of a code. The text is then a guess. */
  isGuess(index: number): boolean {
    return this.functions.FPDFText_HasUnicodeMapError(this.text, index) === 1
  }

  /** PDFium's text object with the character. */
  objectOf(index: number): number {
    return this.functions.FPDFText_GetTextObject(this.text, index)
  }

  /** The position of the character at an index. Undefined for characters that PDFium added. */
  geometryOf(index: number): CharacterGeometry | undefined {
    if (this.functions.FPDFText_IsGenerated(this.text, index) === 1) return undefined
    const shape = this.shapeOf(index)
    const baseline = this.baselineOf(index)
    if (!baseline) return undefined
    const { x, y, angle, size } = baseline
    // Characters without a size have no bounds, but users can still search and copy them.
    const room =
      this.roomOf(index) ??
      shape ??
      usable({ left: x - LEAST_ROOM, bottom: y - LEAST_ROOM, right: x + LEAST_ROOM, top: y + LEAST_ROOM })
    return room && { room, shape: shape ?? room, angleDeg: (angle * 180) / Math.PI, origin: { x, y }, size }
  }

  /** Undefined if PDFium doesn't know the position of the character. */
  baselineOf(index: number): Baseline | undefined {
    const { functions, text, address } = this
    if (functions.FPDFText_GetCharOrigin(text, index, address, address + 8) === 0) return undefined
    const [x, y] = [this.double(0), this.double(1)]
    const hasMatrix = functions.FPDFText_GetMatrix(text, index, address) !== 0
    const [a, b, c, d] = hasMatrix ? [this.single(0), this.single(1), this.single(2), this.single(3)] : [1, 0, 0, 1]
    return { x, y, angle: Math.atan2(b, a), size: functions.FPDFText_GetFontSize(text, index) * Math.hypot(c, d) }
  }

  /** The bounds of the character's shape, or of the character if its shape is empty. */
  shapeOf(index: number): Edges | undefined {
    const glyph = this.glyphBoxOf(index)
    return (glyph && usable(glyph)) ?? this.roomOf(index)
  }

  /** The bounds of the character on its line, from the font's metrics. Undefined if the font has none. */
  roomOf(index: number): Edges | undefined {
    const box = this.looseBoxOf(index)
    return box && usable(upright(box))
  }

  /** The bounds of the character's shape as PDFium knows them: empty, not finite or turned. */
  glyphBoxOf(index: number): Edges | undefined {
    const { functions, text, address } = this
    if (functions.FPDFText_GetCharBox(text, index, address, address + 8, address + 16, address + 24) === 0)
      return undefined
    const memory = this.memory()
    return {
      left: memory.getFloat64(address, true),
      right: memory.getFloat64(address + 8, true),
      bottom: memory.getFloat64(address + 16, true),
      top: memory.getFloat64(address + 24, true),
    }
  }

  /** The bounds of the character on its line as PDFium knows them: empty, not finite or turned. */
  looseBoxOf(index: number): Edges | undefined {
    const { functions, text, address } = this
    return functions.FPDFText_GetLooseCharBox(text, index, address) === 0
      ? undefined
      : { left: this.single(0), top: this.single(1), right: this.single(2), bottom: this.single(3) }
  }

  private double(index: number): number {
    return this.memory().getFloat64(this.address + index * 8, true)
  }

  private single(index: number): number {
    return this.memory().getFloat32(this.address + index * 4, true)
  }

  /** A view of PDFium's memory. Its buffer changes when it grows. */
  private memory(): DataView {
    const { buffer } = memoryOf(this.pdfium)
    if (this.data.buffer !== buffer) this.data = new DataView(buffer)
    return this.data
  }
}

/** Runs `work` with the text of a loaded page. */
export function readPageText<Result>(pdfium: Pdfium, page: number, work: (text: PageText) => Result): Result {
  const text = pdfium.FPDFText_LoadPage(page)
  const address = pdfium.pdfium.wasmExports.malloc(64)
  try {
    return work(new PageText(pdfium, text, address))
  } finally {
    pdfium.pdfium.wasmExports.free(address)
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
  }
}

/** Returns whether a text object is drawn without ink. */
export function isUnseen(pdfium: Pdfium, object: number): boolean {
  return UNSEEN.has(pdfium.FPDFTextObj_GetTextRenderMode(object))
}

/** Returns whether a character is empty, a space or a control character. */
export function isBlank(character: string): boolean {
  return character <= ' ' || character.trim() === ''
}

/** Bounds whose edges are in order. */
function upright({ left, bottom, right, top }: Edges): Edges {
  return {
    left: Math.min(left, right),
    bottom: Math.min(bottom, top),
    right: Math.max(left, right),
    top: Math.max(bottom, top),
  }
}

function usable(edges: Edges): Edges | undefined {
  return edges.right > edges.left &&
    edges.top > edges.bottom &&
    // The sum is finite only if each edge is. PDFium's numbers are too small for it to overflow.
    Number.isFinite(edges.left + edges.bottom + edges.right + edges.top)
    ? edges
    : undefined
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** Converts a character code to text. Empty for surrogates and numbers beyond Unicode. */
function toText(code: number): string {
  if (code === HYPHEN) return '\u00ad'
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && (code & 0xfffe) !== 0xfffe
  return isCharacter ? String.fromCodePoint(code) : ''
}
