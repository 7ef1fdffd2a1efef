import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import JSZip from 'jszip'
import { outputTooLarge } from '../errors'

/** The SHA-256 of a file, in lowercase hexadecimal digits. */
export function hashChunks(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Date of all ZIP entries: the earliest date of the format, so that the same input gives the same bytes. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1))

/** A ZIP archive with uncompressed entries. PDFs are compressed internally, so compression barely saves space. */
export class Archive {
  private readonly zip = new JSZip()
  private byteLength = 0

  constructor(private readonly maxBytes: number) {}

  /**
   * Adds a file and returns its size. Its bytes aren't copied and must not change. Throws EngineError `output-too-large`
   * if the files are larger than the limit together, so that no further files are made.
   */
  add(name: string, chunks: readonly Uint8Array[]): number {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    this.byteLength += size
    if (this.byteLength > this.maxBytes) throw outputTooLarge(this.maxBytes, ADVICE)
    // JSZip copies Buffers and cuts whole files into small pieces, but takes other bytes of a stream as they are.
    const bytes = chunks.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))
    this.zip.file(name, Readable.from(bytes), { date: NO_DATE, compression: 'STORE', createFolders: false })
    return size
  }

  /** Returns the archive in chunks, so that its entries aren't copied into one buffer. */
  collect(): Promise<Uint8Array[]> {
    return new Promise((resolve, reject) => {
      const pieces: Uint8Array[] = []
      this.zip
        .generateInternalStream({ type: 'uint8array', platform: 'UNIX' })
        .on('data', piece => pieces.push(piece))
        .on('error', reject)
        .on('end', () => resolve(pieces))
        .resume()
    })
  }
}

const ADVICE = 'Each file in the ZIP has a copy of all that it shows. Request fewer files or fewer pages.'
