/** Text with more pieces gets no positions, so that their memory is bounded. */
const MAX_PIECES = 100_000

/** A byte of the original text, and its place in the shortened text. */
interface OffsetPair {
  shortened: number
  original: number
}

/** The first byte of a line, which is counted from 1. */
interface Line extends OffsetPair {
  number: number
}

/**
 * Maps offsets in shortened JSON text to lines and columns of the original. The shortened text lacks white space and
 * the content of files.
 */
export class JsonPositions {
  private readonly pieces: OffsetPair[] = [{ shortened: 0, original: 0 }]
  private readonly lines: Line[] = [{ shortened: 0, original: 0, number: 1 }]
  private isFull = false

  /** Records that the text begins at `original`, after a byte order mark. */
  startAt(original: number): void {
    this.pieces[0] = { shortened: 0, original }
    this.lines[0] = { shortened: 0, original, number: 1 }
  }

  /**
   * Records that the next byte of the shortened text is at `original`. Offsets are in bytes. A run of white space takes
   * one entry, however long the run is.
   */
  skipTo(shortened: number, original: number, startsLine = false): void {
    const piece = this.pieces.at(-1)
    if (piece?.shortened === shortened) piece.original = original
    else if (this.pieces.length < MAX_PIECES) this.pieces.push({ shortened, original })
    else this.isFull = true
    if (startsLine && !this.isFull) this.startLine(shortened, original)
  }

  private startLine(shortened: number, original: number): void {
    const line = this.lines.at(-1)
    const number = (line?.number ?? 0) + 1
    if (line?.shortened === shortened) Object.assign(line, { original, number })
    else this.lines.push({ shortened, original, number })
  }

  /** Returns a place such as `line 3, column 14`, both from 1, in characters. Undefined if it isn't known. */
  describe(offset: number, shortenedText: Uint8Array): string | undefined {
    if (this.isFull) return undefined
    const piece = this.pieces.findLast(({ shortened }) => shortened <= offset)
    const line = this.lines.findLast(({ shortened }) => shortened <= offset)
    if (!piece || !line) return undefined
    const bytesBefore = piece.original + offset - piece.shortened - line.original
    const continuations = countContinuations(shortenedText.subarray(line.shortened, offset))
    return `line ${line.number}, column ${bytesBefore - continuations + 1}`
  }
}

/** Counts the bytes that continue a character of UTF-8. */
function countContinuations(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if ((byte & 0xc0) === 0x80) count++
  return count
}
