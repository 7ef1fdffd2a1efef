import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { writeZip, type ZipDraft } from '../../fixtures/zip-writer'

const MEGABYTE = 1e6
/** An upload of a page may have 25 MB. */
const LARGE = 24 * MEGABYTE
const MOST_FILES = 2000
const PAGE: ZipDraft = { name: 'index.html', content: '<p>Page' }

/**
 * Returns zipped pages that keep a careless reader busy and end in an error. The first one keeps all limits, so that
 * only its last checksum is wrong. The others would unpack to gigabytes.
 */
export function makePageArchives(): Buffer[] {
  const ballast = { name: 'ballast.bin', content: randomBytes(LARGE), isStored: true }
  const zeros = { name: 'zeros.bin', content: Buffer.alloc(75 * MEGABYTE) }
  return [
    writeZip([PAGE, ballast, zeros, { ...PAGE, name: 'wrong.html', central: { checksum: 1 }, local: { checksum: 1 } }]),
    writeShared(),
    writeZip([PAGE, ballast, { ...zeros, central: { byteLength: 2 ** 32 - 2 } }]),
  ]
}

/** Many entries for the same 24 MB of packed bytes. */
function writeShared(): Buffer {
  const packed = deflateRawSync(randomBytes(LARGE), { level: 0 })
  const entry = { name: 'shared.bin', content: '', central: { packedBytes: packed.length, byteLength: LARGE } }
  const shared = Array.from({ length: MOST_FILES - 1 }, () => entry)
  return writeZip([{ ...entry, packed, local: { byteLength: LARGE } }, ...shared.map(pointToFirst)])
}

/** The entry has a local header of its own, but its position is that of the first one. */
function pointToFirst(draft: ZipDraft): ZipDraft {
  return { ...draft, packed: Buffer.alloc(0), central: { ...draft.central, headerStart: 0 } }
}
