import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PDFHexString, PDFName, PDFNumber, PDFRawStream, PDFStream, PDFString } from 'pdf-lib'
import type { PdfDocument } from './document'
import { Scanner } from './scanner'
import { serialize } from './serialize'
import type { Source } from './source'
import { findReachable } from './reachable'
import type { Reached } from './reachable'

/** Objects that an object stream holds at most. */
const STREAM_OBJECTS = 200

const LENGTH = PDFName.of('Length')

const OFFSET = 1
const COMPRESSED = 2

/**
 * Writes the document: everything that can be reached from the trailer and nothing else, in one revision.
 *
 * Objects that were not changed are copied as bytes, streams without being inflated; what was severed becomes null
 * wherever it was referred to. The same document always gives the same bytes: /ID is a hash of the content.
 */
export function writeDocument(document: PdfDocument): Uint8Array {
  const usesStreams = document.store.sources.some(source => source.table.kinds.includes(COMPRESSED))
  const roots = [document.rootRef.objectNumber, ...(document.infoRef ? [document.infoRef.objectNumber] : [])]
  const reachable = findReachable(document, roots)
  const output = new Output(estimate(reachable))
  output.text(`%PDF-${version(document, usesStreams)}\n`)
  output.bytes(Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a))
  const places = new Map<number, { kind: number; place: number; detail: number }>()
  const packed: Reached[] = []
  const scanner = new Scanner()
  const whole = usesStreams ? wholeContainers(document, reachable) : new Map<number, number>()

  for (const entry of reachable.values()) {
    if (whole.has(entry.number)) continue
    if (usesStreams && !entry.isStream && entry.generation === 0) {
      packed.push(entry)
      continue
    }
    places.set(entry.number, { kind: OFFSET, place: output.length, detail: entry.generation })
    writeEntry(document, output, entry, scanner)
  }
  let next = document.context.largestObjectNumber + 1
  for (const container of new Set(whole.values())) copyContainer(document, output, container, places)
  for (const [number, container] of whole) {
    const origin = document.store.origin(number)
    places.set(number, { kind: COMPRESSED, place: container, detail: origin?.source.table.details[origin.number] ?? 0 })
  }
  for (let at = 0; at < packed.length; at += STREAM_OBJECTS) {
    const number = next++
    places.set(number, { kind: OFFSET, place: output.length, detail: 0 })
    const group = packed.slice(at, at + STREAM_OBJECTS)
    writeObjectStream(document, output, number, group, scanner)
    for (const [index, entry] of group.entries()) places.set(entry.number, { kind: COMPRESSED, place: number, detail: index })
  }
  finish(document, output, places, usesStreams ? next : undefined)
  return output.result()
}

/** Bytes to begin with: what is copied, and a guess for what is serialised. */
function estimate(reachable: Map<number, Reached>): number {
  let bytes = 8192
  for (const { copy } of reachable.values()) bytes += copy ? copy.end - copy.start + 48 : 512
  return bytes
}

/** The highest version that an input states, and at least 1.5 where object streams are written. */
function version(document: PdfDocument, usesStreams: boolean): string {
  const stated = document.store.sources.map(source => /%PDF-([12]\.\d)/.exec(Buffer.from(source.bytes.subarray(0, 1200)).toString('latin1'))?.[1] ?? '1.4')
  return [...stated, usesStreams ? '1.5' : '1.3'].sort().at(-1) as string
}

function writeEntry(document: PdfDocument, output: Output, entry: Reached, scanner: Scanner): void {
  const { copy } = entry
  if (copy && !copy.isPatched && copy.start !== copy.body) {
    output.bytes(copy.bytes.subarray(copy.start, copy.end))
    output.text('\n')
    return
  }
  output.text(`${entry.number} ${entry.generation} obj\n`)
  if (copy) writeCopy(document, output, entry, scanner)
  else if (entry.object instanceof PDFStream) writeStream(document, output, entry.object)
  else if (entry.object) output.text(serialize(entry.object, number => document.store.isSevered(number)))
  output.text(copy && copy.start !== copy.body ? '\n' : '\nendobj\n')
}

