import { MAX_ARCHIVE_FILES, MAX_PATH_BYTES } from '../request/page-source'
import { archiveProblem, damagedArchive } from './archive-problem'
import { findExtra, readUInt64, UNSET } from './zip-fields'
import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'

/** An entry of the central directory (APPNOTE, 4.3.12). Nothing in it is verified yet. */
export interface ZipEntry {
  /** The path relative to the archive, with `/` between its parts. Ends with `/` for folders. */
  path: string
  /** The name as it was written. The local header must repeat it. */
  rawName: Buffer
  flags: number
  method: number
  checksum: number
  packedBytes: number
  byteLength: number
  /** Position of the local header. */
  headerStart: number
}

/** The entries of a ZIP, and the position of its central directory. */
export interface ZipDirectory {
  entries: ZipEntry[]
  start: number
}

const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const LOCATOR_SIGNATURE = 0x07064b50
const LOCATOR_BYTES = 20
const END64_SIGNATURE = 0x06064b50
const UNSET_COUNT = 0xffff
const ZIP64 = 0x0001

/**
 * Reads the central directory of a ZIP. The number of entries is checked before any entry is read. Throws EngineError
 * `too_large` for too many entries and long names, `damaged` for damage and for paths outside the archive, and
 * RangeError for positions outside the file.
 */
export function readDirectory(zip: Buffer): ZipDirectory {
  const { count, byteLength, start, end } = readEnd(zip)
  if (count > MAX_ARCHIVE_FILES)
    throw archiveProblem('too_large', `must have at most ${MAX_ARCHIVE_FILES} files. Got ${count}. Send fewer files.`)
  if (start + byteLength !== end) throw damagedArchive('the central directory is not where the end record says')
  const entries: ZipEntry[] = []
  let at = start
  while (entries.length < count) {
    const { entry, next } = readEntry(zip, at)
    entries.push(entry)
    at = next
  }
  if (at !== end) throw damagedArchive('the central directory has another length than the end record says')
  return { entries, start }
}

interface EndRecord {
  count: number
  byteLength: number
  start: number
  /** Position of the record that ends the central directory. */
  end: number
}

/** Reads the end of central directory record (APPNOTE, 4.3.16). */
function readEnd(zip: Buffer): EndRecord {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  const record = { count, byteLength: zip.readUInt32LE(end + 12), start: zip.readUInt32LE(end + 16), end }
  if (zip.readUInt32LE(end + 4) !== 0 || zip.readUInt16LE(end + 8) !== count)
    throw damagedArchive('a ZIP of several disks')
  const isZip64 = count === UNSET_COUNT || record.byteLength === UNSET || record.start === UNSET
  return isZip64 ? readEnd64(zip, record) : record
}

/** Finds the last end record whose comment reaches to the end of the file. */
function findEnd(zip: Buffer): number {
  const last = zip.length - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--)
    if (zip.readUInt32LE(at) === END_SIGNATURE && zip.readUInt16LE(at + 20) === last - at) return at
  throw damagedArchive('no end of the central directory')
}

/** Reads the ZIP64 end record (APPNOTE, 4.3.14 and 4.3.15), which some writers add to small files too. */
function readEnd64(zip: Buffer, plain: EndRecord): EndRecord {
  const locator = plain.end - LOCATOR_BYTES
  if (zip.readUInt32LE(locator) !== LOCATOR_SIGNATURE) throw damagedArchive('no ZIP64 locator')
  const end = readUInt64(zip, locator + 8)
  const isWhole = zip.readUInt32LE(end) === END64_SIGNATURE && end + 12 + readUInt64(zip, end + 4) === locator
  const count = readUInt64(zip, end + 32)
  const record = { count, byteLength: readUInt64(zip, end + 40), start: readUInt64(zip, end + 48), end }
  const agrees =
    [UNSET_COUNT, count].includes(plain.count) &&
    [UNSET, record.byteLength].includes(plain.byteLength) &&
    [UNSET, record.start].includes(plain.start)
  if (!isWhole || !agrees || readUInt64(zip, end + 24) !== count) throw damagedArchive('an odd ZIP64 end record')
  return record
}

function readEntry(zip: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (zip.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damagedArchive('no entry of the central directory')
  const nameEnd = at + ENTRY_BYTES + zip.readUInt16LE(at + 28)
  const extraEnd = nameEnd + zip.readUInt16LE(at + 30)
  const rawName = zip.subarray(at + ENTRY_BYTES, nameEnd)
  const extra = zip.subarray(nameEnd, extraEnd)
  const flags = zip.readUInt16LE(at + 8)
  if (zip.readUInt16LE(at + 34) !== 0) throw damagedArchive('an entry on another disk')
  return {
    entry: {
      path: readEntryPath(rawName, flags, extra),
      rawName,
      flags,
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      ...readSizes(zip, at, extra),
    },
    next: extraEnd + zip.readUInt16LE(at + 32),
  }
}

/** Reads the sizes and the position of an entry. Fields without a value are in the ZIP64 field (APPNOTE, 4.5.3). */
function readSizes(
  zip: Buffer,
  at: number,
  extra: Buffer,
): Pick<ZipEntry, 'packedBytes' | 'byteLength' | 'headerStart'> {
  const wide = findExtra(extra, ZIP64) ?? Buffer.alloc(0) // Reading a missing value throws.
  let next = 0
  const widen = (value: number) => (value === UNSET ? readUInt64(wide, (next += 8) - 8) : value)
  const byteLength = widen(zip.readUInt32LE(at + 24))
  const packedBytes = widen(zip.readUInt32LE(at + 20))
  const headerStart = widen(zip.readUInt32LE(at + 42))
  return { packedBytes, byteLength, headerStart }
}

const UTF8_FLAG = 0x0800
const UNICODE_PATH = 0x7075

/** The second half of code page 437, the encoding of names without a flag (APPNOTE, D.1). */
const CODE_PAGE =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * Returns the path of an entry, with `/` between its parts. Throws EngineError `too-large` for a long name, and
 * `unreadable` for a path outside the archive.
 */
function readEntryPath(rawName: Buffer, flags: number, extra: Buffer): string {
  const unicode = findExtra(extra, UNICODE_PATH)
  const nameBytes = Math.max(rawName.length, unicode?.length ?? 0)
  if (nameBytes > MAX_PATH_BYTES)
    throw archiveProblem(
      'too_large',
      `must have paths of at most ${MAX_PATH_BYTES} bytes. Got ${nameBytes} bytes. Use shorter names.`,
    )
  const path = decodeName(rawName, flags, unicode).replaceAll('\\', '/')
  if (path === '' || path.includes('\0')) throw damagedArchive('an entry without a usable name')
  if (/^(\/|[a-z]:)/i.test(path) || path.split('/').includes('..'))
    throw archiveProblem('damaged', 'contains a path outside the archive. Use relative paths.')
  return path
}

/** Decodes a name. Many writers leave out the flag of UTF-8. */
function decodeName(rawName: Buffer, flags: number, unicode: Buffer | undefined): string {
  // The field only counts if it belongs to this name (APPNOTE, 4.6.9).
  if (unicode && unicode.length > 5 && unicode[0] === 1 && unicode.readUInt32LE(1) === crc32(rawName))
    return unicode.toString('utf8', 5)
  if ((flags & UTF8_FLAG) !== 0 || isUtf8(rawName)) return rawName.toString('utf8')
  return Array.from(rawName, byte => (byte < 128 ? String.fromCharCode(byte) : CODE_PAGE[byte - 128])).join('')
}
