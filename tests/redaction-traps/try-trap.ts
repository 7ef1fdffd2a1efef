import { EngineError } from '../../engines/errors'
import { isInViews, readByteViews } from '../support/redaction-judges/byte-views'
import type { ByteViews } from '../support/redaction-judges/byte-views'
import { findGlyphProblems, listOutlines } from '../support/redaction-judges/embedded-glyphs'
import { recognizeText } from '../support/redaction-judges/recognized-text'
import { lettersOf, readWithOthers, readWithPdfium, readWithPdfjs } from '../support/redaction-judges/text-readers'
import { isStillShown, isUniformUnderBoxes } from '../support/redaction-judges/under-boxes'
import { runOn } from '../support/run-on'
import { makeSecret } from './trap'
import type { Construction, RedactionTrap, Witness } from './trap'

/** The result of one trap. */
export interface Verdict {
  /** Whether the response says that the redaction is verified. */
  isVerified: boolean
  /** Whether a judge still found text that must be removed. */
  isLeak: boolean
  /** All problems, each as a line that begins with its kind: `unsound`, `leak`, `lost` or `unverified`. */
  problems: string[]
}

/** The text that the judges read in a file: letters and digits by reader, and all bytes. */
interface Reading {
  views: ByteViews
  readers: Record<string, string>
}

/**
 * Makes a trap, checks that the judges see its secret, redacts it, and runs the judges again. A trap is `unsound` if it
 * proves nothing, because a judge doesn't find the expected text in the original file. A refused request is
 * `unverified`, as is a response that doesn't claim to be verified. Otherwise than thoroughly, no other program reads the
 * result, and recognition doesn't read the original file.
 */
export async function tryTrap(
  construction: Construction,
  variant: number,
  { isThorough = true }: { isThorough?: boolean } = {},
): Promise<Verdict> {
  const trap = await construction.make(makeSecret(construction.name, variant), variant)
  const before = await read(trap.file)
  const unsound = await findUnsound(trap, before, isThorough)
  const { isVerified = false, leaks = [], lost = [], unverified = [] } = await redact(trap, before, isThorough)
  const kinds = Object.entries({ unsound, leak: leaks, lost, unverified })
  return {
    isVerified,
    isLeak: leaks.length > 0,
    problems: kinds.flatMap(([kind, found]) => found.map(line => `${kind}: ${line}`)),
  }
}

async function redact(
  trap: RedactionTrap,
  before: Reading,
  isThorough: boolean,
): Promise<{ isVerified?: boolean; leaks?: string[]; lost?: string[]; unverified?: string[] }> {
  try {
    const { bytes, headers } = await runOn('pdf-redaction', trap.file, trap.options)
    const after = await read(bytes, isThorough ? readWithOthers(bytes) : {})
    const isVerified = headers['X-Redaction-Verified'] === 'true'
    const leaks = isVerified || !trap.mayBeUnverified ? await findLeaks(bytes, after, trap) : []
    const unverified = isVerified || trap.mayBeUnverified ? [] : ['the response says that it is not verified']
    if (trap.seenBy.includes('recognition') && Number(headers['X-Redactions-Applied']) === 0)
      unverified.push('recognition finds nothing to redact')
    return { isVerified, leaks, lost: findLost(before, after, trap.stays), unverified }
  } catch (error) {
    if (error instanceof EngineError) return { unverified: [`refused: ${error.reason}: ${error.message}`] }
    throw error
  }
}

async function read(file: Uint8Array, others: Record<string, string> = {}): Promise<Reading> {
  const texts = { pdfium: await readWithPdfium(file), pdfjs: await readWithPdfjs(file), ...others }
  const readers = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, lettersOf(text)]))
  return { views: readByteViews(file), readers }
}

/** Judges that find a word in a file. */
function findWord({ views, readers }: Reading, word: string): string[] {
  const letters = lettersOf(word)
  const found = Object.entries(readers).flatMap(([name, text]) => (text.includes(letters) ? [name] : []))
  return isInViews(views, word) ? ['bytes', ...found] : found
}

