import { close, constants, fstatSync, openSync, read, unlink, unlinkSync } from 'node:fs'
import { promisify } from 'node:util'

/** Outputs up to this size usually stay in memory. Larger ones are always in a file. */
export const SMALL_OUTPUT_BYTES = 2 ** 20

/** Size of one piece of an output, between which other requests run. */
const PIECE_BYTES = 256 * 1024

/** The bytes of an output, in memory or in a spool file. Whoever has it must release it. */
export interface OutputContent {
  readonly byteLength: number
  /** Whether the bytes are in a spool file. */
  readonly isSpooled: boolean
  /**
   * Returns all bytes once, in pieces of at most 256 KiB. Bytes that were read are no longer held. Ends early after a
   * release. Throws an Error if the spool file can't be read.
   */
  read(): AsyncIterable<Uint8Array>
  /** Frees the memory, or closes the file, which removes it. Can be called more than once. */
  release(): void
}

/** Returns content that is held in memory. Takes over the array of chunks and empties it. */
export function holdChunks(chunks: Uint8Array[]): OutputContent {
  return {
    byteLength: chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
    isSpooled: false,
    async *read() {
      chunks.reverse() // `pop` is cheap, `shift` is not.
      for (let chunk = chunks.pop(); chunk; chunk = chunks.pop())
        for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES)
    },
    release() {
      chunks.length = 0
    },
  }
}

/**
 * Opens a spool file and removes its name, so that the file disappears with this process at the latest. Throws an Error
 * if the file doesn't exist or has another size.
 */
export function openSpoolFile(path: string, byteLength: number): OutputContent {
  // Windows has no O_NOFOLLOW.
  const fd = openSync(path, constants.O_RDONLY | ((constants.O_NOFOLLOW as number | undefined) ?? 0))
  const content = new SpooledContent(fd, { byteLength, namedPath: removeName(path) ? undefined : path })
  const { size } = fstatSync(fd)
  if (size === byteLength) return content
  content.release()
  throw new Error(`a spool file has ${size} bytes instead of ${byteLength}`)
}

/** Reads all bytes into one buffer and releases the content. Only for outputs that are known to be small. */
export async function collectContent(content: OutputContent): Promise<Buffer> {
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of content.read()) pieces.push(piece)
    return Buffer.concat(pieces)
  } finally {
    content.release()
  }
}

class SpooledContent implements OutputContent {
  readonly isSpooled = true
  readonly byteLength: number
  readonly #fd: number
  readonly #namedPath: string | undefined
  #isReading = false
  #isReleased = false

  constructor(fd: number, { byteLength, namedPath }: { byteLength: number; namedPath: string | undefined }) {
    this.#fd = fd
    this.byteLength = byteLength
    this.#namedPath = namedPath
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (let position = 0; position < this.byteLength && !this.#isReleased;) {
      const piece = await this.#readPiece(position)
      if (this.#isReleased) return
      if (piece.byteLength === 0) throw new Error('a spool file ended early')
      position += piece.byteLength
      yield piece
    }
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (!this.#isReading) this.#close()
  }

  async #readPiece(position: number): Promise<Uint8Array> {
    // The system may still send the previous piece, so each piece has its own memory.
    const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, this.byteLength - position))
    this.#isReading = true
    try {
      const { bytesRead } = await readAt(this.#fd, buffer, 0, buffer.byteLength, position)
      return buffer.subarray(0, bytesRead)
    } finally {
      this.#isReading = false
      // A descriptor that is closed during a read could become that of another file.
      if (this.#isReleased) this.#close()
    }
  }

  #close(): void {
    close(this.#fd, () => {
      if (this.#namedPath !== undefined) unlink(this.#namedPath, () => {}) // The next start removes what remains.
    })
  }
}

/** Removes the name of an open file. Returns false if the system doesn't allow this, as some file systems do. */
function removeName(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}

const readAt = promisify(read)
