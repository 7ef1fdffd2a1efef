import { crc32 } from 'node:zlib'
import JSZip from 'jszip'
// JSZip accepts entries with a known checksum, but its main module creates them only when it loads a ZIP.
import CompressedObject from 'jszip/lib/compressedObject.js'
import compressions from 'jszip/lib/compressions.js'
import DataWorker from 'jszip/lib/stream/DataWorker.js'
import { outputTooLarge } from '../errors'

/** Date of all ZIP entries: the earliest date of the format, so that the same input gives the same bytes. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1))

/**
 * A ZIP archive with uncompressed entries. PDFs are compressed internally, so storing is fast and barely increases the
 * size. The checksums come from Node.js, which needs a tenth of JSZip's time.
 */
export class Archive {
  private readonly zip = new JSZip()
  private byteLength = 0

  constructor(private readonly maxBytes: number) {}

  /**
   * Adds a file and returns its size. Its bytes aren't copied and must not change. Throws EngineError `output-too-large`
   * if the files are larger than the limit together, so that no further files are made.
   */
  add(name: string, chunks: readonly Uint8Array[]): number {
    const stored = new StoredChunks(chunks)
    this.byteLength += stored.uncompressedSize
    if (this.byteLength > this.maxBytes) throw outputTooLarge(this.maxBytes, ADVICE)
    this.zip.file(name, stored, { date: NO_DATE, compression: 'STORE', createFolders: false })
    return stored.uncompressedSize
  }

  /** Returns the archive in chunks, so that its entries aren't copied into one buffer. */
  collect(): Promise<Uint8Array[]> {
    return new Promise((resolve, reject) => {
      const pieces: Uint8Array[] = []
      this.zip
        .generateInternalStream({ type: 'uint8array', platform: 'UNIX' })
        .on('data', slice => {
          const last = pieces.at(-1)
          const continues = last && last.buffer === slice.buffer && last.byteOffset + last.length === slice.byteOffset
          if (continues)
            pieces[pieces.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + slice.length)
          else pieces.push(slice)
        })
        .on('error', reject)
        .on('end', () => resolve(pieces))
        .resume()
    })
  }
}

/** An entry whose content is a list of chunks. JSZip's own class takes one array. */
class StoredChunks extends CompressedObject {
  private readonly chunks: Uint8Array[]

  constructor(content: readonly Uint8Array[]) {
    // JSZip copies Buffers, but uses any other byte array directly.
    const chunks = content.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    const checksum = chunks.reduce((sum, chunk) => crc32(chunk, sum), 0)
    super(size, size, checksum, compressions.STORE, EMPTY)
    this.chunks = chunks
  }

  override getCompressedWorker(): DataWorker<Uint8Array[]> {
    return new ChunkReader(Promise.resolve(this.chunks))
      .withStreamInfo('compressedSize', this.compressedSize)
      .withStreamInfo('uncompressedSize', this.uncompressedSize)
      .withStreamInfo('crc32', this.crc32)
      .withStreamInfo('compression', this.compression)
  }
}

/** Emits whole chunks. JSZip's own class cuts an array into pieces of 16 KB. */
class ChunkReader extends DataWorker<Uint8Array[]> {
  override _tick(): void {
    if (this.isPaused || this.isFinished || !this.data) return
    const data = this.data[this.index++]
    if (data) this.push({ data, meta: { percent: (this.index / this.max) * 100 } })
    else this.end()
  }
}

const ADVICE = 'Each file in the ZIP has a copy of all that it shows. Request fewer files or fewer pages.'

const EMPTY = new Uint8Array()
