import { inflateSync } from 'node:zlib'
import { PdfDict, PdfName, PdfRef, PdfText, type PdfValue, StrictParser } from './pdf-syntax'

interface StrictObject {
  value: PdfValue
  /** The raw bytes of a stream in the file. */
  data?: Buffer
  /** Where the object begins and ends in the file. Undefined for objects in object streams. */
  start?: number
  end?: number
}

/** Reads a PDF strictly. Throws if it has a problem, malformed data or a reference to nothing. */
export function readSound(bytes: Buffer): StrictPdf {
  const pdf = new StrictPdf(bytes)
  const found = pdf.problems.concat(pdf.malformed, pdf.dangling)
  if (found.length > 0) throw new Error(`The PDF isn't sound: ${found.join(', ')}`)
  return pdf
}

/**
 * A PDF read strictly by ISO 32000-2, without any tolerance and without engines/pdf. Every offset must point at its
 * object, every /Length must be exact, and every byte of the file must belong to the header, one object, the table or
 * the trailer.
 */
export class StrictPdf {
  /** Violations of the file's structure. Empty for a valid file of one revision. */
  readonly problems: string[] = []
  /** Objects with invalid syntax. engines/pdf copies a damaged file's objects unchanged. */
  readonly malformed: string[] = []
  /** References to missing objects, as `from → to`. */
  readonly dangling: string[] = []
  readonly objects = new Map<number, StrictObject>()
  trailer = new PdfDict()
  /** Pages in order, with the object number of each. */
  readonly pages: { number: number; dict: PdfDict }[] = []
  private readonly containers = new Set<number>()
  private tableStart = 0
  private tableEnd = 0

