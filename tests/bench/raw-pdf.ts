import { deflateSync } from 'node:zlib'

/**
 * Objects of a PDF as text or streams, written without any PDF library, so that no engine is measured on its own
 * output.
 */
export class RawPdf {
  readonly #objects: Uint8Array[] = []
  readonly #streams = new Set<number>()

  get objectCount(): number {
    return this.#objects.length
  }

  /** Reserves a number for an object that is set later. */
  reserve(): number {
    return this.#objects.push(new Uint8Array())
  }

  set(id: number, body: string): number {
    this.#objects[id - 1] = Buffer.from(body, 'latin1')
    return id
  }

  add(body: string): number {
    return this.set(this.reserve(), body)
  }

  /** Adds a Flate stream. `dictionary` contains its other entries. */
  addStream(dictionary: string, data: Uint8Array, level = 6): number {
    const packed = deflateSync(data, { level })
    const id = this.reserve()
    const head = Buffer.from(`<<${dictionary}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`, 'latin1')
    this.#objects[id - 1] = Buffer.concat([head, packed, Buffer.from('\nendstream', 'latin1')])
    this.#streams.add(id)
    return id
  }

  /** The file with a cross-reference table. */
  writeTable(root: number): Buffer {
    const { pieces, offsets, end } = this.#place(
      this.#objects.map((_, index) => index + 1),
      '1.4',
    )
    const rows = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const size = this.#objects.length + 1
    pieces.push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${size}/Root ${root} 0 ` +
          `R>>\nstartxref\n${end}\n%%EOF\n`,
        'latin1',
      ),
    )
    return Buffer.concat(pieces)
  }

  /** The file with its plain objects in object streams and a cross-reference stream, as current programs write it. */
  writeCompressed(root: number): Buffer {
    const plain = this.#objects.map((_, index) => index + 1).filter(id => !this.#streams.has(id))
    const packedIn = new Map<number, [number, number]>()
    for (let from = 0; from < plain.length; from += OBJECTS_PER_STREAM) {
      const ids = plain.slice(from, from + OBJECTS_PER_STREAM)
      const stream = this.#addObjectStream(ids)
      ids.forEach((id, index) => packedIn.set(id, [stream, index]))
    }
    const loose = this.#objects.map((_, index) => index + 1).filter(id => !packedIn.has(id))
    const { pieces, offsets, end } = this.#place(loose, '1.5')
    const placeOf = new Map(loose.map((id, index) => [id, offsets[index] ?? 0]))
    const size = this.#objects.length + 2
    const table = Buffer.alloc(size * ENTRY_BYTES)
    for (let id = 1; id < size; id += 1) {
      const packed = packedIn.get(id)
      table.writeUInt8(packed === undefined ? 1 : 2, id * ENTRY_BYTES)
      table.writeUInt32BE(packed === undefined ? (placeOf.get(id) ?? end) : packed[0], id * ENTRY_BYTES + 1)
      table.writeUInt16BE(packed === undefined ? 0 : packed[1], id * ENTRY_BYTES + 5)
    }
    const data = deflateSync(table)
    const head =
      `${size - 1} 0 obj\n<</Type/XRef/Size ${size}/W[1 4 2]/Root ${root} 0 R/Filter/FlateDecode/Length ` +
      `${data.length}>>\nstream\n`
    pieces.push(
      Buffer.from(head, 'latin1'),
      data,
      Buffer.from(`\nendstream\nendobj\nstartxref\n${end}\n%%EOF\n`, 'latin1'),
    )
    return Buffer.concat(pieces)
  }

  #addObjectStream(ids: number[]): number {
    const bodies = ids.map(id => this.#objects[id - 1] ?? new Uint8Array())
    let offset = 0
    const pairs = bodies.map((body, index) => {
      const pair = `${ids[index]} ${offset}`
      offset += body.length + 1
      return pair
    })
    const index = Buffer.from(`${pairs.join(' ')}\n`, 'latin1')
    const spaced = bodies.flatMap(body => [body, Buffer.from('\n')])
    return this.addStream(`/Type/ObjStm/N ${ids.length}/First ${index.length}`, Buffer.concat([index, ...spaced]))
  }

  #place(ids: number[], version: string): { pieces: Uint8Array[]; offsets: number[]; end: number } {
    const pieces: Uint8Array[] = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')]
    let end = pieces[0]?.length ?? 0
    const offsets = ids.map(id => {
      const offset = end
      const around = [
        Buffer.from(`${id} 0 obj\n`, 'latin1'),
        this.#objects[id - 1] ?? new Uint8Array(),
        Buffer.from('\nendobj\n', 'latin1'),
      ]
      pieces.push(...around)
      end += around.reduce((sum, piece) => sum + piece.length, 0)
      return offset
    })
    return { pieces, offsets, end }
  }
}

const OBJECTS_PER_STREAM = 100
const ENTRY_BYTES = 7
