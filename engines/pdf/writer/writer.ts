import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { PDFRef } from 'pdf-lib'
import { PDFHexString, PDFNull, PDFNumber, PDFRawStream, PDFStream, PDFString } from 'pdf-lib'
import { hasSlack } from '../files/object-stream'
import type { PdfDocument } from '../document/document'
import { ObjectSpan } from '../files/object-span'
import { listStreamsOnly } from '../content/repair-contents'
import { BLOCK_BYTES, ChunkWriter, VIEW_BYTES } from './chunk-writer'
import { WrittenFile } from './written-file'
import { findReachable } from '../document/reachable'
import type { Reached } from '../document/reachable'
import { Scanner } from '../syntax/scanner'
import { serialize } from '../syntax/serialize'
import type { InputFile } from '../files/input-file'
import { neededVersion } from '../document/version'
import { ObjectLocations, writeXrefStream, writeXrefTable } from './write-xref'
import { IN_STREAM } from '../files/xref'
import * as Name from '../syntax/names'

/** Compression level of object streams. Takes a third of the default level's time, and the sizes hardly differ. */
const LEVEL = 3

const LINE_FEED = 0x0a

/** Maximum number of objects in an object stream, and in one of a document whose size matters most. */
const STREAM_OBJECTS = 200
const TIGHT_STREAM_OBJECTS = 500

/**
 * Writes the document in one revision: all objects that can be reached from the trailer, and no others.
 *
 * Unchanged objects are copied as bytes, without inflating streams. References to severed objects become null. Writes
 * object streams if an input has them, so that files don't grow. The same document always yields the same bytes,
 * because /ID is a hash of the content. The chunks of the file are partly views of the inputs.
 */
export function writeDocument(document: PdfDocument): WrittenFile {
  document.finish()
  return new Writer(document).write()
}

class Writer {
  private readonly reached: Reached
  private readonly usesStreams: boolean
  private readonly output: ChunkWriter
  private readonly locations: ObjectLocations
  private readonly scanner = new Scanner()
  private readonly isSevered: (number: number) => boolean
  /** Copied objects that follow each other in their file as in the output. They are written in one piece. */
  private readonly run: { bytes: Uint8Array | undefined; start: number; end: number } = {
    bytes: undefined,
    start: 0,
    end: 0,
  }

