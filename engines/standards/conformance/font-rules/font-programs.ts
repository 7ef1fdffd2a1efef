import { PDFName } from 'pdf-lib'
import type { PDFDict, PDFRawStream } from 'pdf-lib'
import { openCff, openType1 } from '../../../pdf/fonts'
import type { CffProgram, Type1Program } from '../../../pdf/fonts'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { streamOf } from '../examination/model'
import { openSfnt } from './sfnt-program'
import type { SfntProgram } from './sfnt-program'
import * as Name from '../../../pdf/names'
import { findOrAdd } from '../../../map-entries'

/** An embedded font program that was opened. */
export type OpenedProgram =
  | { format: 'true-type'; program: SfntProgram }
  | { format: 'cff'; program: CffProgram }
  | { format: 'type1'; program: Type1Program }

/**
 * The font program of a font, or why there isn't one: the font has none of the kind that its /Subtype allows, the
 * program is damaged, or it may be in order but can't be read here.
 */
export type EmbeddedProgram = OpenedProgram | { format: 'missing' | 'damaged' | 'unreadable' }

type Format = OpenedProgram['format']

const TYPE1_STARTS = ['%!', '\x80\x01']
const CFF_VERSION = 1
const FEWEST_BYTES = 4

/** Opens the font programs of a document, each once. */
export class FontPrograms {
  private readonly opened = new Map<PDFRawStream, Map<Format, EmbeddedProgram>>()

  constructor(private readonly document: PdfDocument) {}

  /** The program of a simple font or a CIDFont with this /Subtype. */
  find(subtype: string | undefined, descriptor: PDFDict | undefined): EmbeddedProgram {
    const found = this.locate(subtype, descriptor)
    if (!found) return { format: 'missing' }
    const { stream, format } = found
    const known = findOrAdd(this.opened, stream, () => new Map())
    return findOrAdd(known, format, () => this.open(stream, format))
  }

  /** Which entry has the program, and what format it must have (ISO 32000-2, table 124). */
  private locate(
    subtype: string | undefined,
    descriptor: PDFDict | undefined,
  ): { stream: PDFRawStream; format: Format } | undefined {
    const [file, file2, file3] = ['FontFile', 'FontFile2', 'FontFile3'].map(key =>
      streamOf(this.document, descriptor?.get(PDFName.of(key))),
    )
    const kind = this.document.peekName(file3?.dict.get(Name.Subtype))
    const isTrueType = subtype === 'TrueType' || subtype === 'CIDFontType2'
    const isCid = subtype?.startsWith('CIDFont') ?? false
    if (isTrueType && file2) return { stream: file2, format: 'true-type' }
    if (!isTrueType && !isCid && file) return { stream: file, format: 'type1' }
    if (!file3) return undefined
    if (subtype === 'TrueType') return { stream: file3, format: 'true-type' }
    if (kind === 'OpenType') return { stream: file3, format: isTrueType ? 'true-type' : 'cff' }
    return kind === (isCid ? 'CIDFontType0C' : 'Type1C') ? { stream: file3, format: 'cff' } : undefined
  }

  private open(stream: PDFRawStream, format: Format): EmbeddedProgram {
    const bytes = decodeUpToLimit(this.document, stream)
    if (!bytes || bytes.length < FEWEST_BYTES) return { format: 'damaged' }
    if (format === 'true-type') {
      const program = openSfnt(bytes)
      return program ? { format, program } : { format: 'damaged' }
    }
    if (format === 'type1') {
      const program = openType1(bytes)
      if (program) return { format, program }
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').trimStart()
      return {
        format: TYPE1_STARTS.some(start => text.startsWith(start)) && text.includes('eexec') ? 'unreadable' : 'damaged',
      }
    }
    const program = openCff(bytes)
    if (program) return { format, program }
    return { format: bytes[0] === CFF_VERSION || bytes[0] === 0x4f ? 'unreadable' : 'damaged' }
  }
}
