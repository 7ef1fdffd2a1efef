import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { isEngineError } from '../../../errors'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { readXmpPacket } from '../../../pdf/metadata'
import { openDocument } from '../../../pdf/open'
import type { Examination } from '../examination/examination'
import { plainDict } from '../examination/model'
import type { ProfileId } from '../examination/profiles'
import type { Location, Report } from '../examination/report'
import { UNDECIDED } from '../examination/rules'
import type { Finding, Rule } from '../examination/rules'
import * as Name from '../../../pdf/names'

/** Validates an embedded PDF. It is a parameter, because the validator needs this module. */
export type ValidateEmbedded = (document: PdfDocument, bytes: Uint8Array, profile: ProfileId) => Report

/** An embedded file. */
export interface EmbeddedFile {
  subtype: string | undefined
  /** Validates the file against PDF/A-1 or PDF/A-2. */
  validate(): Finding
}

/** Rules for embedded file streams (ISO 32000-1, 7.11.4). */
export const EMBEDDED_FILE_RULES: readonly Rule<EmbeddedFile>[] = [
  {
    in: { 'pdfa-2': '6.8-5' },
    message: 'Embedded files must conform to PDF/A-1 or PDF/A-2.',
    check: file => file.validate(),
  },
  {
    in: { 'pdfa-3': '6.8-1' },
    message: 'Embedded files must have a MIME type, such as /Subtype /text#2Fxml.',
    check: ({ subtype }) => {
      if (subtype === undefined) return 'no /Subtype'
      return /^[-\w+.]+\/[-\w+.]+$/.test(subtype) ? undefined : JSON.stringify(subtype.slice(0, 40))
    },
  },
]

/** Maximum number of embedded files that are validated, and of their bytes. */
const MOST_FILES = 20
const MOST_BYTES = 50_000_000

/** The profile for each part of PDF/A that an embedded file may claim. */
const PROFILES: Partial<Record<string, ProfileId>> = { 1: 'pdfa-1b', 2: 'pdfa-2b' }

/** Checks embedded files. */
export class EmbeddedFiles {
  private readonly checked = new Set<PDFRawStream>()
  private fileCount = 0
  private byteCount = 0

  /** Without a validator, embedded files that must conform to PDF/A are left undecided. */
  constructor(
    private readonly examination: Examination,
    private readonly validateEmbedded: ValidateEmbedded | undefined,
  ) {}

  /** Checks the files of a file specification, each of them once. */
  check(specification: PDFDict, location: Location): void {
    const { document } = this.examination
    const files = plainDict(document, specification.get(Name.EF))
    for (const key of ['F', 'UF', 'DOS', 'Mac', 'Unix']) {
      const stream = document.peek(files?.get(PDFName.of(key)))
      if (!(stream instanceof PDFRawStream) || this.checked.has(stream)) continue
      this.checked.add(stream)
      const subtype = document.peekName(stream.dict.get(Name.Subtype))
      this.examination.apply(EMBEDDED_FILE_RULES, { subtype, validate: () => this.validate(stream) }, location)
    }
  }

  private validate(stream: PDFRawStream): Finding {
    const { document } = this.examination
    if (!this.validateEmbedded || this.fileCount++ >= MOST_FILES) return UNDECIDED
    const bytes = decodeUpToLimit(document, stream)
    this.byteCount += bytes?.length ?? 0
    if (!bytes || this.byteCount > MOST_BYTES) return UNDECIDED
    try {
      const embedded = openDocument(bytes, document.limits)
      const part = readXmpPacket(embedded)?.pdfaPart
      const profile = PROFILES[part ?? '']
      if (!profile) return part === undefined ? 'no claim of PDF/A' : `PDF/A-${part.slice(0, 10)}`
      const { conforms, failures } = this.validateEmbedded(embedded, bytes, profile)
      if (conforms === null) return UNDECIDED
      return conforms ? undefined : `breaks ${failures[0]?.clause} of PDF/A-${part}`
    } catch (error) {
      if (!isEngineError(error)) throw error
      return error.reason === 'too_large' ? UNDECIDED : error.reason === 'encrypted' ? 'encrypted' : 'not a PDF'
    }
  }
}