  constructor(private readonly document: PdfDocument) {
    const { store, rootRef, infoRef } = document
    const roots = infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber]
    let reached = findReachable(document, roots)
    const isStream = ({ objectNumber }: PDFRef): boolean => {
      const slot = reached.slotOf(objectNumber)
      return slot >= 0 && reached.isStream(slot)
    }
    if (listStreamsOnly(document, isStream)) reached = findReachable(document, roots)
    this.reached = reached
    const allowsStreams = document.saving.fixedVersion === undefined || document.saving.fixedVersion >= '1.5'
    this.usesStreams =
      allowsStreams &&
      (document.saving.packsObjects || store.sources.some(source => source.table.kinds.includes(IN_STREAM)))
    this.output = new ChunkWriter(this.estimate())
    this.locations = new ObjectLocations(Math.max(document.context.largestObjectNumber, store.largestSourceNumber))
    this.isSevered = number => store.isSevered(number)
  }

  write(): WrittenFile {
    const { output, reached, locations } = this
    output.text(`%PDF-${this.version()}\n`)
    output.bytes(Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a))
    const packed: number[] = []
    const copiedStreams = this.usesStreams ? this.copyContainers() : new Set<number>()
    for (const slot of reached.inOrder()) {
      const container = this.containerOf(slot)
      if (container >= 0 && copiedStreams.has(container))
        locations.setCompressed(reached.numbers[slot] as number, container, this.indexOf(slot))
      else if (this.usesStreams && !reached.isStream(slot) && reached.generations[slot] === 0) packed.push(slot)
      else this.writeObject(slot)
    }
    this.writeRun()
    let next = Math.max(this.document.context.largestObjectNumber, this.document.store.largestSourceNumber) + 1
    const mostObjects = this.document.saving.deflate ? TIGHT_STREAM_OBJECTS : STREAM_OBJECTS
    for (let at = 0; at < packed.length; at += mostObjects)
      this.writeObjectStream(next++, packed.slice(at, at + mostObjects))
    return this.finish(next)
  }

  /**
   * Returns whether an object can be copied into an object stream: one that comes from an object stream of a sound file.
   * Other objects may have stray tokens, which would spoil their neighbors.
   */
  private isWellFormed(slot: number): boolean {
    const { reached, document } = this
    const origin = document.store.origin(reached.numbers[slot] as number)
    return reached.isCompressed(slot) && !reached.isChanged(slot) && origin?.source.repairs.length === 0
  }

  /** The likely number of bytes that are copied into blocks: of small objects, and of the cross-reference table. */
  private estimate(): number {
    const { reached } = this
    let bytes = 1024
    for (let slot = 0; slot < reached.count && bytes < BLOCK_BYTES; slot++) {
      const size = reached.isChanged(slot) ? 512 : (reached.ends[slot] as number) - (reached.starts[slot] as number)
      bytes += 48 + (size < VIEW_BYTES ? size : 0)
    }
    return bytes
  }

  /** The version that the document needs. At least 1.5 if there are object streams (ISO 32000-1, 7.5.7). */
  private version(): string {
    const needed = neededVersion(this.document)
    return this.usesStreams && needed < '1.5' ? '1.5' : needed
  }

  /** The object stream of the first file that contains an unchanged object, or −1. */
  private containerOf(slot: number): number {
    if (!this.reached.isCompressed(slot) || this.reached.isChanged(slot)) return -1
    const origin = this.document.store.origin(this.reached.numbers[slot] as number)
    return origin && origin.shift === 0 ? (origin.source.table.locations[origin.number] as number) : -1
  }

  private indexOf(slot: number): number {
    return this.document.source.table.details[this.reached.numbers[slot] as number] as number
  }

  /**
   * Copies object streams if all of their objects are reachable and unchanged, and returns their numbers. This saves
   * compressing them again, and they contain no removed data. Copies none from a damaged file, because other readers
   * may read them differently.
   */
  private copyContainers(): Set<number> {
    const { source } = this.document
    const copied = new Set<number>()
    if (this.document.warnings.has('repaired') || this.document.saving.deflate) return copied
    const checked = new Set<number>()
    const extent = new ObjectSpan()
    for (let slot = 0; slot < this.reached.count; slot++) {
      const container = this.containerOf(slot)
      if (container < 0 || checked.has(container)) continue
      checked.add(container)
      if (!this.isWhole(source, container, extent)) continue
      copied.add(container)
      this.locations.setOffset(container, this.output.length, extent.generation)
      this.output.bytes(source.bytes.subarray(extent.start, extent.end))
      this.output.text('\n')
    }
    return copied
  }

  private isWhole(source: InputFile, container: number, extent: ObjectSpan): boolean {
    const { table } = source
    const content = source.container(container)
    if (!content?.isTyped || !content.isCounted || content.isDamaged) return false
    const { numbers } = content
    const isUnchanged = numbers.every((number, index) => {
      const slot = this.reached.slotOf(number)
      if (slot < 0 || this.reached.isChanged(slot) || this.reached.mentionsNull(slot)) return false
      return table.locations[number] === container && source.isCompressed(number) && table.details[number] === index
    })
    // If the stream itself has references (/Length, /Extends), it would also need their targets.
    return (
      numbers.length > 0 &&
      isUnchanged &&
      !hasSlack(content, number => this.reached.ends[this.reached.slotOf(number)] as number) &&
      source.measure(container, this.scanner, extent) &&
      extent.isExact &&
      this.scanner.referenceCount === 0
    )
  }

  private writeObject(slot: number): void {
    const { reached, output } = this
    const number = reached.numbers[slot] as number
    const generation = reached.generations[slot] as number
    if (this.isCopiedWhole(slot) && !reached.isCompressed(slot)) {
      this.copyObject(slot)
      return
    }
    this.writeRun()
    this.locations.setOffset(number, output.length, generation)
    output.text(`${number} ${generation} obj\n`)
    const object = reached.objects[slot]
    if (object instanceof PDFStream) this.writeStream(object)
    else this.writeBody(slot, output)
    // The bytes of an unchanged object include its `endobj`.
    output.text(reached.isChanged(slot) || reached.isCompressed(slot) ? '\nendobj\n' : '\n')
  }

  /** Copies an object with its header. A line feed must separate it from the object before to be in the same run. */
  private copyObject(slot: number): void {
    const { reached, run } = this
    const bytes = reached.buffers[slot] as Uint8Array
    const start = reached.starts[slot] as number
    const follows = bytes === run.bytes && start === run.end + 1 && bytes[run.end] === LINE_FEED
    if (!follows) {
      this.writeRun()
      run.bytes = bytes
      run.start = start
    }
    run.end = reached.ends[slot] as number
    const offset = this.output.length + start - run.start
    this.locations.setOffset(reached.numbers[slot] as number, offset, reached.generations[slot] as number)
  }

  private writeRun(): void {
    const { run, output } = this
    if (!run.bytes) return
    output.slice(run.bytes, run.start, run.end)
    output.text('\n')
    run.bytes = undefined
  }

  private isCopiedWhole(slot: number): boolean {
    const { reached } = this
    return !reached.isChanged(slot) && !reached.mentionsNull(slot) && this.shiftOf(slot) === 0
  }

  private shiftOf(slot: number): number {
    return this.document.store.shiftOf(this.reached.numbers[slot] as number)
  }

  /**
   * Writes the part of an object after `obj`. Serializes the object, or copies its bytes and replaces shifted and
   * severed references. Includes `endobj` of copied objects that don't come from an object stream.
   */
  private writeBody(slot: number, output: ChunkWriter): void {
    const { reached, scanner } = this
    const object = reached.objects[slot]
    if (object) {
      output.text(serialize(object, this.isSevered))
      return
    }
    const bytes = reached.buffers[slot] as Uint8Array
    const begin = reached.bodies[slot] as number
    const end = reached.ends[slot] as number
    if (this.isCopiedWhole(slot)) {
      output.slice(bytes, begin, end)
      return
    }
    const { shift, source } = this.document.store.origin(reached.numbers[slot] as number) ?? {
      shift: 0,
      source: this.document.source,
    }
    const { size } = source.table
    if (shift === 0) scanner.scan(bytes, begin, end)
    const { references } = shift === 0 ? scanner : reached
    const [first, last] = shift === 0 ? [0, scanner.referenceCount * 3] : reached.referencesOf(slot)
    let from = begin
    for (let index = first; index < last; index += 3) {
      const sourceNumber = references[index + 2] as number
      const target = sourceNumber + shift
      const isNull = sourceNumber >= size || this.isSevered(target)
      if (!isNull && shift === 0) continue
      output.slice(bytes, from, references[index] as number)
      output.text(isNull ? 'null' : `${target} 0 R`)
      from = references[index + 1] as number
    }
    output.slice(bytes, from, end)
  }

  private writeStream(stream: PDFStream): void {
    const contents = stream instanceof PDFRawStream ? stream.contents : stream.getContents()
    stream.dict.set(Name.Length, PDFNumber.of(contents.length))
    this.output.text(serialize(stream.dict, this.isSevered))
    this.output.text('\nstream\n')
    this.output.bytes(contents)
    this.output.text('\nendstream')
  }

  private writeObjectStream(number: number, slots: number[]): void {
    const { output, reached } = this
    const body = new ChunkWriter()
    const head: number[] = []
    for (const [index, slot] of slots.entries()) {
      const objectNumber = reached.numbers[slot] as number
      head.push(objectNumber, body.length)
      this.locations.setCompressed(objectNumber, number, index)
      if (this.isWellFormed(slot)) this.writeBody(slot, body)
      else body.text(serialize(this.document.peek(reached.refOf(slot)) ?? PDFNull, this.isSevered))
      body.text('\n')
    }
    const first = `${head.join(' ')}\n`
    const content = Buffer.concat([Buffer.from(first, 'latin1'), ...body.chunks()])
    const data = this.document.saving.deflate?.(content) ?? deflateSync(content, { level: LEVEL })
    this.locations.setOffset(number, output.length, 0)
    output.text(
      `${number} 0 obj\n<</Type/ObjStm/N ${slots.length}/First ${first.length}/Filter/FlateDecode/Length ` +
        `${data.length}>>\nstream\n`,
    )
    output.bytes(data)
    output.text('\nendstream\nendobj\n')
  }

  private finish(streamNumber: number): WrittenFile {
    const { document, output, locations } = this
    const hash = PDFHexString.of(identify(output.chunks(), output.length))
    const first = document.saving.id?.get(0)
    const original = first instanceof PDFHexString || first instanceof PDFString ? first : hash
    const id = [original, hash]
      .map(value => (document.saving.deflate ? writeShortest(value) : value.toString()))
      .join('')
    const entries = `/Root ${document.rootRef.tag}${document.infoRef ? `/Info ${document.infoRef.tag}` : ''}/ID[${id}]`
    const start = output.length
    if (this.usesStreams)
      writeXrefStream(output, locations, streamNumber, { entries, deflate: document.saving.deflate })
    else writeXrefTable(output, locations, entries)
    output.text(`startxref\n${start}\n%%EOF\n`)
    return new WrittenFile(output.chunks(), start)
  }
}

