import { crc32, inflateRawSync } from 'node:zlib'

interface ZipEntry {
  name: string
  bytes: Buffer
}

/** The entries of a ZIP by its central directory. Throws if sizes, checksums or local headers differ. */
export function readZip(file: Buffer): ZipEntry[] {
  const end = file.lastIndexOf('PK\u0005\u0006')
  if (end < 0) throw new Error('no end of the central directory')
  const entries: ZipEntry[] = []
  let at = file.readUInt32LE(end + 16)
  for (let index = 0; index < file.readUInt16LE(end + 10); index++) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error('no central entry')
    const method = file.readUInt16LE(at + 10)
    const [sum, packed, size] = [file.readUInt32LE(at + 16), file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)]
    const [nameLength, extraLength, commentLength] = [
      file.readUInt16LE(at + 28),
      file.readUInt16LE(at + 30),
      file.readUInt16LE(at + 32),
    ]
    const local = file.readUInt32LE(at + 42)
    if (file.readUInt32LE(local) !== 0x04034b50) throw new Error('no local header')
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const data = file.subarray(start, start + packed)
    const bytes = method === 0 ? Buffer.from(data) : inflateRawSync(data)
    if (bytes.length !== size || crc32(bytes) !== sum) throw new Error('size or checksum is wrong')
    entries.push({ name: file.toString('utf8', at + 46, at + 46 + nameLength), bytes })
    at += 46 + nameLength + extraLength + commentLength
  }
  return entries
}