/** The bytes of an unchanged object (`endobj` included for uncompressed ones) with its references shifted or severed. */
function writeCopy(document: PdfDocument, output: Output, entry: Reached, scanner: Scanner): void {
  const { copy } = entry
  if (!copy) return
  if (!copy.isPatched) {
    output.bytes(copy.bytes.subarray(copy.body, copy.end))
    return
  }
  scanner.scan(copy.bytes, copy.body, copy.end)
  let from = copy.body
  for (let index = 0; index < scanner.referenceCount; index++) {
    const start = scanner.references[index * 3] as number
    const end = scanner.references[index * 3 + 1] as number
    const target = (scanner.references[index * 3 + 2] as number) + copy.shift
    const isSevered = document.store.isSevered(target)
    if (!isSevered && copy.shift === 0) continue
    output.bytes(copy.bytes.subarray(from, start))
    output.text(isSevered ? 'null' : `${target} 0 R`)
    from = end
  }
  output.bytes(copy.bytes.subarray(from, copy.end))
}

function writeStream(document: PdfDocument, output: Output, stream: PDFStream): void {
  const contents = stream instanceof PDFRawStream ? stream.contents : stream.getContents()
  stream.dict.set(LENGTH, PDFNumber.of(contents.length))
  output.text(serialize(stream.dict, number => document.store.isSevered(number)))
  output.text('\nstream\n')
  output.bytes(contents)
  output.text('\nendstream')
}

/**
 * Compressed objects that can stay in their object stream, with its number: every object in the stream is reachable and
 * unchanged, so that the stream is copied without being deflated again and holds nothing that was removed.
 */
function wholeContainers(document: PdfDocument, reachable: Map<number, Reached>): Map<number, number> {
  const kept = new Map<number, number>()
  const broken = new Set<number>()
  for (const entry of reachable.values()) {
    const origin = document.store.origin(entry.number)
    if (!origin || origin.shift !== 0 || !origin.source.isCompressed(origin.number)) continue
    const container = origin.source.table.places[origin.number] as number
    if (broken.has(container)) continue
    if (!isWhole(origin.source, container, reachable)) broken.add(container)
    else kept.set(entry.number, container)
  }
  return kept
}

function isWhole(source: Source, container: number, reachable: Map<number, Reached>): boolean {
  const { table } = source
  const { numbers } = source.container(container) ?? { numbers: [] }
  const scanner = new Scanner()
  // A stream with references of its own (/Length, /Extends) would need what they point at.
  if (!source.extent(container, scanner)?.isExact || scanner.referenceCount > 0) return false
  return numbers.length > 0 && numbers.every((number, index) => {
    const entry = reachable.get(number)
    return table.places[number] === container && source.isCompressed(number) && table.details[number] === index && entry?.copy !== undefined && !entry.copy.isPatched
  })
}

function copyContainer(document: PdfDocument, output: Output, container: number, places: Map<number, { kind: number; place: number; detail: number }>): void {
  const source = document.source
  const extent = source.extent(container, new Scanner())
  if (!extent) return
  places.set(container, { kind: OFFSET, place: output.length, detail: extent.generation })
  output.bytes(source.bytes.subarray(extent.start, extent.end))
  output.text('\n')
}

function writeObjectStream(document: PdfDocument, output: Output, number: number, entries: Reached[], scanner: Scanner): void {
  const body = new Output(65_536)
  const head: number[] = []
  for (const entry of entries) {
    head.push(entry.number, body.length)
    if (entry.copy && entry.copy.start !== entry.copy.body) {
      // An uncompressed object of a file without object streams of its own: leave `endobj` out.
      writeCopy(document, body, { ...entry, copy: { ...entry.copy, end: bodyEnd(entry.copy) } }, scanner)
    } else if (entry.copy) writeCopy(document, body, entry, scanner)
    else if (entry.object) body.text(serialize(entry.object, number => document.store.isSevered(number)))
    body.text('\n')
  }
  const first = `${head.join(' ')}\n`
  const data = deflateSync(Buffer.concat([Buffer.from(first, 'latin1'), body.result()]))
  output.text(`${number} 0 obj\n<</Type/ObjStm/N ${entries.length}/First ${first.length}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`)
  output.bytes(data)
  output.text('\nendstream\nendobj\n')
}

function bodyEnd(copy: { bytes: Uint8Array; end: number }): number {
  return copy.end - 6
}