/** Writes a string with its bytes as they are, unless hexadecimal digits are shorter (ISO 32000-2, 7.3.4). */
function writeShortest(value: PDFHexString | PDFString): string {
  const literal = `(${Buffer.from(value.asBytes())
    .toString('latin1')
    .replaceAll(/[\\()\r]/g, escapeByte)})`
  const text = value.toString()
  return literal.length < text.length ? literal : text
}

function escapeByte(character: string): string {
  return character === '\r' ? '\\r' : `\\${character}`
}

/** Number of bytes for each checksum. */
const BLOCK = 16_384

/**
 * Returns 32 hexadecimal digits that identify these bytes: a hash of the checksums of blocks. Hashing all bytes would
 * take as long as the rest of the writing, and a file identifier needs no protection against attacks (ISO 32000-2,
 * 14.4).
 */
function identify(chunks: readonly Uint8Array[], byteLength: number): string {
  const sums = new Uint32Array(Math.ceil(byteLength / BLOCK) + 1)
  let offset = 0
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const end = Math.min(chunk.length, at + BLOCK - (offset % BLOCK))
      const index = Math.floor(offset / BLOCK)
      sums[index] = crc32(chunk.subarray(at, end), sums[index])
      offset += end - at
      at = end
    }
  }
  sums[sums.length - 1] = byteLength
  return createHash('sha256').update(sums).digest('hex').slice(0, 32).toUpperCase()
}
