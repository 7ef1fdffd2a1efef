import { deflateSync } from 'node:zlib'
import type { ChunkWriter } from './chunk-writer'
import type { Deflate } from '../filters/deflate'
import { AT_OFFSET, IN_STREAM } from '../files/xref'

/** The location of every object in the output, in tables by object number that grow as needed. */
export class ObjectLocations {
  kinds: Uint8Array
  locations: Float64Array
  details: Uint32Array
  largest = 0

  constructor(largestNumber: number) {
    this.kinds = new Uint8Array(largestNumber + 64)
    this.locations = new Float64Array(largestNumber + 64)
    this.details = new Uint32Array(largestNumber + 64)
  }

  setOffset(number: number, offset: number, generation: number): void {
    this.set(number, AT_OFFSET, offset, generation)
  }

  setCompressed(number: number, container: number, index: number): void {
    this.set(number, IN_STREAM, container, index)
  }

  private set(number: number, kind: number, location: number, detail: number): void {
    if (number >= this.kinds.length) this.grow(number)
    if (number > this.largest) this.largest = number
    this.kinds[number] = kind
    this.locations[number] = location
    this.details[number] = detail
  }

  /** Makes room for an object number and some more, so that a growing list is seldom copied. */
  private grow(number: number): void {
    const length = Math.ceil(number * 1.2) + 64
    const kinds = new Uint8Array(length)
    kinds.set(this.kinds)
    const locations = new Float64Array(length)
    locations.set(this.locations)
    const details = new Uint32Array(length)
    details.set(this.details)
    Object.assign(this, { kinds, locations, details })
  }

  /** Ranges of consecutive object numbers. The first range begins at 0, the head of the free list. */
  runs(): { first: number; count: number }[] {
    const runs: { first: number; count: number }[] = []
    let first = 0
    for (let number = 1; number <= this.largest + 1; number++) {
      const isUsed = number <= this.largest && this.kinds[number] !== 0
      const continues = first >= 0
      if (isUsed && !continues) first = number
      else if (!isUsed && continues) {
        runs.push({ first, count: number - first })
        first = -1
      }
    }
    return runs
  }
}

/** Rows of a classic table (ISO 32000-2, 7.5.4). */
const ROW_BYTES = 20
const FREE_GENERATION = 65_535
const [SPACE, LINE_FEED, LETTER_F, LETTER_N, DIGIT_0] = [0x20, 0x0a, 0x66, 0x6e, 0x30] as const

/**
 * Writes a classic cross-reference table and its trailer (ISO 32000-2, 7.5.4 and 7.5.5). `entries` go into the trailer.
 */
export function writeXrefTable(output: ChunkWriter, locations: ObjectLocations, entries: string): void {
  output.text('xref\n')
  for (const { first, count } of locations.runs()) {
    output.text(`${first} ${count}\n`)
    // A row is `oooooooooo ggggg n` and a line end of two bytes. Object 0 is the head of the list of free objects.
    const rows = output.take(count * ROW_BYTES)
    for (let index = 0; index < count; index++) {
      const number = first + index
      const at = index * ROW_BYTES
      writeDigits(rows, at, 10, number === 0 ? 0 : (locations.locations[number] as number))
      rows[at + 10] = SPACE
      writeDigits(rows, at + 11, 5, number === 0 ? FREE_GENERATION : (locations.details[number] as number))
      rows[at + 16] = SPACE
      rows[at + 17] = number === 0 ? LETTER_F : LETTER_N
      rows[at + 18] = SPACE
      rows[at + 19] = LINE_FEED
    }
  }
  output.text(`trailer\n<</Size ${locations.largest + 1}${entries}>>\n`)
}

/** Writes a whole number in ASCII, with leading zeros. */
function writeDigits(bytes: Uint8Array, at: number, width: number, value: number): void {
  let rest = value
  for (let index = at + width - 1; index >= at; index--) {
    const above = Math.floor(rest / 10)
    bytes[index] = DIGIT_0 + rest - above * 10
    rest = above
  }
}

/** Number of ranges from which a list of all object numbers, which needs no index, may be shorter. */
const MANY_RUNS = 8
/** Maximum number of object numbers in such a list. */
const MOST_LISTED = 50_000

/**
 * Writes a cross-reference stream (ISO 32000-2, 7.5.8) with the object number `streamNumber`, which lists itself.
 * `entries` go into its dictionary. `deflate` is given if its size matters most.
 */
export function writeXrefStream(
  output: ChunkWriter,
  locations: ObjectLocations,
  streamNumber: number,
  { entries, deflate }: { entries: string; deflate?: Deflate | undefined },
): void {
  locations.setOffset(streamNumber, output.length, 0)
  const locationWidth = output.length > 0xffffff || streamNumber > 0xffffff ? 4 : 3
  const size = locations.largest + 1
  const runs = locations.runs()
  const terms = { locationWidth, deflate: deflate ?? deflateSync }
  let { data, index } = codeRanges(locations, runs, terms)
  if (deflate && runs.length >= MANY_RUNS && size <= MOST_LISTED) {
    const whole = codeRanges(locations, [{ first: 0, count: size }], terms)
    if (whole.data.length < data.length + index.length) [data, index] = [whole.data, '']
  }
  output.text(`${streamNumber} 0 obj\n<</Type/XRef/Size ${size}/W[1 ${locationWidth} 2]${index}${entries}`)
  output.text(
    `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${3 + locationWidth}>>/Length ${data.length}>>\nstream\n`,
  )
  output.bytes(data)
  output.text('\nendstream\nendobj\n')
}

/** Codes ranges of object numbers. Unused numbers become free objects that can't be used again (table 18). */
function codeRanges(
  locations: ObjectLocations,
  runs: { first: number; count: number }[],
  { locationWidth, deflate }: { locationWidth: number; deflate: Deflate },
): { data: Uint8Array; index: string } {
  const count = runs.reduce((sum, run) => sum + run.count, 0)
  const width = 1 + locationWidth + 2
  // Use the PNG "up" predictor. Neighboring rows differ little, so they compress well.
  const rows = Buffer.alloc(count * (width + 1))
  const previous = new Uint8Array(width)
  const row = new Uint8Array(width)
  let at = 0
  for (const run of runs) {
    for (let number = run.first; number < run.first + run.count; number++) {
      const kind = number === 0 ? 0 : (locations.kinds[number] as number)
      row[0] = kind
      bigEndian(row, 1, locationWidth, kind === 0 ? 0 : (locations.locations[number] as number))
      bigEndian(row, 1 + locationWidth, 2, kind === 0 ? 65_535 : (locations.details[number] as number))
      rows[at++] = 2
      for (let index = 0; index < width; index++) {
        rows[at++] = (row[index] as number) - (previous[index] as number)
        previous[index] = row[index] as number
      }
    }
  }
  const data = deflate(rows)
  const index = `/Index[${runs.map(run => `${run.first} ${run.count}`).join(' ')}]`
  return { data, index }
}

function bigEndian(bytes: Uint8Array, at: number, width: number, value: number): void {
  let rest = value
  for (let index = at + width - 1; index >= at; index--) {
    bytes[index] = rest & 255
    rest = Math.floor(rest / 256)
  }
}
