import { PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import * as Name from '../syntax/names'
import { serialize } from '../syntax/serialize'
import { ChunkWriter } from '../writer/chunk-writer'
import { ObjectLocations, writeXrefStream, writeXrefTable } from '../writer/write-xref'

const isSevered = () => false

/** Returns whether an object is a cross-reference stream. */
export function isXrefStream(object: PDFObject): boolean {
  return object instanceof PDFRawStream && object.dict.get(Name.Type) === Name.XRef
}

/** Writes the objects of one file into another, each under its number. */
export class CopyWriter {
  readonly locations: ObjectLocations
  private readonly output: ChunkWriter

  /** `version` is the version in the header, such as `1.7`. */
  constructor(version: string, objectCount: number, expectedBytes: number) {
    this.locations = new ObjectLocations(objectCount)
    this.output = new ChunkWriter(expectedBytes)
    this.output.text(`%PDF-${version}\n`)
    // A comment of bytes above 127 tells other programs that the file isn't text (ISO 32000-2, 7.5.2).
    this.output.bytes(Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a))
  }

  object(number: number, generation: number, object: PDFObject): void {
    if (!(object instanceof PDFRawStream)) {
      this.text(number, generation, serialize(object, isSevered))
      return
    }
    const { output } = this
    object.dict.set(Name.Length, PDFNumber.of(object.contents.length))
    this.locations.setOffset(number, output.length, generation)
    output.text(`${number} ${generation} obj\n${serialize(object.dict, isSevered)}\nstream\n`)
    output.bytes(object.contents)
    output.text('\nendstream\nendobj\n')
  }

  /** Writes an object that is serialized already. */
  text(number: number, generation: number, body: string): void {
    this.locations.setOffset(number, this.output.length, generation)
    this.output.text(`${number} ${generation} obj\n${body}\nendobj\n`)
  }

  /**
   * Writes the cross-reference table, or a stream with this object number. Keeps the main entries of the trailer and
   * adds `entries`. Returns the chunks of the file.
   */
  finish(trailer: PDFDict, entries = '', streamNumber?: number): Uint8Array[] {
    const { output, locations } = this
    const kept = [Name.Root, Name.Info, Name.ID].flatMap(key => {
      const value = trailer.get(key)
      return value ? [`${key.toString()} ${serialize(value, isSevered)}`] : []
    })
    const start = output.length
    if (streamNumber === undefined) writeXrefTable(output, locations, kept.join('') + entries)
    else writeXrefStream(output, locations, streamNumber, { entries: kept.join('') + entries })
    output.text(`startxref\n${start}\n%%EOF\n`)
    return [...output.chunks()]
  }
}
