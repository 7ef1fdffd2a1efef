import { createHash } from 'node:crypto'

/** Sizes of an ICC profile's parts (ICC.1:2022, 7.2 and 7.3). */
const HEADER_BYTES = 128
const TAG_BYTES = 12
const MOST_TAGS = 100

/** Types of curves, matrices and tables (ICC.1:2022, 10). */
const [CURVES, VALUES, MATRIX, TABLES] = [['curv', 'para'], ['XYZ '], ['sf32'], ['mft1', 'mft2', 'mAB ', 'mBA ']]

/** Tags that say how to convert colors (ICC.1:2022, 9.2), and their types. Other ways to convert only repeat these. */
const COLOR_TAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ...['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2', 'gamt'].map(name => [name, TABLES] as const),
  ...['rXYZ', 'gXYZ', 'bXYZ', 'wtpt', 'bkpt'].map(name => [name, VALUES] as const),
  ...['rTRC', 'gTRC', 'bTRC', 'kTRC'].map(name => [name, CURVES] as const),
  ['chad', MATRIX],
])

/** Signatures in the header that programs know. Others could be any text. */
const KNOWN_WORDS = new Set(
  'scnr mntr prtr spac link abst nmcl RGB_ GRAY CMYK Lab_ XYZ_ YCbr acsp APPL MSFT SGI_ SUNW'.split(' '),
)

/** Offsets of signatures in the header: class, space, connection space, file, platform. */
const WORDS = [12, 16, 20, 36, 40]
/** Bytes of the header whose values have a meaning: size, version, intent, illuminant. */
const NUMBERS: readonly (readonly [number, number])[] = [
  [0, 4],
  [8, 12],
  [64, 80],
]
/** A date that every profile gets: the first day of 2000. */
const DATE = [2000, 1, 1, 0, 0, 0]

const TITLE = 'Color profile'
const RIGHTS = 'No copyright, use freely'

/** Hashes (SHA-256) of profiles whose bytes are known and stay: sRGB IEC61966-2.1, which readers compare. */
const KNOWN_PROFILES = new Set(['2b3aa1645779a9e634744faf9b01e9102b0c9b88fd6deced7934df86b949af7e'])
const KNOWN_BYTES = new Set([3144])

interface Tag {
  name: string
  data: Buffer
}

/**
 * Writes a color profile anew with the tags that convert colors, and with a neutral description and copyright. Names of
 * devices and makers, other texts, private tags, dates and unused bytes are gone. Colors don't change. Undefined if the
 * bytes aren't a valid profile.
 */
export function cleanProfile(bytes: Uint8Array): Uint8Array | undefined {
  const profile = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (profile.length < HEADER_BYTES + 4 || profile.toString('latin1', 36, 40) !== 'acsp') return undefined
  if (isKnown(profile)) return bytes
  const isNew = (profile[8] as number) >= 4
  const found = readTags(profile)
  const tags = found?.flatMap(({ name, data }) => cleanTag(name, data) ?? [])
  if (!found || !tags || tags.length === 0) return undefined
  const texts = isNew
    ? [writeLocalized('desc', TITLE), writeLocalized('cprt', RIGHTS)]
    : [writeDescription(TITLE), { name: 'cprt', data: Buffer.from(`text\0\0\0\0${RIGHTS}\0`, 'latin1') }]
  return joinTags(cleanHeader(profile), [...texts, ...tags])
}

function isKnown(profile: Buffer): boolean {
  return KNOWN_BYTES.has(profile.length) && KNOWN_PROFILES.has(createHash('sha256').update(profile).digest('hex'))
}

function readTags(profile: Buffer): Tag[] | undefined {
  const count = profile.readUInt32BE(HEADER_BYTES)
  if (count > MOST_TAGS || HEADER_BYTES + 4 + count * TAG_BYTES > profile.length) return undefined
  return Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + 4 + index * TAG_BYTES
    const [start, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)]
    return { name: profile.toString('latin1', at, at + 4), data: profile.subarray(start, start + length) }
  })
}

function cleanHeader(profile: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  for (const [start, end] of NUMBERS) profile.copy(header, start, start, end)
  for (const at of WORDS)
    if (KNOWN_WORDS.has(profile.toString('latin1', at, at + 4).replace(' ', '_'))) profile.copy(header, at, at, at + 4)
  for (const [index, part] of DATE.entries()) header.writeUInt16BE(part, 24 + index * 2)
  header[47] = (profile[47] ?? 0) & 3
  header[63] = (profile[63] ?? 0) & 15
  return header
}

/** Returns a tag without reserved bytes and without bytes after its data. Undefined for tags that don't convert colors. */
function cleanTag(name: string, data: Buffer): Tag | undefined {
  const type = data.toString('latin1', 0, 4)
  if (!COLOR_TAGS.get(name)?.includes(type)) return undefined
  const written = type === 'mAB ' || type === 'mBA ' ? cleanSteps(data) : cutAtEnd(data)
  written?.fill(0, 4, 8)
  return written && { name, data: written }
}

/** A copy of a tag's data, or of a part of it, up to its end. */
function cutAtEnd(data: Buffer): Buffer | undefined {
  const end = endOf(data)
  return end === undefined || end > data.length ? undefined : Buffer.from(data.subarray(0, end))
}

/** Numbers of parameters of the kinds of a parametric curve (ICC.1:2022, 10.18). */
const PARAMETERS = [1, 3, 4, 5, 7]