async function findUnsound(trap: RedactionTrap, reading: Reading, isThorough: boolean): Promise<string[]> {
  const found = new Map(trap.gone.map(word => [word, findWord(reading, word)]))
  const isSeen: Record<Witness, () => boolean | Promise<boolean>> = {
    bytes: () => [...found.values()].some(judges => judges.includes('bytes')),
    pdfium: () => [...found.values()].some(judges => judges.includes('pdfium')),
    pdfjs: () => [...found.values()].some(judges => judges.includes('pdfjs')),
    pixels: async () => trap.pixels !== undefined && !(await isUniformUnderBoxes(trap.file, trap.pixels)),
    glyphs: () => findOutlines(trap.file, trap.outlines ?? []).length > 0,
    recognition: async () => !isThorough || (await recognizeWords(trap.file, trap.gone)).length > 0,
  }
  const problems: string[] = []
  for (const witness of trap.seenBy) if (!(await isSeen[witness]())) problems.push(`${witness} doesn't find the secret`)
  for (const [word, judges] of found) {
    if (judges.length === 0 && !trap.seenBy.includes('recognition')) problems.push(`no judge finds ${word}`)
  }
  const unseen = trap.stays.filter(word => readersOf(reading, word).length === 0)
  return [...problems, ...unseen.map(word => `no reader finds ${word}, which must stay`)]
}

async function findLeaks(file: Buffer, reading: Reading, trap: RedactionTrap): Promise<string[]> {
  const leaks = trap.gone.flatMap(word => {
    const judges = findWord(reading, word)
    return judges.length > 0 ? [`${word}: ${judges.join(', ')}`] : []
  })
  if (trap.pixels && (await isStillShown(trap.file, file, trap.pixels)))
    leaks.push('the image is still there under the box')
  const outlines = findOutlines(file, trap.outlines ?? [])
  if (outlines.length > 0)
    leaks.push(`fonts keep ${outlines.length} of ${trap.outlines?.length ?? 0} outlines that only the secret showed`)
  if (trap.outlines) leaks.push(...findGlyphProblems(file, { isDense: trap.isDense ?? false }))
  if (trap.seenBy.includes('recognition'))
    leaks.push(...(await recognizeWords(file, trap.gone)).map(word => `${word}: recognition`))
  return leaks
}

/** Readers that find a word that must stay, among the readers that must find it if they can. */
function readersOf({ readers }: Reading, word: string): string[] {
  return ['pdfium', 'pdfjs'].filter(name => readers[name]?.includes(lettersOf(word)))
}

/** Words that a reader found in the original file and doesn't find afterwards. */
function findLost(before: Reading, after: Reading, words: readonly string[]): string[] {
  return words.flatMap(word => {
    const blind = readersOf(before, word).filter(name => !readersOf(after, word).includes(name))
    return blind.length > 0 ? [`${word} isn't found by ${blind.join(' and ')}`] : []
  })
}

function findOutlines(file: Buffer, outlines: readonly string[]): string[] {
  if (outlines.length === 0) return []
  const held = new Set(listOutlines(file))
  return outlines.filter(outline => held.has(outline))
}

/** The words that recognition reads on the rendered pages, as far as a person could complete them. */
async function recognizeWords(file: Uint8Array, words: readonly string[]): Promise<string[]> {
  const text = lettersOf(await recognizeText(file))
  return words.filter(word => isNearlyIn(text, lettersOf(word)))
}

/** Whether half of a word's pieces of four letters are in a text. */
function isNearlyIn(text: string, word: string): boolean {
  const pieces = Array.from({ length: Math.max(1, word.length - 3) }, (_, at) => word.slice(at, at + 4))
  return pieces.filter(piece => text.includes(piece)).length >= pieces.length / 2
}
