import { crc32 } from 'node:zlib'
import JSZip from 'jszip'
// JSZip takes entries whose checksum is known; nothing but loading a ZIP makes them through its main module.
import CompressedObject from 'jszip/lib/compressedObject.js'
import compressions from 'jszip/lib/compressions.js'

/** The clock that ZIP entries carry: their format's first moment, so that the same input gives the same bytes. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1))

/**
 * A ZIP archive whose entries are stored as they are: PDFs are compressed inside already, so that it is fast and loses
 * next to nothing. Checksums are Node's, which takes a tenth of JSZip's time for them.
 */
export class Archive {
  private readonly zip = new JSZip()

  /** Adds a file; its bytes are not copied and must stay as they are. */
  add(name: string, content: Uint8Array): void {
    // JSZip copies a Buffer piece by piece, and takes any other array of bytes as it is.
    const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    const stored = new CompressedObject(bytes.length, bytes.length, crc32(bytes), compressions.STORE, bytes)
    this.zip.file(name, stored, { date: NO_DATE, compression: 'STORE', createFolders: false })
  }

  /** The archive in pieces, so that its entries are not copied into one: JSZip hands them out in slices of 16 KB. */
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
