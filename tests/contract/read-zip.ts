import { crc32, inflateRawSync } from 'node:zlib'

/** A file in an archive. */
export interface ZipEntry {
  name: string
  bytes: Buffer
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50

/** Returns the files of a ZIP archive by its directory (APPNOTE 4.3). Throws if sizes or checksums don't match. */
export function readZip(archive: Buffer): ZipEntry[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || archive.readUInt32LE(end) !== END) throw new Error('no ZIP archive: its end is missing')
  const entries: ZipEntry[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error(`no directory entry at ${at}`)
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.subarray(at + 46, at + 46 + nameLength).toString('utf8')
    entries.push({ name, bytes: readEntry(archive, at, name) })
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

function readEntry(archive: Buffer, at: number, name: string): Buffer {
  const local = archive.readUInt32LE(at + 42)
  if (archive.readUInt32LE(local) !== LOCAL) throw new Error(`${name} is not where the directory says`)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20))
  const bytes = archive.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)
  if (bytes.length !== archive.readUInt32LE(at + 24) || crc32(bytes) !== archive.readUInt32LE(at + 16))
    throw new Error(`${name} is damaged`)
  return bytes
}
