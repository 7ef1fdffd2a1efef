import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePdf } from '../../contract/documents'
import { BOMBS } from '../../fixtures/bombs'
import { DAMAGED, encrypted } from '../../fixtures/damaged'
import { HOSTILE, type Lure } from '../../fixtures/hostile'
import { SOUND } from '../../fixtures/make-fixtures'
import { makeSecret, TRAPS } from '../../fixtures/traps'
import { countPages } from '../../support/reader'

/** A file that the service must handle. */
export interface OddFile {
  name: string
  bytes: Buffer
  /** The acceptable results. If it is missing, the service may accept or refuse the file. */
  expects?: 'taken' | 'refused'
  /** The page count, if every reader agrees on it. */
  pages?: number
}

/** How to send a file to each of the six tools. */
export const SIX_TOOLS: readonly { toolId: string; options: unknown; isSecond?: boolean }[] = [
  { toolId: 'rotate-pdf', options: { angle: 90 } },
  { toolId: 'merge-pdf', options: {}, isSecond: true },
  { toolId: 'flatten-pdf', options: {} },
  { toolId: 'remove-metadata', options: {} },
  {
    toolId: 'add-watermark',
    options: { type: 'text', text: 'CHAOS', position: 'diagonal', opacity: 0.25, fontSize: 48 },
  },
  { toolId: 'pdf-redaction', options: { areas: [{ page: 1, x: 60, y: 140, width: 108, height: 20 }] } },
]

/** A small, valid file. */
export const SMALL_FILE = { name: 'small.pdf', bytes: makePdf() }

/** A valid first file for tools with several files. */
export const FIRST_FILE = { name: 'first.pdf', bytes: makePdf({ pages: 1 }) }

const DAMAGED_PAGES = 5
const MOST_CORPUS_BYTES = 300_000

/** All generated fixtures, with the acceptable results. */
export function listOddFiles(lure: Lure): (() => OddFile)[] {
  return [
    ...Object.entries(BOMBS).map(([name, make]) => () => ({ name, bytes: make().file })),
    ...Object.entries(HOSTILE).map(([name, make]) => (): OddFile => {
      const { file, pages } = make(lure)
      return { name, bytes: file, ...(pages === undefined ? {} : { pages, expects: 'taken' }) }
    }),
    ...Object.entries(DAMAGED).map(([name, make]) => (): OddFile => ({
      name,
      bytes: make(),
      expects: 'taken',
      ...(name.includes('page') ? {} : { pages: DAMAGED_PAGES }),
    })),
    ...Object.entries(encrypted()).map(([name, bytes]) => (): OddFile => ({
      name: `encryption ${name}`,
      bytes,
      expects: 'refused',
    })),
    ...Object.entries(TRAPS).map(([name, make]) => (): OddFile => ({
      name: `a secret in ${name}`,
      bytes: make(makeSecret()).file,
      expects: 'taken',
      pages: 1,
    })),
    ...Object.entries(SOUND).map(([name, make]) => (): OddFile => ({
      name: `a sound file, ${name}`,
      bytes: make(),
      expects: 'taken',
    })),
  ]
}

/**
 * The sources of mutants: the valid fixtures, and the smaller files of a folder. Throws an Error if the folder can't be
 * read.
 */
export function listOriginals(corpus: string | undefined): { name: string; read(): Buffer }[] {
  const own = Object.entries(SOUND).map(([name, make]) => {
    const bytes = make()
    return { name, read: () => bytes }
  })
  if (corpus === undefined) return own
  const paths = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter(path => path.toLowerCase().endsWith('.pdf'))
    .sort()
  const small = paths.filter(path => statSync(join(corpus, path)).size <= MOST_CORPUS_BYTES)
  return [...own, ...small.map(path => ({ name: path, read: () => readFileSync(join(corpus, path)) }))]
}

/** Checks files of the service with other software: PDFium, and qpdf if it is installed. */
export class FileJudge {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sheaf-judge-'))
  readonly hasQpdf = spawnSync('qpdf', ['--version']).status === 0
  #count = 0

  /** The number of pages, or the reason why the file is invalid. */
  async countPages(bytes: Buffer): Promise<number | string> {
    if (bytes.subarray(0, 5).toString('latin1') !== '%PDF-') return 'it does not begin with %PDF-'
    const pages = await countPages(bytes).catch((error: unknown) => String(error))
    if (typeof pages === 'string') return pages
    return pages === 0 ? 'PDFium finds no page' : pages
  }

  /** The result of qpdf for a file. A file that the service returns may not be worse than its input. */
  async check(bytes: Buffer): Promise<QpdfVerdict> {
    if (!this.hasQpdf) return { grade: 0, complaint: '' }
    this.#count += 1
    const path = join(this.#folder, `${this.#count}.pdf`)
    await writeFile(path, bytes)
    const verdict = await new Promise<QpdfVerdict>(resolve => {
      execFile('qpdf', ['--check', path], { timeout: QPDF_MS, maxBuffer: QPDF_BYTES }, (error, _out, complaint) => {
        const grade = error === null ? 0 : error.code === QPDF_WARNED ? 1 : 2
        resolve({
          grade,
          complaint: complaint
            .split('\n')
            .filter(line => /error|WARNING/i.test(line))
            .slice(0, 2)
            .join('; ')
            .replaceAll(path, ''),
        })
      })
    })
    rmSync(path)
    return verdict
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

interface QpdfVerdict {
  /** 0: no problems. 1: repaired problems. 2: damaged, or not read in time. */
  grade: 0 | 1 | 2
  complaint: string
}

const QPDF_WARNED = 3
const QPDF_MS = 30_000
const QPDF_BYTES = 64 * 2 ** 20
