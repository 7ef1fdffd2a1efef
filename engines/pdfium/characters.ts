import { memoryOf, textFunctionsOf } from './pdfium'
import type { Pdfium, TextFunctions } from './pdfium'

/** What PDFium gives for a hyphen at the end of a line. */
const HYPHEN = 2

/** Units of user space around the origin of a character that takes none. */
const LEAST_ROOM = 0.5

/** Edges in the user space of a page. */
interface Edges {
  left: number
  bottom: number
  right: number
  top: number
}

/** Where a character stands, in the user space of its page. */
export interface CharacterPlace {
  /** The room that it takes on its line, as its font says. */
  room: Edges
  /** What its shape fills; as `room` where the shape is empty. */
  shape: Edges
  /** Of its line, degrees counter-clockwise from the x axis. */
  angleDeg: number
  /** Where it stands on the line of its baseline. */
  origin: { x: number; y: number }
  /** An em. */
  size: number
}

/**
 * The characters that the content of a page draws, in PDFium's reading order, with the spaces and line ends that it
 * puts between them. Only of use while its page is open.
 */
export class PageCharacters {
  private known: string[] | undefined
  private readonly functions: TextFunctions
  private data: DataView

  /** `text` is PDFium's text of a page, 0 for none; 64 bytes of its memory are free at `place`. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly text: number,
    private readonly place: number,
  ) {
    this.functions = textFunctionsOf(pdfium)
    this.data = new DataView(memoryOf(pdfium).buffer)
  }

  /**
   * Empty for what is no character, and for the second half of a surrogate pair; a hyphen that only divides a word at
   * the end of a line is U+00AD.
   */
  get texts(): readonly string[] {
    if (this.known) return this.known
    const { functions, text } = this
    const count = text === 0 ? 0 : Math.max(0, functions.FPDFText_CountChars(text))
    const known: string[] = []
    for (let index = 0; index < count; index++) {
      const code = functions.FPDFText_GetUnicode(text, index) >>> 0
      const next = isHighSurrogate(code) && index + 1 < count ? functions.FPDFText_GetUnicode(text, index + 1) >>> 0 : 0
      if (isLowSurrogate(next)) {
        known.push(String.fromCharCode(code, next), '')
        index++
      } else known.push(toText(code))
    }
    return (this.known = known)
  }

  /** Where the character at an index stands; undefined for one that is not drawn. */
  placeOf(index: number): CharacterPlace | undefined {
    const { functions, text, place } = this
    if (functions.FPDFText_IsGenerated(text, index) === 1) return undefined
    const shape = this.shapeOf(index)
    const known = this.roomOf(index) ?? shape
    if (functions.FPDFText_GetCharOrigin(text, index, place, place + 8) === 0) return undefined
    const [x, y] = [this.double(0), this.double(1)]
    // Type without height, or without any size, takes no room and can be searched and copied all the same.
    const room =
      known ?? usable({ left: x - LEAST_ROOM, bottom: y - LEAST_ROOM, right: x + LEAST_ROOM, top: y + LEAST_ROOM })
    if (!room) return undefined
    const hasMatrix = functions.FPDFText_GetMatrix(text, index, place) !== 0
    const [a, b, c, d] = hasMatrix ? [this.single(0), this.single(1), this.single(2), this.single(3)] : [1, 0, 0, 0]
    const size = functions.FPDFText_GetFontSize(text, index) * Math.hypot(c, d)
    return { room, shape: shape ?? room, angleDeg: (Math.atan2(b, a) * 180) / Math.PI, origin: { x, y }, size }
  }

  /** What the shape of the character at an index fills, or its room where that is empty. */
  shapeOf(index: number): Edges | undefined {
    const { functions, text, place } = this
    const isKnown = functions.FPDFText_GetCharBox(text, index, place, place + 8, place + 16, place + 24) !== 0
    const shape = isKnown
      ? usable({ left: this.double(0), right: this.double(1), bottom: this.double(2), top: this.double(3) })
      : undefined
    return shape ?? this.roomOf(index)
  }

  /**
   * The room that the character at an index takes on its line, as its font says; undefined where the font says none.
   */
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

  /** PDFium's memory, which moves when it grows. */
  private memory(): DataView {
    const { buffer } = memoryOf(this.pdfium)
    if (this.data.buffer !== buffer) this.data = new DataView(buffer)
    return this.data
  }
}

/** Lets `work` look at the characters of a page that PDFium has loaded. */
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

/** Empty for halves of pairs and numbers beyond Unicode. */
function toText(code: number): string {
  if (code === HYPHEN) return '\u00ad'
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && (code & 0xfffe) !== 0xfffe
  return isCharacter ? String.fromCodePoint(code) : ''
}
