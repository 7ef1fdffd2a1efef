import { PDFArray, PDFContext, PDFDict, PDFHexString, PDFNumber, PDFRawStream, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { EngineLimits } from '../../types'
import type { ObjectStream } from './object-stream'
import type { ObjectSpan } from './object-span'
import { decodeStream } from '../filters/filters'
import { upperBound } from './upper-bound'
import { Parser, streamKeyword } from '../syntax/parser'
import { readObjectStreamHead, rebuildXref } from './repair'
import { streamData } from '../syntax/scanner'
import type { Scanner } from '../syntax/scanner'
import { ObjectHeader, asBuffer, isAt, isWhite, skipSpace } from '../syntax/syntax'
import { AT_OFFSET, BrokenXref, IN_STREAM, readXref, refuseEncryption } from './xref'
import type { XrefTable } from './xref'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'

/** Decrypts the objects of one file. */
export interface Decipher {
  /** Decrypts the strings of an object, and the data of a stream. Changes the object and returns it. */
  object(object: PDFObject, number: number, generation: number): PDFObject
  /** Decrypts the data of a stream. */
  stream(data: Uint8Array, dict: PDFDict, number: number, generation: number): Uint8Array
}

/** The bytes of an object, without its header. References in them need `shift`. */
export interface ObjectBytes {
  bytes: Uint8Array
  start: number
  end: number
  shift: number
}

/** Maximum number of lengths that depend on each other. Real files have two. */
const MAX_LENGTH_CHAIN = 16

/**
 * One input file: its bytes and its cross-reference table. Reads objects on demand and never changes them. Several
 * documents may share one input file. The file repairs its table once if an object isn't where the table says.
 */
export class InputFile {
  readonly table: XrefTable
  /** The repairs that reading the file required. Empty for a valid file. */
  readonly repairs: string[] = []
  /** Object numbers of the pages found when the file was opened. Only set if the page tree was damaged. */
  knownPages: ReadonlySet<number> = new Set()
  /** Recovered kids for the gaps of the page tree, by the node's object number and the index in its /Kids. */
  readonly lostKids = new Map<number, Map<number, readonly PDFRef[]>>()
  /** How often the search for lost pages ran. */
  lostRounds = 0
  /** Number of bytes inflated so far. They count against the document's budget. */
  inflatedBytes = 0
  /** Context for objects that belong to no document: trailers and dictionaries of object streams. */
  private readonly context = PDFContext.create()
  private readonly containers = new Map<number, ObjectStream | undefined>()
  /** The objects of lengths that are being read, because a length may be in a stream whose length is an object. */
  private readonly measuring = new Set<number>()
  private readonly header = new ObjectHeader()
  private starts: Float64Array | undefined
  /** Whether the table was rebuilt by searching the whole file. */
  isRebuilt = false
  private isSettled = false
  private encryption: PDFObject | undefined
  private firstId: PDFObject | undefined
  private cipher: Decipher | undefined
  private mentioned = 0

  /**
   * If `fill` is set, the bytes are incomplete: it fills in a range before an object there is read. The header and the
   * cross-reference table must be there. With `openCipher`, encrypted files are decrypted: `parse` returns plain
   * objects, while `locate` and `measure` find encrypted bytes. Throws EngineError `damaged`, `too_large`, what
   * `openCipher` throws, and `encrypted` without it.
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly limits: EngineLimits,
    private readonly ways: {
      fill?: (start: number, end: number) => void
      openCipher?: (encryption: PDFDict, id: Uint8Array) => Decipher
    } = {},
  ) {
    const origin = findHeader(bytes)
    try {
      this.table = readXref(bytes, origin, this.context, limits, this.recordTrailer)
      if (this.table.problem) this.repairs.push(this.table.problem)
    } catch (error) {
      const isDamage = error instanceof BrokenXref || (error instanceof EngineError && error.reason === 'damaged')
      if (!isDamage) throw error
      this.table = this.rebuild('The cross-reference table was rebuilt.')
    }
  }

  /** Rebuilds the table by searching the whole file, once at most. Returns whether it did. */
  repair(reason: string): boolean {
    if (this.isRebuilt) return false
    const rebuilt = this.rebuild(reason)
    const { table } = this
    table.kinds = rebuilt.kinds
    table.locations = rebuilt.locations
    table.details = rebuilt.details
    table.size = rebuilt.size
    table.entryCount = rebuilt.entryCount
    if (rebuilt.trailer.has(Name.Root)) table.trailer = rebuilt.trailer
    this.starts = undefined
    this.containers.clear()
    this.forgetPages()
    return true
  }

  /** Discards the facts about pages, because a rebuilt table may lead to other pages. */
  forgetPages(): void {
    this.lostKids.clear()
    this.lostRounds = 0
    this.knownPages = new Set()
  }

  private rebuild(reason: string): XrefTable {
    this.isRebuilt = true
    this.ways.fill?.(0, this.bytes.length)
    this.repairs.push(reason)
    return rebuildXref(this.bytes, this.context, this.limits, {
      onTrailer: this.recordTrailer,
      listObjectStream: (table, number) => {
        const at = table.locations[number] as number
        const header = new ObjectHeader()
        return header.read(this.bytes, at) ? this.openContainer(header, table)?.numbers : undefined
      },
    })
  }

  private readonly recordTrailer = (trailer: PDFDict): void => {
    if (!this.ways.openCipher) refuseEncryption(trailer)
    this.encryption ??= trailer.get(Name.Encrypt)
    this.firstId ??= trailer.get(Name.ID)
  }

  /** Whether a trailer says that the file is encrypted. */
  get isEncrypted(): boolean {
    return this.encryption !== undefined
  }

  /** The object number of the encryption dictionary. Undefined if it is in the trailer. */
  get encryptionNumber(): number | undefined {
    return this.encryption instanceof PDFRef ? this.encryption.objectNumber : undefined
  }

  /** The decipher of an encrypted file. Undefined if the file isn't encrypted. */
  private cipherOf(table: XrefTable): Decipher | undefined {
    if (this.cipher || !this.encryption || !this.ways.openCipher) return this.cipher
    const dict = this.resolvePlain(this.encryption, table)
    if (!(dict instanceof PDFDict))
      throw new EngineError('damaged', 'The PDF is encrypted, and its encryption dictionary is damaged.')
    for (const [key, value] of dict.entries()) {
      const plain = this.resolvePlain(value, table)
      if (plain) dict.set(key, plain)
    }
    const id = this.firstId && this.resolvePlain(this.firstId, table)
    const first = id instanceof PDFArray && id.size() > 0 ? id.get(0) : undefined
    const isText = first instanceof PDFString || first instanceof PDFHexString
    this.cipher = this.ways.openCipher(dict, isText ? first.asBytes() : new Uint8Array(0))
    return this.cipher
  }

  /** Resolves an object that is never encrypted and never in an object stream. */
  private resolvePlain(object: PDFObject, table: XrefTable): PDFObject | undefined {
    if (!(object instanceof PDFRef)) return object
    const header = new ObjectHeader()
    const isThere = table.kinds[object.objectNumber] === AT_OFFSET
    if (!isThere || !header.read(this.bytes, table.locations[object.objectNumber] as number)) return undefined
    return new Parser(this.bytes, this.context, 0).parseAt(header.body)
  }

  /** Returns whether the file has an object. Ignores the generation if it is undefined or if the table was rebuilt. */
  has(number: number, generation: number | undefined): boolean {
    const { table } = this
    if (!table.has(number)) return false
    if (this.isRebuilt || generation === undefined) return true
    return table.kinds[number] === IN_STREAM ? generation === 0 : table.details[number] === generation
  }

  /** References to all objects in the table, in ascending order. */
  listReferences(): PDFRef[] {
    const { table } = this
    const references: PDFRef[] = []
    for (let number = 1; number < table.size; number++) if (table.has(number)) references.push(this.referenceOf(number))
    return references
  }

  /** The reference to an object in the table. */
  referenceOf(number: number): PDFRef {
    return PDFRef.of(number, this.isCompressed(number) ? 0 : this.table.details[number])
  }

  /** Records the kids that belong at an index of a page tree node. `node` is an object number. */
  recordLostKids(node: number, index: number, kids: readonly PDFRef[]): void {
    findOrAdd(this.lostKids, node, () => new Map()).set(index, kids)
  }

  isCompressed(number: number): boolean {
    return this.table.kinds[number] === IN_STREAM
  }

  /**
   * From now on, references to object numbers that the file doesn't have are null (ISO 32000-2, 7.3.10). Before, such
   * references may trigger a repair. Afterwards, new objects may get these numbers. Returns whether there were any so
   * far.
   */
  settle(): boolean {
    this.isSettled = true
    return this.mentioned >= this.table.size
  }

  /** Parses the object, with all references shifted by `shift`. Undefined if there is no such object. */
  parse(number: number, context: PDFContext, shift: number): PDFObject | undefined {
    if (!this.table.has(number)) return undefined
    if (this.isCompressed(number)) {
      const location = this.compressed(number)
      return location && this.parseAt(location.start, location.limit, { bytes: location.data, context, shift }).object
    }
    if (!this.findHeader(number)) return this.isCompressed(number) ? this.parse(number, context, shift) : undefined
    const body = this.header.body
    const location = { bytes: this.bytes, context, shift }
    let { object, end } = this.parseAt(body, this.limitOf(body), location)
    // The object isn't closed, so the bytes after the next object's start belong to other objects.
    if (end > this.nextStart(body)) ({ object, end } = this.parseAt(body, this.nextStart(body), location))
    const { generation } = this.header
    if (!(object instanceof PDFDict)) return this.decrypt(object, number, generation)
    const keyword = streamKeyword(this.bytes, end)
    if (keyword < 0) return this.decrypt(object, number, generation)
    const start = streamData(this.bytes, keyword)
    const lengthValue = object.get(Name.Length)
    const stated =
      lengthValue instanceof PDFNumber
        ? lengthValue.asNumber()
        : lengthValue instanceof PDFRef
          ? this.integer(lengthValue.objectNumber - shift)
          : undefined
    const { length } = this.measureStream(start, stated)
    return this.decrypt(PDFRawStream.of(object, this.bytes.subarray(start, start + length)), number, generation)
  }

  private decrypt(object: PDFObject, number: number, generation: number): PDFObject {
    if (!this.isEncrypted || number === this.encryptionNumber) return object
    return this.cipherOf(this.table)?.object(object, number, generation) ?? object
  }

  /** Finds the bytes of an object without parsing it. Undefined if the file has no such object. */
  locate(number: number, shift: number): ObjectBytes | undefined {
    if (!this.table.has(number)) return undefined
    if (!this.isCompressed(number) && this.findHeader(number)) {
      const { body } = this.header
      return { bytes: this.bytes, start: body, end: this.limitOf(body), shift }
    }
    const location = this.isCompressed(number) ? this.compressed(number) : undefined
    return location && { bytes: location.data, start: location.start, end: location.limit, shift }
  }

  private parseAt(
    at: number,
    limit: number,
    { bytes, context, shift }: { bytes: Uint8Array; context: PDFContext; shift: number },
  ): { object: PDFObject; end: number } {
    const parser = new Parser(bytes, context, shift, limit, this.isSettled ? this.table.size : undefined)
    const object = parser.parseAt(at)
    this.mentioned = Math.max(this.mentioned, parser.mentioned)
    return { object, end: parser.position }
  }

  /** Reads the header of an uncompressed object into `header`. Repairs the table if the header isn't there. */
  private findHeader(number: number): boolean {
    const { header } = this
    const location = this.table.locations[number] as number
    this.ways.fill?.(location, this.nextStart(location))
    if (header.read(this.bytes, location) && header.number === number) return true
    if (!this.repair(`Object ${number} was not where the cross-reference table says.`)) return false
    if (this.table.kinds[number] !== AT_OFFSET) return false
    return header.read(this.bytes, this.table.locations[number] as number) && header.number === number
  }

  /**
   * Returns how far to read an object that begins at `at`. In a rebuilt file, up to the next object. Otherwise
   * thousands of unclosed objects would each be read to the end of the file. In other files, up to the end of the file,
   * because the table may be wrong about other objects.
   */
  private limitOf(at: number): number {
    return this.isRebuilt ? this.nextStart(at) : this.bytes.length
  }

  /** The offset of the next object that the table lists. */
  private nextStart(at: number): number {
    // While the constructor rebuilds the table, `this.table` isn't set yet.
    const table: XrefTable | undefined = this.table
    if (!table) return this.bytes.length
    this.starts ??= sortedOffsets(table)
    return upperBound(this.starts, at) ?? this.bytes.length
  }

  /** The position of a compressed object in its inflated object stream. Throws EngineError `too_large`. */
  private compressed(
    number: number,
  ): { data: Uint8Array; start: number; limit: number; isDamaged: boolean } | undefined {
    const container = this.container(this.table.locations[number] as number)
    if (!container) return undefined
    const stated = this.table.details[number] as number
    const index = container.numbers[stated] === number ? stated : container.numbers.indexOf(number)
    const start = container.offsets[index]
    if (start === undefined || start > container.data.length) return undefined
    return {
      data: container.data,
      start,
      limit: upperBound(container.sorted, start) ?? container.data.length,
      isDamaged: container.isDamaged,
    }
  }

  /** The inflated object stream with this number. Undefined if it can't be read. */
  container(number: number): ObjectStream | undefined {
    if (!this.containers.has(number)) {
      this.containers.set(number, undefined) // stops recursion if a stream lies inside itself
      const isThere = this.table.kinds[number] === AT_OFFSET && this.findHeader(number)
      this.containers.set(number, isThere ? this.openContainer(this.header, this.table) : undefined)
    }
    return this.containers.get(number)
  }

  private scalarEnd(data: Uint8Array, start: number, limit: number): number {
    const parser = new Parser(data, this.context, 0, limit)
    parser.parseAt(start)
    return parser.position
  }

  private openContainer({ body, number, generation }: ObjectHeader, table: XrefTable): ObjectStream | undefined {
    const parser = new Parser(this.bytes, this.context, 0)
    const dict = parser.parseAt(body)
    const keyword = dict instanceof PDFDict ? streamKeyword(this.bytes, parser.position) : -1
    if (!(dict instanceof PDFDict) || keyword < 0) return undefined
    const start = streamData(this.bytes, keyword)
    const lengthValue = dict.get(Name.Length)
    let stated: number | undefined
    if (lengthValue instanceof PDFNumber) stated = lengthValue.asNumber()
    else if (lengthValue instanceof PDFRef && table === this.table) stated = this.integer(lengthValue.objectNumber)
    const { length } = this.measureStream(start, stated)
    let isDamaged = false
    const onDamage = (): void => {
      isDamaged = true
    }
    const written = this.bytes.subarray(start, start + length)
    const data = decodeStream(
      dict,
      this.cipherOf(table)?.stream(written, dict, number, generation) ?? written,
      value => (value instanceof PDFRef ? undefined : value),
      this.limits.maxStreamBytes,
      onDamage,
    )
    if (!data) return undefined
    if (isDamaged) this.repairs.push('The data of an object stream is damaged.')
    this.count(data.length)
    const head = readObjectStreamHead(data, dict, this.limits.maxObjects)
    if (!head) return undefined
    // Some readers reject the whole stream.
    if (!head.isCounted) this.repairs.push('An object stream has fewer objects than its dictionary says.')
    // An object stream without objects may be of any size. Its data isn't worth the memory.
    const keptData = head.numbers.length > 0 ? data : data.slice(0, 0)
    const sorted = Float64Array.from([...head.offsets, keptData.length]).sort()
    return { isDamaged, isTyped: dict.get(Name.Type) === Name.ObjStm, data: keptData, ...head, sorted }
  }

  /** Counts inflated bytes against the document's budget. Throws EngineError `too_large`. */
  count(bytes: number): void {
    this.inflatedBytes += bytes
    if (this.inflatedBytes > this.limits.maxInflateBytes) {
      throw new EngineError(
        'too_large',
        `The document inflates to more than ${this.limits.maxInflateBytes.toLocaleString('en')} bytes. Use a ` +
          'smaller file or fewer pages.',
      )
    }
  }

  /**
   * Reads an object that is an integer, such as an indirect /Length. Stops if streams depend on each other's length.
   */
  private integer(number: number): number | undefined {
    if (this.measuring.size > MAX_LENGTH_CHAIN || this.measuring.has(number) || !this.table.has(number))
      return undefined
    this.measuring.add(number)
    try {
      if (!this.isCompressed(number) && !this.findHeader(number)) return undefined
      const location = this.isCompressed(number)
        ? this.compressed(number)
        : { data: this.bytes, start: this.header.body }
      const object = location && new Parser(location.data, this.context, 0).parseAt(location.start)
      return object instanceof PDFNumber ? object.asNumber() : undefined
    } finally {
      this.measuring.delete(number)
    }
  }

  /**
   * The true length of a stream: the stated one if `endstream` follows it, otherwise up to the next `endstream` or
   * `endobj`.
   */
  private measureStream(start: number, stated: number | undefined): { length: number; isExact: boolean } {
    const { bytes } = this
    if (stated !== undefined && Number.isInteger(stated) && stated >= 0 && start + stated <= bytes.length) {
      if (isAt(bytes, skipWhite(bytes, start + stated), 'endstream')) return { length: stated, isExact: true }
    }
    const buffer = asBuffer(bytes)
    let end = buffer.indexOf('endstream', start)
    if (end < 0) end = buffer.indexOf('endobj', start)
    if (end < 0) end = bytes.length
    end = Math.min(end, Math.max(start, this.nextStart(start)))
    // The line end before `endstream` does not belong to the data (7.3.8.1).
    if (end > start && bytes[end - 1] === 10) end--
    if (end > start && bytes[end - 1] === 13) end--
    return { length: end - start, isExact: false }
  }

  /**
   * Measures an uncompressed object. The scanner then has its references, with offsets in the file's bytes. Returns
   * false if the object isn't there.
   */
  measure(number: number, scanner: Scanner, extent: ObjectSpan): boolean {
    if (!this.findHeader(number)) return false
    const { bytes, header } = this
    extent.buffer = bytes
    extent.start = header.start
    extent.body = header.body
    // References use the generation of the table. In damaged files, the object may have another one.
    const generation = this.table.details[number] as number
    const isListed = header.generation === generation
    extent.generation = generation
    extent.isStream = false
    scanner.scan(bytes, header.body, this.limitOf(header.body))
    if (scanner.streamStart < 0) {
      const end = skipSpace(bytes, scanner.end)
      const isClosed = isAt(bytes, end, 'endobj')
      extent.isExact = isClosed && isListed && scanner.isBalanced && !scanner.hasLongInteger
      extent.end = isClosed ? end + 6 : scanner.end
      return true
    }
    const stated = scanner.lengthReference >= 0 ? this.integer(scanner.lengthReference) : scanner.directLength
    const measured = this.measureStream(scanner.streamStart, stated)
    const closing = skipWhite(bytes, scanner.streamStart + measured.length)
    const end = skipSpace(bytes, closing + 9)
    const isClosed = isAt(bytes, closing, 'endstream') && isAt(bytes, end, 'endobj')
    extent.isStream = true
    // A lone carriage return after `stream` isn't allowed (7.3.8.1), because the data could begin with a line feed.
    extent.isExact =
      isClosed &&
      isListed &&
      measured.isExact &&
      scanner.isBalanced &&
      !scanner.hasLongInteger &&
      bytes[scanner.streamStart - 1] === 10
    extent.end = isClosed ? end + 6 : end
    return true
  }

  /** Like `measure`, but for an object in an object stream. Offsets refer to the inflated data. */
  measureCompressed(number: number, scanner: Scanner, extent: ObjectSpan): boolean {
    const location = this.compressed(number)
    if (!location) return false
    const { limit } = location
    const opening = location.data[skipSpace(location.data, location.start, limit)]
    const isContainer = opening === 0x3c || opening === 0x5b
    scanner.scan(location.data, location.start, limit, isContainer)
    extent.buffer = location.data
    extent.start = extent.body = location.start
    // Bytes after the object may belong to no object. A number, name or string ends where the parser stops.
    extent.end = isContainer ? scanner.end : this.scalarEnd(location.data, location.start, limit)
    extent.generation = 0
    extent.isExact = scanner.isBalanced && !scanner.hasLongInteger && !location.isDamaged
    extent.isStream = false
    return true
  }
}

/** The offsets of all uncompressed objects. Most files list them in order, so check before sorting. */
function sortedOffsets({ kinds, locations, size }: XrefTable): Float64Array {
  const offsets = new Float64Array(size)
  let count = 0
  let isSorted = true
  for (let number = 0; number < size; number++) {
    if (kinds[number] !== AT_OFFSET) continue
    const location = locations[number] as number
    if (count > 0 && location < (offsets[count - 1] as number)) isSorted = false
    offsets[count++] = location
  }
  const listed = offsets.subarray(0, count)
  return isSorted ? listed : listed.sort()
}

function skipWhite(bytes: Uint8Array, at: number): number {
  let position = at
  while (isWhite(bytes[position])) position++
  return position
}

/**
 * The offset of `%PDF-`. It is usually within the first kilobyte (Annex H, implementation note 13), but up to 200 kB of
 * other bytes are skipped. A file without a header but with objects is read from its start.
 */
function findHeader(bytes: Uint8Array): number {
  const found = asBuffer(bytes.subarray(0, 200_000)).indexOf('%PDF-')
  if (found >= 0) return found
  if (asBuffer(bytes).includes(' obj') && asBuffer(bytes).includes('/Root')) return 0
  throw new EngineError('not_a_pdf', "The file isn't a PDF. It has no %PDF- header.")
}
