import { memoryOf, textFunctionsOf } from './pdfium'
import type { Pdfium, TextFunctions } from './pdfium'

/** PDFium's character code for a hyphen at the end of a line. */
const HYPHEN = 2

/** Size of the assumed bounds of a character without any, from its origin, in user space units. */
const LEAST_ROOM = 0.5

/** Bounds in default user space of a page. */
interface Edges {
  left: number
  bottom: number
  right: number
  top: number
}

/** The position of a character, in default user space of its page. */
export interface CharacterPlace {
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
 * while the page is open.
 */
export class PageCharacters {
  private cachedTexts: string[] | undefined
  private readonly functions: TextFunctions
  private data: DataView

  /** `text` is PDFium's text page, or 0 for none. `place` is the address of 64 free bytes in PDFium's memory. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly text: number,
    private readonly place: number,
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

  /** The position of the character at an index. Undefined for characters that PDFium added. */
  placeOf(index: number): CharacterPlace | undefined {
    const { functions, text, place } = this
    if (functions.FPDFText_IsGenerated(text, index) === 1) return undefined
    const shape = this.shapeOf(index)
    const metricBounds = this.roomOf(index) ?? shape
    if (functions.FPDFText_GetCharOrigin(text, index, place, place + 8) === 0) return undefined
    const [x, y] = [this.double(0), this.double(1)]
    // Characters without a size have no bounds, but users can still search and copy them.
    const room =
      metricBounds ??
      usable({ left: x - LEAST_ROOM, bottom: y - LEAST_ROOM, right: x + LEAST_ROOM, top: y + LEAST_ROOM })
    if (!room) return undefined
    const hasMatrix = functions.FPDFText_GetMatrix(text, index, place) !== 0
    const [a, b, c, d] = hasMatrix ? [this.single(0), this.single(1), this.single(2), this.single(3)] : [1, 0, 0, 0]
    const size = functions.FPDFText_GetFontSize(text, index) * Math.hypot(c, d)
    return { room, shape: shape ?? room, angleDeg: (Math.atan2(b, a) * 180) / Math.PI, origin: { x, y }, size }
  }

  /** The bounds of the character's shape, or of the character if its shape is empty. */
  shapeOf(index: number): Edges | undefined {
    const { functions, text, place } = this
    const isKnown = functions.FPDFText_GetCharBox(text, index, place, place + 8, place + 16, place + 24) !== 0
    const shape = isKnown
      ? usable({ left: this.double(0), right: this.double(1), bottom: this.double(2), top: this.double(3) })
      : undefined
    return shape ?? this.roomOf(index)
  }

  /** The bounds of the character on its line, from the font's metrics. Undefined if the font has none. */
  roomOf(index: number): Edges | undefined {
    const { functions, text, place } = this
    if (functions.FPDFText_GetLooseCharBox(text, index, place) === 0) return undefined
    const [left, top, right, bottom] = [this.single(0), this.single(1), this.single(2), this.single(3)]
    return usable({
      left: Math.min(left, right),
      bottom: Math.min(bottom, top),
      right: Math.max(left, right),
      top: Math.max(bottom, top),
    })
  }

  private double(index: number): number {
    return this.memory().getFloat64(this.place + index * 8, true)
  }

  private single(index: number): number {
    return this.memory().getFloat32(this.place + index * 4, true)
  }

  /** A view of PDFium's memory. Its buffer changes when it grows. */
  private memory(): DataView {
    const { buffer } = memoryOf(this.pdfium)
    if (this.data.buffer !== buffer) this.data = new DataView(buffer)
    return this.data
  }
}

/** Runs `work` with the characters of a loaded page. */
export function withCharacters<Result>(
  pdfium: Pdfium,
  page: number,
  work: (characters: PageCharacters) => Result,
): Result {
  const text = pdfium.FPDFText_LoadPage(page)
  const place = pdfium.pdfium.wasmExports.malloc(64)
  try {
    return work(new PageCharacters(pdfium, text, place))
  } finally {
    pdfium.pdfium.wasmExports.free(place)
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
  }
}

function usable(edges: Edges): Edges | undefined {
  return edges.right > edges.left &&
    edges.top > edges.bottom &&
    [edges.left, edges.bottom, edges.right, edges.top].every(Number.isFinite)
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
