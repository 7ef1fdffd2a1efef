import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import JSZip from 'jszip'
import { outputTooLarge } from '../errors'
import { freeName } from '../file-name'
import { saveTruthfully } from '../standards/archival/save-truthfully'
import type { EngineLimits, Warning } from '../types'
import type { ToolOutput, ToolPart } from './define'

/** Date of all ZIP entries: the earliest date of the format, so that the same input gives the same bytes. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1))

const ADVICE = 'Each file in the ZIP has a copy of all that it shows. Request fewer files or fewer pages.'

type List = Extract<ToolOutput, { kind: 'zip' }>

/** What saving an output needs. Warnings of the saved documents are added. */
export interface Making {
  warnings: Set<Warning>
  limits: EngineLimits
}

/**
 * Writes several results into one ZIP, with a manifest if the tool asks for one. Adds the warnings of the documents.
 * Throws EngineError `output-too-large` if the files have more than `maxOutputBytes` together.
 */
export async function writeZip(output: List, making: Making): Promise<Uint8Array[]> {
  const archive = new ZipArchive(making.limits.maxOutputBytes)
  const facts: unknown[] = []
  for await (const { file, chunks, part } of listFiles(output, making)) {
    const bytes = archive.add(file, chunks)
    if (part) facts.push({ file, pages: part.pages, title: part.title ?? null, bytes, sha256: hashChunks(chunks) })
  }
  if (output.manifest) archive.add('manifest.json', [Buffer.from(`${JSON.stringify(facts, null, 2)}\n`)])
  return archive.collect()
}

interface ListedFile {
  /** The name of the entry with its extension. */
  file: string
  chunks: readonly Uint8Array[]
  part?: ToolPart
}

/** The files of a list, created one after another. Adds the warnings of the documents. */
export async function* listFiles({ parts, others = [] }: List, { warnings }: Making): AsyncGenerator<ListedFile> {
  const usedNames = new Map<string, number>()
  for (const part of parts) {
    const { chunks } = 'chunks' in part ? part : saveTruthfully(part.document)
    if ('document' in part) for (const warning of part.document.warnings) warnings.add(warning)
    yield { file: `${freeName(part.name, usedNames)}.pdf`, chunks, part }
  }
  for await (const { file, bytes } of others) yield { file, chunks: [bytes] }
}

/** The SHA-256 of a file, in hexadecimal digits. */
export function hashChunks(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** A ZIP archive with uncompressed entries. PDFs are compressed internally, so compression barely saves space. */
export class ZipArchive {
  private readonly zip = new JSZip()
  private byteLength = 0

  constructor(private readonly maxBytes: number) {}

  /**
   * Adds a file and returns its size. Its bytes aren't copied and must not change. Throws EngineError `output-too-large`
   * if the files are larger than the limit together, so that no further files are made.
   */
  add(name: string, chunks: readonly Uint8Array[]): number {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    this.byteLength += size
    if (this.byteLength > this.maxBytes) throw outputTooLarge(this.maxBytes, ADVICE)
    // JSZip copies Buffers and cuts whole files into small pieces, but takes other bytes of a stream as they are.
    const bytes = chunks.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))
    this.zip.file(name, Readable.from(bytes), { date: NO_DATE, compression: 'STORE', createFolders: false })
    return size
  }

  /** Returns the archive in chunks, so that its entries aren't copied into one buffer. */
  collect(): Promise<Uint8Array[]> {
    return new Promise((resolve, reject) => {
      const pieces: Uint8Array[] = []
      this.zip
        .generateInternalStream({ type: 'uint8array', platform: 'UNIX' })
        .on('data', piece => pieces.push(piece))
        .on('error', reject)
        .on('end', () => resolve(pieces))
        .resume()
    })
  }
}
