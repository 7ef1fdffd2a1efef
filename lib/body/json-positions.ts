/** Text with more pieces gets no positions, so that their memory is bounded. */
const MAX_PIECES = 100_000

/** A byte of the original text, and its place in the shortened text. */
interface Place {
  shortened: number
  original: number
}

/**
 * Maps offsets in shortened JSON text to lines and columns of the original. The shortened text lacks white space and
 * the content of files.
 */
export class JsonPositions {
  private readonly pieces: Place[] = [{ shortened: 0, original: 0 }]
  private readonly lines: Place[] = [{ shortened: 0, original: 0 }]
  private isFull = false

  /** Records that the text begins at `original`, after a byte order mark. */
  startAt(original: number): void {
    this.pieces[0] = this.lines[0] = { shortened: 0, original }
  }

  /** Records that the next byte of the shortened text is at `original`. Offsets are in bytes. */
  skipTo(place: Place, startsLine = false): void {
    this.isFull ||= this.pieces.length >= MAX_PIECES
    if (this.isFull) return
    if (this.pieces.at(-1)?.shortened === place.shortened) this.pieces.pop()
    this.pieces.push(place)
    if (startsLine) this.lines.push(place)
  }

  /** Returns a place such as `line 3, column 14`, both from 1, in characters. Undefined if it isn't known. */
  describe(offset: number, shortenedText: Uint8Array): string | undefined {
    if (this.isFull) return undefined
    const piece = this.pieces.findLast(({ shortened }) => shortened <= offset)
    const line = this.lines.findLast(({ shortened }) => shortened <= offset)
    if (!piece || !line) return undefined
    const bytesBefore = piece.original + offset - piece.shortened - line.original
    const continuations = countContinuations(shortenedText.subarray(line.shortened, offset))
    return `line ${this.lines.indexOf(line) + 1}, column ${bytesBefore - continuations + 1}`
  }
}

/** Counts the bytes that continue a character of UTF-8. */
function countContinuations(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if ((byte & 0xc0) === 0x80) count++
  return count
}
