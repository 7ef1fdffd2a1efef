import { memoryOf } from './pdfium'
import type { Pdfium } from './pdfium'

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
 * The characters that the content of a page draws, in PDFium's reading order, with the spaces and line ends that it puts
 * between them. Only of use while its page is open.
 */
export class PageCharacters {
  private known: string[] | undefined

  /** `text` is PDFium's text of a page, 0 for none; 64 bytes of its memory are free at `place`. */
  constructor(private readonly pdfium: Pdfium, private readonly text: number, private readonly place: number) {}

  /** Empty for what is no character; a hyphen that only divides a word at the end of a line is U+00AD. */
  get texts(): readonly string[] {
    if (this.known) return this.known
    const { pdfium, text } = this
    const count = text === 0 ? 0 : Math.max(0, pdfium.FPDFText_CountChars(text))
    return (this.known = Array.from({ length: count }, (_, index) => toText(pdfium.FPDFText_GetUnicode(text, index))))
  }

  /** Where the character at an index stands; undefined for one that is not drawn. */
  placeOf(index: number): CharacterPlace | undefined {
    const { pdfium, text, place } = this
    if (pdfium.FPDFText_IsGenerated(text, index) === 1) return undefined
    const shape = this.shapeOf(index)
    const known = readRoom(pdfium, text, index, place) ?? shape
    if (!pdfium.FPDFText_GetCharOrigin(text, index, place, place + 8)) return undefined
    const [x = 0, y = 0] = new Float64Array(memoryOf(pdfium).buffer, place, 2)
    // Type without height, or without any size, takes no room and can be searched and copied all the same.
    const room = known ?? usable({ left: x - LEAST_ROOM, bottom: y - LEAST_ROOM, right: x + LEAST_ROOM, top: y + LEAST_ROOM })
    if (!room) return undefined
    const [a = 1, b = 0, c = 0, d = 0] = pdfium.FPDFText_GetMatrix(text, index, place) ? new Float32Array(memoryOf(pdfium).buffer, place, 4) : []
    const size = pdfium.FPDFText_GetFontSize(text, index) * Math.hypot(c, d)
    return { room, shape: shape ?? room, angleDeg: (Math.atan2(b, a) * 180) / Math.PI, origin: { x, y }, size }
  }

  /** What the shape of the character at an index fills, or its room where that is empty. */
  shapeOf(index: number): Edges | undefined {
    const { pdfium, text, place } = this
    return readShape(pdfium, text, index, place) ?? readRoom(pdfium, text, index, place)
  }
}

/** Lets `work` look at the characters of a page that PDFium has loaded. */
export function withCharacters<Result>(pdfium: Pdfium, page: number, work: (characters: PageCharacters) => Result): Result {
  const text = pdfium.FPDFText_LoadPage(page)
  const place = pdfium.pdfium.wasmExports.malloc(64)
  try {
    return work(new PageCharacters(pdfium, text, place))
  } finally {
    pdfium.pdfium.wasmExports.free(place)
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
  }
}

function readRoom(pdfium: Pdfium, text: number, index: number, place: number): Edges | undefined {
  if (!pdfium.FPDFText_GetLooseCharBox(text, index, place)) return undefined
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(memoryOf(pdfium).buffer, place, 4)
  return usable({ left: Math.min(left, right), bottom: Math.min(bottom, top), right: Math.max(left, right), top: Math.max(bottom, top) })
}

function readShape(pdfium: Pdfium, text: number, index: number, place: number): Edges | undefined {
  if (!pdfium.FPDFText_GetCharBox(text, index, place, place + 8, place + 16, place + 24)) return undefined
  const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(memoryOf(pdfium).buffer, place, 4)
  return usable({ left, bottom, right, top })
}

function usable(edges: Edges): Edges | undefined {
  return edges.right > edges.left && edges.top > edges.bottom && [edges.left, edges.bottom, edges.right, edges.top].every(Number.isFinite) ? edges : undefined
}

/** Empty for halves of pairs and numbers beyond Unicode. */
function toText(code: number): string {
  if (code === HYPHEN) return '\u00ad'
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && (code & 0xfffe) !== 0xfffe
  return isCharacter ? String.fromCodePoint(code) : ''
}