  constructor(readonly bytes: Buffer) {
    try {
      this.readTable(this.readEnd())
      this.readCompressed()
      this.checkTiling()
      this.checkReferences()
      this.checkPages()
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error))
    }
  }

  /** The target of a reference, or the value itself. */
  get(value: PdfValue | undefined): PdfValue {
    return value instanceof PdfRef ? (this.objects.get(value.number)?.value ?? null) : (value ?? null)
  }

  dict(value: PdfValue | undefined): PdfDict {
    const found = this.get(value)
    return found instanceof PdfDict ? found : new PdfDict()
  }

  array(value: PdfValue | undefined): PdfValue[] {
    const found = this.get(value)
    return Array.isArray(found) ? found : []
  }

  text(value: PdfValue | undefined): string | undefined {
    const found = this.get(value)
    return found instanceof PdfText ? found.bytes : found instanceof PdfName ? found.name : undefined
  }

  get catalog(): PdfDict {
    return this.dict(this.trailer.get('Root'))
  }

  /** All pairs of a name or number tree, in order. */
  tree(root: PdfValue | undefined, leaf: 'Names' | 'Nums'): [string | number, PdfValue][] {
    const node = this.dict(root)
    const items = this.array(node.get(leaf))
    const own = items.flatMap((item, index): [string | number, PdfValue][] => {
      const key = this.get(item)
      return index % 2 === 0 ? [[key instanceof PdfText ? key.bytes : Number(key), items[index + 1] ?? null]] : []
    })
    return [...own, ...this.array(node.get('Kids')).flatMap(kid => this.tree(kid, leaf))]
  }

  private readEnd(): number {
    const { bytes } = this
    if (!/^%PDF-(1\.[0-7]|2\.0)\n%[\x80-\xff]{4}\n/.test(bytes.toString('latin1', 0, 20)))
      throw new Error('no header, or no binary comment behind it')
    const end = /startxref\n(\d+)\n%%EOF\n$/.exec(bytes.toString('latin1', bytes.length - 60))
    if (!end) throw new Error('the file does not end with startxref, a number and %%EOF')
    this.tableEnd = bytes.length - end[0].length
    return Number(end[1])
  }

  private readTable(start: number): void {
    this.tableStart = start
    const parser = new StrictParser(this.bytes, start)
    const offsets = parser.isAt('xref\n') ? this.readPlainTable(parser) : this.readXrefStream(start)
    if (this.trailer.has('Prev') || this.trailer.has('XRefStm')) this.problems.push('more than one revision')
    if (!(this.trailer.get('Root') instanceof PdfRef)) this.problems.push('no /Root')
    const id = this.trailer.get('ID')
    if (!Array.isArray(id) || id.length !== 2 || !id.every(part => part instanceof PdfText && part.bytes.length > 0))
      this.problems.push('no /ID')
    for (const [number, { offset, generation }] of offsets) this.readObject(number, generation, offset)
  }

  private readPlainTable(parser: StrictParser): Map<number, { offset: number; generation: number }> {
    const offsets = new Map<number, { offset: number; generation: number }>()
    let largest = 0
    parser.expect('xref\n')
    while (!parser.isAt('trailer')) {
      const first = parser.integer()
      parser.expect(' ')
      const count = parser.integer()
      parser.expect('\n')
      for (let index = 0; index < count; index++) {
        const row = /^(\d{10}) (\d{5}) ([nf]) \n$/.exec(this.bytes.toString('latin1', parser.at, parser.at + 20))
        if (!row) throw new Error(`bad row in the table at ${parser.at}`)
        parser.at += 20
        if (offsets.has(first + index)) this.problems.push(`object ${first + index} twice in the table`)
        if (row[3] === 'n') offsets.set(first + index, { offset: Number(row[1]), generation: Number(row[2]) })
        largest = Math.max(largest, first + index)
      }
    }
    parser.expect('trailer\n')
    const trailer = parser.value()
    parser.expect('\n')
    if (parser.at !== this.tableEnd) this.problems.push('bytes between trailer and startxref')
    if (trailer instanceof PdfDict) this.trailer = trailer
    if (this.trailer.get('Size') !== largest + 1) this.problems.push(`/Size is not ${largest + 1}`)
    return offsets
  }

  private readonly inStreams = new Map<number, { stream: number; index: number }>()

  private readXrefStream(start: number): Map<number, { offset: number; generation: number }> {
    const number = new StrictParser(this.bytes, start).integer()
    this.readObject(number, 0, start)
    const object = this.objects.get(number)
    if (!(object?.value instanceof PdfDict)) throw new Error('no cross-reference stream where startxref points')
    this.trailer = object.value
    this.containers.add(number)
    const numbers = (key: string): number[] => this.array(this.trailer.get(key)).map(Number)
    const widths = numbers('W')
    const data = this.decode(object)
    const rowBytes = widths.reduce((sum, width) => sum + width, 0)
    const index = this.trailer.has('Index') ? numbers('Index') : [0, Number(this.trailer.get('Size'))]
    const offsets = new Map<number, { offset: number; generation: number }>()
    let at = 0
    for (let pair = 0; pair < index.length; pair += 2) {
      for (let row = 0; row < (index[pair + 1] ?? 0); row++, at += rowBytes) {
        const fields: number[] = []
        for (let from = at, column = 0; column < 3; from += widths[column++] ?? 0)
          fields.push(widths[column] ? data.readUIntBE(from, widths[column] ?? 0) : 0)
        const [kind = 1, place = 0, detail = 0] = fields
        const one = (index[pair] ?? 0) + row
        if (one >= Number(this.trailer.get('Size'))) this.problems.push(`object ${one} is not below /Size`)
        if (offsets.has(one) || this.inStreams.has(one))
          this.problems.push(`object ${one} twice in the cross-reference stream`)
        if (kind === 1) offsets.set(one, { offset: place, generation: detail })
        else if (kind === 2) this.inStreams.set(one, { stream: place, index: detail })
        else if (kind !== 0) this.problems.push(`entry of kind ${kind}`)
      }
    }
    if (at !== data.length) this.problems.push('the cross-reference stream is longer than its rows')
    if (offsets.get(number)?.offset !== start) this.problems.push('the cross-reference stream does not list itself')
    offsets.delete(number)
    return offsets
  }

  private readObject(number: number, generation: number, offset: number): void {
    const parser = new StrictParser(this.bytes, offset)
    const head = /^(\d+)[\s\0]+(\d+)[\s\0]+obj/.exec(this.bytes.toString('latin1', offset, offset + 60))
    if (!head || Number(head[1]) !== number || Number(head[2]) !== generation) {
      this.problems.push(`no ${number} ${generation} obj at ${offset}`)
      return
    }
    parser.at += head[0].length
    const object: StrictObject = { value: null, start: offset }
    this.objects.set(number, object)
    try {
      object.value = parser.value()
      parser.skip()
      if (parser.isAt('stream')) this.readStream(object, parser)
      parser.skip()
      parser.expect('endobj')
      object.end = parser.at
    } catch (error) {
      this.malformed.push(`object ${number}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  private readStream(object: StrictObject, parser: StrictParser): void {
    if (!(object.value instanceof PdfDict)) throw new SyntaxError('a stream without dictionary')
    parser.expect('stream')
    if (parser.isAt('\r\n')) parser.at += 2
    else parser.expect('\n')
    const length = this.lengthOf(object.value.get('Length'))
    const end = parser.at + length
    const closing = /^(\r\n|\n|\r)?endstream/.exec(this.bytes.toString('latin1', end, end + 11))
    if (!closing) throw new SyntaxError(`/Length ${length} is wrong`)
    object.data = this.bytes.subarray(parser.at, end)
    parser.at = end + closing[0].length
  }

  /**
   * Finds an indirect /Length by its text, because its object may be anywhere in the file and the table may not be read
   * yet.
   */
  private lengthOf(value: PdfValue | undefined): number {
    if (typeof value === 'number') return value
    if (!(value instanceof PdfRef)) throw new SyntaxError('no /Length')
    const found = new RegExp(`(?:^|[\\r\\n])${value.number} ${value.generation} obj\\s+(\\d+)\\s+endobj`).exec(
      this.bytes.toString('latin1'),
    )
    if (!found) throw new SyntaxError('an indirect /Length that leads nowhere')
    return Number(found[1])
  }

  private readCompressed(): void {
    const streams = new Map<number, { numbers: number[]; parsers: StrictParser[] }>()
    for (const [number, { stream, index }] of this.inStreams) {
      if (!streams.has(stream)) streams.set(stream, this.openObjectStream(stream))
      const opened = streams.get(stream)
      const parser = opened?.parsers[index]
      if (!parser || opened?.numbers[index] !== number)
        this.problems.push(`object ${number} is not at ${index} in stream ${stream}`)
      else {
        const object: StrictObject = { value: null }
        this.objects.set(number, object)
        try {
          object.value = parser.value()
        } catch (error) {
          this.malformed.push(`object ${number}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
    }
  }

  private openObjectStream(number: number): { numbers: number[]; parsers: StrictParser[] } {
    this.containers.add(number)
    const object = this.objects.get(number)
    const dict = this.dict(new PdfRef(number, 0))
    if (!object?.data || this.text(dict.get('Type')) !== 'ObjStm') throw new Error(`${number} is no object stream`)
    const data = this.decode(object)
    const first = Number(dict.get('First'))
    const head = data.toString('latin1', 0, first).trim().split(/\s+/).map(Number)
    if (head.length !== 2 * Number(dict.get('N')))
      this.problems.push(`the head of object stream ${number} has ${head.length} numbers`)
    const numbers = head.filter((_, index) => index % 2 === 0)
    for (const one of numbers)
      if (this.inStreams.get(one)?.stream !== number)
        this.problems.push(`object stream ${number} holds ${one}, which is not listed there`)
    return {
      numbers,
      parsers: head.filter((_, index) => index % 2 === 1).map(offset => new StrictParser(data, first + offset)),
    }
  }

  /** The bytes of a Flate stream, with decoded PNG predictors. */
  private decode(object: StrictObject): Buffer {
    const dict = object.value instanceof PdfDict ? object.value : new PdfDict()
    const data =
      this.text(dict.get('Filter')) === 'FlateDecode'
        ? inflateSync(object.data ?? Buffer.alloc(0))
        : (object.data ?? Buffer.alloc(0))
    const parameters = this.dict(dict.get('DecodeParms'))
    if (!(Number(parameters.get('Predictor')) >= 10)) return data
    const columns = Number(parameters.get('Columns'))
    const rows = data.length / (columns + 1)
    const output = Buffer.alloc(rows * columns)
    for (let row = 0; row < rows; row++) {
      const kind = data[row * (columns + 1)]
      for (let column = 0; column < columns; column++) {
        const above = row > 0 ? (output[(row - 1) * columns + column] ?? 0) : 0
        output[row * columns + column] = (data[row * (columns + 1) + 1 + column] ?? 0) + (kind === 2 ? above : 0)
        if (kind !== 0 && kind !== 2) throw new Error(`predictor ${kind}`)
      }
    }
    return output
  }

  /**
   * Checks that there are no bytes outside objects, header and trailer, so that no replaced or removed data remains in
   * the file.
   */
  private checkTiling(): void {
    let at = this.bytes.indexOf('\n', this.bytes.indexOf('\n') + 1) + 1
    const placed = [...this.objects]
      .filter(([, object]) => object.start !== undefined)
      .sort(([, a], [, b]) => (a.start ?? 0) - (b.start ?? 0))
    for (const [number, { start = 0, end }] of placed) {
      if (start !== at) this.problems.push(`bytes ${at} to ${start} in front of object ${number} belong to nothing`)
      if (end === undefined) return // These bytes already count as malformed.
      at = this.bytes[end] === 10 ? end + 1 : end
    }
    const isStream = [...this.containers].some(number => this.objects.get(number)?.start === this.tableStart)
    if (at !== (isStream ? this.tableEnd : this.tableStart))
      this.problems.push(`bytes ${at} to ${this.tableStart} behind the last object belong to nothing`)
  }

  private checkReferences(): void {
    const reached = new Set<number>()
    const stack: { from: string; value: PdfValue }[] = [{ from: 'trailer', value: this.trailer }]
    while (stack.length) {
      const { from, value } = stack.pop() ?? { from: '', value: null }
      if (value instanceof PdfRef) {
        if (reached.has(value.number)) continue
        reached.add(value.number)
        const target = this.objects.get(value.number)
        if (target) stack.push({ from: String(value.number), value: target.value })
        else this.dangling.push(`${from} → ${value.number}`)
      } else if (Array.isArray(value)) for (const item of value) stack.push({ from, value: item })
      else if (value instanceof PdfDict) for (const item of value.values()) stack.push({ from, value: item })
    }
    for (const number of this.objects.keys()) {
      if (!reached.has(number) && !this.containers.has(number) && this.malformed.length === 0)
        this.problems.push(`object ${number} can't be reached`)
    }
  }

  private checkPages(): void {
    const seen = new Set<number>()
    const count = (value: PdfValue, parent: number | undefined): number => {
      if (!(value instanceof PdfRef)) {
        this.problems.push('a kid of the page tree is no reference')
        return 0
      }
      if (seen.has(value.number)) this.problems.push(`${value.number} is twice in the page tree`)
      if (seen.has(value.number) || seen.size > 100_000) return 0
      seen.add(value.number)
      const dict = this.dict(value)
      const type = this.text(dict.get('Type'))
      const above = dict.get('Parent')
      if (parent !== undefined && (!(above instanceof PdfRef) || above.number !== parent))
        this.problems.push(`/Parent of ${value.number} is not ${parent}`)
      if (type === 'Page') {
        this.pages.push({ number: value.number, dict })
        return 1
      }
      if (type !== 'Pages') this.problems.push(`${value.number} in the page tree is a ${String(type)}`)
      const kids = this.array(dict.get('Kids')).reduce((sum: number, kid) => sum + count(kid, value.number), 0)
      if (this.get(dict.get('Count')) !== kids) this.problems.push(`/Count of ${value.number} is not ${kids}`)
      return kids
    }
    if (this.text(this.catalog.get('Type')) !== 'Catalog') this.problems.push('the catalog is no /Catalog')
    if (count(this.catalog.get('Pages') ?? null, undefined) === 0) this.problems.push('no pages')
  }
}
