import { crc32 } from 'node:zlib'
import JSZip from 'jszip'
// JSZip accepts entries with a known checksum, but its main module creates them only when it loads a ZIP.
import CompressedObject from 'jszip/lib/compressedObject.js'
import compressions from 'jszip/lib/compressions.js'

/** Date of all ZIP entries: the earliest date of the format, so that the same input gives the same bytes. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1))

/**
 * A ZIP archive with uncompressed entries. PDFs are compressed internally, so storing is fast and barely increases the
 * size. The checksums come from Node.js, which needs a tenth of JSZip's time.
 */
export class Archive {
  private readonly zip = new JSZip()

  /** Adds a file. Its bytes aren't copied and must not change. */
  add(name: string, content: Uint8Array): void {
    // JSZip copies a Buffer in chunks, but uses any other byte array directly.
    const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    const stored = new CompressedObject(bytes.length, bytes.length, crc32(bytes), compressions.STORE, bytes)
    this.zip.file(name, stored, { date: NO_DATE, compression: 'STORE', createFolders: false })
  }

  /**
   * Returns the archive in chunks, so that its entries aren't copied into one buffer. JSZip returns chunks of 16 KB.
   */
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