/** The end of a tag's data by its type (ICC.1:2022, 10). */
function endOf(data: Buffer): number | undefined {
  if (data.length < 12) return undefined
  switch (data.toString('latin1', 0, 4)) {
    case 'XYZ ':
      return 20
    case 'sf32':
      return data.length === 44 ? 44 : undefined
    case 'curv':
      return 12 + 2 * data.readUInt32BE(8)
    case 'para':
      return 12 + 4 * (PARAMETERS[data.readUInt16BE(8)] ?? Infinity)
    case 'mft1':
      return endOfTable(data, 1)
    case 'mft2':
      return endOfTable(data, 2)
    default:
      return undefined
  }
}

/** The end of a table with curves before and after it (ICC.1:2022, 10.10 and 10.11). */
function endOfTable(data: Buffer, width: 1 | 2): number | undefined {
  const start = width === 1 ? 48 : 52
  if (data.length < start) return undefined
  const [inputs = 0, outputs = 0, points = 0] = data.subarray(8, 11)
  const entries = width === 1 ? [256, 256] : [data.readUInt16BE(48), data.readUInt16BE(50)]
  const [before = 0, after = 0] = entries
  return start + width * (inputs * before + points ** inputs * outputs + outputs * after)
}

/** Lengths of the head of steps, of a matrix, and of the head of a table (ICC.1:2022, 10.12). */
const [STEPS_HEAD, MATRIX_BYTES, TABLE_HEAD] = [32, 48, 20]

/** Returns the curves, the matrix and the table of a conversion in steps, without bytes between them (10.12 and 10.13). */
function cleanSteps(data: Buffer): Buffer | undefined {
  if (data.length < STEPS_HEAD) return undefined
  const isToDevice = data.toString('latin1', 0, 4) === 'mBA '
  const [inputs = 0, outputs = 0] = data.subarray(8, 10)
  const [near, far] = isToDevice ? [inputs, outputs] : [outputs, inputs]
  const written = Buffer.alloc(data.length)
  data.copy(written, 0, 0, 10)
  data.copy(written, 12, 12, STEPS_HEAD)
  let end = STEPS_HEAD
  const copy = (start: number, part: Buffer | undefined): boolean => {
    part?.copy(written, start)
    end = Math.max(end, start + (part?.length ?? 0))
    return part !== undefined
  }
  const copyCurves = (field: number, count: number): boolean => {
    let start = data.readUInt32BE(field)
    for (let index = 0; start > 0 && index < count; index++) {
      const curve = CURVES.includes(data.toString('latin1', start, start + 4))
        ? cutAtEnd(data.subarray(start))
        : undefined
      if (!copy(start, curve?.fill(0, 4, 8))) return false
      start += ((curve?.length ?? 0) + 3) & ~3
    }
    return true
  }
  const [matrix, table] = [data.readUInt32BE(16), data.readUInt32BE(24)]
  if (matrix > 0) copy(matrix, data.subarray(matrix, matrix + MATRIX_BYTES))
  if (table > 0) {
    const points = data.subarray(table, table + inputs).reduce((product, count) => product * count, 1)
    const length = points * outputs * (data[table + 16] ?? 0)
    if (table + TABLE_HEAD + length > data.length) return undefined
    copy(table, data.subarray(table, table + inputs))
    copy(table + 16, data.subarray(table + 16, table + 17))
    copy(table + TABLE_HEAD, data.subarray(table + TABLE_HEAD, table + TABLE_HEAD + length))
  }
  const isWhole = copyCurves(12, near) && copyCurves(20, near) && copyCurves(28, far)
  return isWhole ? written.subarray(0, end) : undefined
}

function writeDescription(text: string): Tag {
  const data = Buffer.alloc(12 + text.length + 1 + 4 + 4 + 2 + 1 + 67)
  data.write('desc', 0, 'latin1')
  data.writeUInt32BE(text.length + 1, 8)
  data.write(text, 12, 'latin1')
  return { name: 'desc', data }
}

function writeLocalized(name: string, text: string): Tag {
  const data = Buffer.alloc(28 + 2 * text.length)
  data.write('mluc', 0, 'latin1')
  data.writeUInt32BE(1, 8)
  data.writeUInt32BE(12, 12)
  data.write('enUS', 16, 'latin1')
  data.writeUInt32BE(2 * text.length, 20)
  data.writeUInt32BE(28, 24)
  Buffer.from(text, 'utf16le').swap16().copy(data, 28)
  return { name, data }
}

/** Joins the header and the tags. Tags with the same data share it, as in most profiles. */
function joinTags(header: Buffer, tags: readonly Tag[]): Buffer {
  const table = Buffer.alloc(4 + tags.length * TAG_BYTES)
  table.writeUInt32BE(tags.length, 0)
  const parts: Buffer[] = []
  const known = new Map<string, number>()
  let length = HEADER_BYTES + table.length
  for (const [index, { name, data }] of tags.entries()) {
    const key = data.toString('latin1')
    const start = known.get(key) ?? length
    if (start === length) {
      const padded = Buffer.alloc((data.length + 3) & ~3)
      data.copy(padded)
      parts.push(padded)
      known.set(key, start)
      length += padded.length
    }
    const at = 4 + index * TAG_BYTES
    table.write(name, at, 'latin1')
    table.writeUInt32BE(start, at + 4)
    table.writeUInt32BE(data.length, at + 8)
  }
  header.writeUInt32BE(length, 0)
  return Buffer.concat([header, table, ...parts])
}
