import { MAX_UNPACKED_BYTES } from '../request/page-source'
import { archiveProblem, damagedArchive } from './archive-problem'
import type { ZipDirectory, ZipEntry } from './zip-directory'
import { findExtra, readUInt64, UNSET } from './zip-fields'

/** A file of a ZIP whose headers agree and whose bytes belong to no other file. */
export interface LocatedFile extends ZipEntry {
  /** Position of the first packed byte. */
  start: number
  isDeflated: boolean
}

const LOCAL_SIGNATURE = 0x04034b50
const LOCAL_BYTES = 30
const ZIP64 = 0x0001

/** Flags (APPNOTE, 4.4.4). Any of the first three means that the file can't be read without a password. */
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000
const HAS_DESCRIPTOR = 0x0008

/** Compression methods (APPNOTE, 4.4.5). */
const STORED = 0
const DEFLATED = 8
/** Deflate packs at most 258 bytes into 2 bits. A file that states more isn't what it states. */
const MAX_DEFLATE_RATIO = 1032

/**
 * Finds the packed bytes of all entries, without unpacking any. Throws EngineError `too_large` if they unpack to too
 * much, and `damaged` if a file is encrypted, if headers contradict each other, or if two entries share bytes or a
 * path. Throws RangeError for positions outside the file.
 */
export function findFiles(zip: Buffer, { entries, start }: ZipDirectory): LocatedFile[] {
  const byteLength = entries.reduce((sum, entry) => sum + entry.byteLength, 0)
  if (byteLength > MAX_UNPACKED_BYTES)
    throw archiveProblem(
      'too_large',
      `must unpack to at most ${MAX_UNPACKED_BYTES / 2 ** 20} MB. Got ${Math.ceil(byteLength / 2 ** 20)} MB. Send ` +
        'fewer or smaller files.',
    )
  const files = entries.map(entry => locateFile(zip, entry))
  assertApart(files, start)
  if (new Set(files.map(({ path }) => path)).size < files.length)
    throw archiveProblem('damaged', 'must contain each path once. Got a path twice. Create the ZIP again.')
  return files
}

function locateFile(zip: Buffer, entry: ZipEntry): LocatedFile {
  const { flags, method, packedBytes, byteLength, headerStart } = entry
  if ((flags & ENCRYPTED) !== 0)
    throw archiveProblem('damaged', 'contains encrypted files. Send a ZIP without a password.')
  if (method !== STORED && method !== DEFLATED)
    throw archiveProblem(
      'damaged',
      'uses an unsupported compression method. Create the ZIP with Deflate or without compression.',
    )
  const isPossible = method === STORED ? byteLength === packedBytes : byteLength <= packedBytes * MAX_DEFLATE_RATIO
  if (!isPossible) throw damagedArchive('a size that the packed bytes contradict')
  if (!hasSameHeader(zip, entry)) throw damagedArchive('a local header that contradicts the central directory')
  const start = headerStart + LOCAL_BYTES + zip.readUInt16LE(headerStart + 26) + zip.readUInt16LE(headerStart + 28)
  return { ...entry, start, isDeflated: method === DEFLATED }
}

/** Compares a local header (APPNOTE, 4.3.7) with its entry. Readers that trust the other one would see another file. */
function hasSameHeader(zip: Buffer, { headerStart: at, ...entry }: ZipEntry): boolean {
  const nameEnd = at + LOCAL_BYTES + zip.readUInt16LE(at + 26)
  const flags = zip.readUInt16LE(at + 6)
  const wide = findExtra(zip.subarray(nameEnd, nameEnd + zip.readUInt16LE(at + 28)), ZIP64)
  // A writer that didn't know a value yet wrote 0, and repeated the field after the file.
  const agrees = (local: number, central: number) =>
    local === central || ((flags & HAS_DESCRIPTOR) !== 0 && local === 0)
  const widen = (value: number, index: number) => (value === UNSET && wide ? readUInt64(wide, index * 8) : value)
  return (
    zip.readUInt32LE(at) === LOCAL_SIGNATURE &&
    (flags & ENCRYPTED) === 0 &&
    zip.readUInt16LE(at + 8) === entry.method &&
    agrees(zip.readUInt32LE(at + 14), entry.checksum) &&
    agrees(widen(zip.readUInt32LE(at + 18), 1), entry.packedBytes) &&
    agrees(widen(zip.readUInt32LE(at + 22), 0), entry.byteLength) &&
    zip.subarray(at + LOCAL_BYTES, nameEnd).equals(entry.rawName)
  )
}

/** Checks that no two entries share bytes, and that all end before the central directory. */
function assertApart(files: LocatedFile[], directoryStart: number): void {
  let free = 0
  for (const { headerStart, start, packedBytes } of files.toSorted((a, b) => a.headerStart - b.headerStart)) {
    if (headerStart < free) throw damagedArchive('entries that overlap')
    free = start + packedBytes
  }
  if (free > directoryStart) throw damagedArchive('packed bytes that reach into the central directory')
}
