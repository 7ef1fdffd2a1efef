import type { PdfWriter } from '../../fixtures/pdf-writer'
import { makeTrap } from '../../fixtures/traps'
import { renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { IS_COMPLETE } from '../../support/scope'
import { findTraces } from '../../support/traces'

/** Bytes of a stream that readers skip, with a secret. */
export interface ByteTrap {
  name: string
  /** What a form XObject of 60 × 60 draws, and its resources. */
  draw(secret: string, pdf: PdfWriter): Drawing
  /** The same without the secret, for readers that can't read it with the secret. */
  drawPlain?(pdf: PdfWriter): Drawing
  /** Whether readers differ in what they draw, because an operand or an entry is wrong. */
  isBroken?: boolean
}

interface Drawing {
  content: string | Buffer
  resources?: string
}

/** Traps in one file. */
const BATCH = 16

/** One of this many batches is tried if tables don't run in full. */
const SAMPLE = 40

/** A word that no other trap of the file contains. */
const secretOf = (index: number): string =>
  `VEXHOL${String.fromCharCode(65 + (index % 26))}QUIM${String.fromCharCode(65 + ((index * 7) % 26))}`

/** Groups of traps that share a file. Only a sample unless tables run in full. */
export function batchesOf(traps: readonly ByteTrap[]): ByteTrap[][] {
  const batches = Array.from({ length: Math.ceil(traps.length / BATCH) }, (_, index) =>
    traps.slice(index * BATCH, (index + 1) * BATCH),
  )
  return IS_COMPLETE ? batches : batches.filter((_, index) => index % SAMPLE === 0)
}

/** How traps are redacted: by an area that none of them touches, or by a search for each secret. */
export type Way = 'area' | 'search'

/** Names of traps with a problem. */
interface BatchResult {
  /** The secret isn't in the original file. */
  unsound: string[]
  /** The secret is still there, although the response says that it is verified. */
  leaks: string[]
  /** PDFium draws neither what it drew before nor what it draws without the secret. */
  changed: string[]
  isVerified: boolean
}

/** Redacts a file with these traps. */
export async function tryBatch(traps: readonly ByteTrap[], way: Way): Promise<BatchResult> {
  const file = makeFile(
    traps.map(
      ({ draw }, index) =>
        pdf =>
          draw(secretOf(index), pdf),
    ),
  )
  const plain = makeFile(
    traps.map(
      ({ draw, drawPlain }, index) =>
        pdf =>
          drawPlain?.(pdf) ?? draw(secretOf(index), pdf),
    ),
  )
  const secrets = traps.map((_, index) => secretOf(index))
  const options =
    way === 'area'
      ? { areas: [{ page: 1, x: 1, y: 1, width: 8, height: 8 }], color: '#ffffff' }
      : { search: secrets.map(text => ({ text })) }
  const { bytes, headers } = await runOn('pdf-redaction', file, options)
  const isVerified = headers['X-Redaction-Verified'] === 'true'
  const nameAll = (isWanted: (index: number) => boolean): string[] =>
    traps.flatMap(({ name }, index) => (isWanted(index) ? [name] : []))
  const [before, after] = [findTraces(file, secrets), findTraces(bytes, secrets)]
  const [given, bare, result] = [await renderPage(file, 0), await renderPage(plain, 0), await renderPage(bytes, 0)]
  return {
    unsound: nameAll(index => !before.includes(secretOf(index))),
    leaks: nameAll(index => isVerified && after.includes(secretOf(index))),
    changed: nameAll(index => {
      if (traps[index]?.isBroken) return false
      const cell = cellOf(result.pixels, index)
      return !cell.equals(cellOf(given.pixels, index)) && !cell.equals(cellOf(bare.pixels, index))
    }),
    isVerified,
  }
}

const [PAGE, FIRST, STEP, CELL, COLUMNS] = [300, 20, 64, 60, 4]

/** The lower-left corner of a trap on the page. */
const placeOf = (index: number): { x: number; y: number } => ({
  x: FIRST + (index % COLUMNS) * STEP,
  y: FIRST + Math.floor(index / COLUMNS) * STEP,
})

/** The pixels of a trap. */
function cellOf(pixels: Buffer, index: number): Buffer {
  const { x, y } = placeOf(index)
  const top = PAGE - y - CELL
  return Buffer.concat(
    Array.from({ length: CELL }, (_, row) => {
      const start = ((top + row) * PAGE + x) * 4
      return pixels.subarray(start, start + CELL * 4)
    }),
  )
}

/** A page with one form for each drawing. */
function makeFile(drawings: readonly ((pdf: PdfWriter) => Drawing)[]): Buffer {
  const places = drawings.map((_, index) => {
    const { x, y } = placeOf(index)
    return `q 1 0 0 1 ${x} ${y} cm /X${index} Do Q`
  })
  const resources = (pdf: PdfWriter): string => {
    const forms = drawings.map((draw, index) => {
      const { content, resources: own = '' } = draw(pdf)
      const form = pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 ${CELL} ${CELL}]/Resources<<${own}>>`, content)
      return `/X${index} ${form} 0 R`
    })
    return `/XObject<<${forms.join('')}>>`
  }
  return makeTrap({ content: places.join('\n'), resources }).file
}