const TRAILER_ID_LENGTH = 16

function finish(document: PdfDocument, output: Output, places: Map<number, { kind: number; place: number; detail: number }>, streamNumber: number | undefined): void {
  const hash = createHash('sha256').update(output.view()).digest('hex').slice(0, 2 * TRAILER_ID_LENGTH).toUpperCase()
  const first = document.id?.get(0)
  const original = first instanceof PDFHexString || first instanceof PDFString ? first.toString() : `<${hash}>`
  const common = `/Root ${document.rootRef}${document.infoRef ? `/Info ${document.infoRef}` : ''}/ID[${original}<${hash}>]`
  const start = output.length
  if (streamNumber === undefined) {
    writeTable(output, places)
    output.text(`trailer\n<</Size ${Math.max(0, ...lastOf(places)) + 1}${common}>>\n`)
  } else {
    places.set(streamNumber, { kind: OFFSET, place: start, detail: 0 })
    writeXrefStream(output, streamNumber, places, common)
  }
  output.text(`startxref\n${start}\n%%EOF\n`)
}

function lastOf(places: Map<number, unknown>): number[] {
  let last = 0
  for (const number of places.keys()) if (number > last) last = number
  return [last]
}

/** Runs of consecutive numbers, 0 (the free list's head) first. */
function sections(places: Map<number, unknown>): { first: number; numbers: number[] }[] {
  const numbers = [0, ...places.keys()].sort((a, b) => a - b)
  const runs: { first: number; numbers: number[] }[] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && number === run.first + run.numbers.length) run.numbers.push(number)
    else runs.push({ first: number, numbers: [number] })
  }
  return runs
}

function writeTable(output: Output, places: Map<number, { place: number; detail: number }>): void {
  output.text('xref\n')
  for (const { first, numbers } of sections(places)) {
    const rows = numbers.map(number => {
      const at = places.get(number)
      return at ? `${String(at.place).padStart(10, '0')} ${String(at.detail).padStart(5, '0')} n \n` : '0000000000 65535 f \n'
    })
    output.text(`${first} ${numbers.length}\n${rows.join('')}`)
  }
}

function writeXrefStream(output: Output, number: number, places: Map<number, { kind: number; place: number; detail: number }>, common: string): void {
  const runs = sections(places)
  const count = runs.reduce((sum, run) => sum + run.numbers.length, 0)
  const placeWidth = output.length > 0xffffff || number > 0xffffff ? 4 : 3
  const width = 1 + placeWidth + 2
  // Rows with the PNG "up" predictor: neighbours differ little, so they deflate to a fraction.
  const rows = Buffer.alloc(count * (width + 1))
  const previous = new Uint8Array(width)
  const row = new Uint8Array(width)
  let at = 0
  for (const run of runs) {
    for (const one of run.numbers) {
      const entry = places.get(one) ?? { kind: 0, place: 0, detail: 65_535 }
      row[0] = entry.kind
      for (let index = 0; index < placeWidth; index++) row[1 + index] = Math.floor(entry.place / 256 ** (placeWidth - 1 - index)) & 255
      row[1 + placeWidth] = entry.detail >> 8
      row[2 + placeWidth] = entry.detail & 255
      rows[at++] = 2
      for (let index = 0; index < width; index++) {
        rows[at++] = (row[index] as number) - (previous[index] as number)
        previous[index] = row[index] as number
      }
    }
  }
  const data = deflateSync(rows)
  const index = runs.map(run => `${run.first} ${run.numbers.length}`).join(' ')
  output.text(`${number} 0 obj\n<</Type/XRef/Size ${number + 1}/W[1 ${placeWidth} 2]/Index[${index}]${common}`)
  output.text(`/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${width}>>/Length ${data.length}>>\nstream\n`)
  output.bytes(data)
  output.text('\nendstream\nendobj\n')
}

/** A buffer that grows. */
class Output {
  private buffer: Buffer
  length = 0

  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafe(capacity)
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(Math.ceil(this.buffer.length * 1.5), this.length + count))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }

  /** Latin-1 text. */
  text(text: string): void {
    this.reserve(text.length)
    this.length += this.buffer.write(text, this.length, 'latin1')
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  view(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  result(): Uint8Array {
    return this.view()
  }
}
