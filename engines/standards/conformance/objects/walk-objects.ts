import { isUtf8 } from 'node:buffer'
import type { PDFRef } from 'pdf-lib'
import { isEngineError } from '../../../errors'
import { AT_OFFSET, upperBound } from '../../../pdf/document'
import type { XrefTable } from '../../../pdf/document'
import { isAt, ObjectHeader, readName, streamKeyword } from '../../../pdf/syntax'
import type { Examination } from '../examination/examination'
import { readHeader } from '../file/header'
import { SPACING_RULES, STREAM_RULES, checkSpacing, measureStream } from '../file/object-layout'
import { readSections } from '../file/xref-sections'
import { entryOf, objectOf, streamOf } from '../examination/model'
import { STREAM_DICTIONARY_RULES } from './stream-rules'
import { TokenReader } from './object-tokens'
import { TokenRules, leaveTokensUndecided } from './token-rules'

/** Objects that further rules look at. */
export interface NotableObjects {
  /** Objects with the name /Filespec in them. */
  fileSpecifications: PDFRef[]
  /** Objects with the name /AF in them. */
  associations: PDFRef[]
  /** Whether a name isn't valid UTF-8. */
  hasInvalidNames: boolean
  /** Whether all objects could be read. */
  isComplete: boolean
}

/**
 * Checks every object in the cross-reference table, whether anything refers to it or not: how it is written, and the
 * size of its values.
 */
export function walkObjects(examination: Examination): NotableObjects {
  return new ObjectWalk(examination).run()
}

class ObjectWalk extends TokenRules {
  private readonly reader = new TokenReader(this)
  private readonly header = new ObjectHeader()
  private readonly notable: NotableObjects = {
    fileSpecifications: [],
    associations: [],
    hasInvalidNames: false,
    isComplete: true,
  }
  private readonly starts: Float64Array
  private objectNumber = 0

  constructor(private readonly walked: Examination) {
    super(walked, () => ({ object: objectOf(this.ref) ?? '' }))
    this.starts = offsetsOf(walked.document.source.table)
  }

  /** The object that is read. A file has many objects, and few of them are looked at again. */
  private get ref(): PDFRef {
    return this.walked.document.source.referenceOf(this.objectNumber)
  }

  run(): NotableObjects {
    const { table } = this.walked.document.source
    for (let number = 1; number < table.size; number++) {
      if (!table.has(number)) continue
      this.objectNumber = number
      try {
        if (table.kinds[number] === AT_OFFSET) this.readWritten()
        else this.readCompressed()
      } catch (error) {
        if (!isEngineError(error)) throw error
        this.notable.isComplete = false
      }
    }
    this.readTrailer()
    if (!this.notable.isComplete) this.leaveUndecided()
    return this.notable
  }

  /** Reads the newest trailer. A cross-reference stream is an object, so its dictionary was read before. */
  private readTrailer(): void {
    const { bytes, document } = this.walked
    const [newest] = readSections(bytes, readHeader(bytes).offset, document.context) ?? []
    if (!newest || newest.isStream) return
    new TokenReader(new TokenRules(this.walked)).read(bytes, newest.trailerStart, bytes.length)
  }

  private leaveUndecided(): void {
    const { walked } = this
    leaveTokensUndecided(walked)
    walked.leaveUndecided(STREAM_RULES)
    walked.leaveUndecided(STREAM_DICTIONARY_RULES)
    walked.leaveUndecided(SPACING_RULES)
  }

  override name(bytes: Uint8Array, start: number, end: number, hasSpecial = false): void {
    super.name(bytes, start, end)
    const length = end - start
    if (hasSpecial) this.readSpecialName(readName(bytes, start - 1, end))
    else if (length === 8 && isAt(bytes, start, 'Filespec')) this.record('fileSpecifications')
    else if (length === 2 && isAt(bytes, start, 'AF')) this.record('associations')
  }

  private readSpecialName(name: string): void {
    if (name === 'Filespec') this.record('fileSpecifications')
    else if (name === 'AF') this.record('associations')
    else if (!isUtf8(Buffer.from(name, 'latin1'))) this.notable.hasInvalidNames = true
  }

  private record(kind: 'fileSpecifications' | 'associations'): void {
    const list = this.notable[kind]
    if (list.at(-1)?.objectNumber !== this.objectNumber) list.push(this.ref)
  }

  private readCompressed(): void {
    const location = this.walked.document.source.locate(this.objectNumber, 0)
    if (location) this.reader.read(location.bytes, location.start, location.end)
  }

  private readWritten(): void {
    const { header, reader, walked } = this
    const { bytes, table } = walked.document.source
    const offset = table.locations[this.objectNumber] ?? 0
    if (!header.read(bytes, offset) || header.number !== this.objectNumber) return
    const { start, body } = header
    // An object that isn't closed must not be read to the end of the file.
    const limit = upperBound(this.starts, Math.max(offset, body)) ?? bytes.length
    reader.read(bytes, body, limit)
    const { isInteger } = reader
    const keyword = streamKeyword(bytes, reader.end, limit)
    const valueEnd = keyword < 0 ? reader.end : this.readStream(keyword, limit)
    const written = { bytes, start, valueEnd, isInteger }
    if (checkSpacing(written) !== undefined) walked.apply(SPACING_RULES, written, this.locationOf())
  }

  /** Returns the offset after the stream. */
  private readStream(keyword: number, limit: number): number {
    const { document } = this.walked
    const stream = streamOf(document, this.ref)
    const stated = document.peekNumber(entryOf(document, stream?.dict, 'Length'))
    const layout = measureStream(document.source.bytes, keyword, { stated, limit })
    const location = this.locationOf()
    this.walked.apply(STREAM_RULES, layout, location)
    if (stream) this.walked.apply(STREAM_DICTIONARY_RULES, { document, dict: stream.dict }, location)
    return layout.end
  }
}

/** The offsets of all objects outside object streams, in ascending order. */
function offsetsOf({ kinds, locations, size }: XrefTable): Float64Array {
  const offsets = new Float64Array(size)
  let count = 0
  let isSorted = true
  for (let number = 1; number < size; number++) {
    if (kinds[number] !== AT_OFFSET) continue
    const location = locations[number] ?? 0
    if (count > 0 && location < (offsets[count - 1] ?? 0)) isSorted = false
    offsets[count++] = location
  }
  const listed = offsets.subarray(0, count)
  return isSorted ? listed : listed.sort()
}
