import { PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { EngineError } from '../../../errors'
import type { ContentFilter, Element, PixelCut, Verdict } from '../../../pdf/rewrite-content'
import { rewriteContent } from '../../../pdf/rewrite-content'
import { decodeUpToLimit, deflatedStream } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { cleanContent } from './clean-content'
import type { ShownText } from './clean-content'
import { RemovedTerms } from './removed-terms'
import { findHiddenMatches } from './hidden-matches'
import { findResidue } from './residue'
import type { Residue } from './residue'
import type { Rule } from '../search-rules/rule'
import { composeText } from '../matching/search-text'
import { findUndrawnForms } from './undrawn-forms'
import type { Unchecked } from '../unchecked-reasons'

/**
 * Searches the bytes of all objects and streams for the terms that rules without `pages` removed, and removes the
 * remaining occurrences. They may be in comments and invisible text of content streams, in scripts, in private data of
 * programs, and in codes that map to whole words. Attached files and fonts are not searched. Returns what could not be
 * searched. Throws EngineError `not_verified` if an occurrence can't be removed.
 */
export async function clearResidue(document: PdfDocument, rules: readonly Rule[]): Promise<Unchecked[]> {
  const general = rules.filter(rule => rule.isForAll)
  if (general.length === 0) return []
  const unchecked = findHiddenMatches(document, general)
  const terms = new RemovedTerms(general)
  for (const { ref, rules: found } of await findUndrawnForms(document, text => findRules(text, general, terms))) {
    for (const rule of found) rule.count('')
    removeText(document, ref, terms)
  }
  const words = new RemovedTerms(general)
  if (words.isEmpty) return unchecked
  for (const shown of ['all', 'seen', 'other'] as const) {
    const residues = findResidue(document, words)
    if (residues.length === 0) return unchecked
    if (shown === 'all')
      for (const { rules: found, stream } of residues)
        for (const rule of found.size > 0 ? found : words.rulesIn(stream.contents)) rule.count('')
    if (shown === 'seen') await removeShown(document, words)
    else for (const residue of residues) clear(document, residue, { words, shown })
  }
  const [remaining] = findResidue(document, words).filter(
    ({ kind, rules: found }) => found.size > 0 || kind !== 'image',
  )
  if (remaining) throw leftOver(remaining)
  return unchecked
}

/** Returns the rules that match a text. Regular expressions and presets remember the matched text. */
function findRules(text: string, rules: readonly Rule[], words: RemovedTerms): Set<Rule> {
  const found = words.rulesInText(text)
  const patternRules = rules.filter(rule => !rule.isText)
  const searched = patternRules.length > 0 ? composeText(Array.from(text)) : undefined
  for (const rule of patternRules) {
    for (const { start, end } of searched ? rule.find(searched) : []) {
      found.add(rule)
      rule.remember(searched?.text.slice(start, end) ?? '')
    }
  }
  return found
}

function leftOver({ kind }: Residue): EngineError {
  return new EngineError(
    'not_verified',
    `The PDF could not be redacted: a term that options.search matches is still in ${NAMES[kind]}. Set ` +
      'options.rasterize to "all" to turn every page into an image.',
  )
}

/**
 * Checks that the decoded bytes of an output contain no removed term. Returns an entry if a stream could not be
 * decoded. Throws EngineError `not_verified` if a term is found.
 */
export async function assertNoResidue(output: PdfDocument, rules: readonly Rule[]): Promise<Unchecked[]> {
  const words = new RemovedTerms(rules)
  if (words.isEmpty) return []
  const unread: PDFRef[] = []
  const [remaining] = findResidue(output, words, unread).filter(
    ({ kind, rules: found }) => found.size > 0 || kind !== 'image',
  )
  if (remaining) throw leftOver(remaining)
  return unread.length > 0 ? [{ reason: 'stream' }] : []
}

const NAMES: Record<Residue['kind'], string> = {
  content: 'the content of a page',
  map: 'the character codes of a font',
  image: 'the data of an image',
  other: 'another stream or object',
}

function clear(
  document: PdfDocument,
  { ref, kind, stream, bytes, rules }: Residue,
  { words, shown }: { words: RemovedTerms; shown: ShownText },
): void {
  if (kind === 'image') return
  // The term is after the end of the encoded data, so encoding the data again removes it.
  if (rules.size === 0 && bytes) document.store.set(ref, deflatedStream(document, stream.dict, bytes))
  else if (kind === 'content' && bytes)
    document.store.set(ref, deflatedStream(document, stream.dict, cleanContent(document, bytes, { words, shown })))
  else if (kind === 'map' && bytes)
    document.store.set(ref, deflatedStream(document, stream.dict, cutFromCMap(bytes, words)))
  else document.store.set(ref, deflatedStream(document, stream.dict, new Uint8Array(0)))
}

/** Removes all text from a form XObject or a pattern cell. Its graphics stay. */
function removeText(document: PdfDocument, ref: PDFRef, words: RemovedTerms): void {
  const stream = document.peek(ref)
  const bytes = decodeUpToLimit(document, ref)
  if (!(stream instanceof PDFRawStream) || !bytes) return
  document.store.set(
    ref,
    deflatedStream(document, stream.dict, cleanContent(document, bytes, { words, shown: 'none' })),
  )
}

/** Maps codes that stand for a removed term to U+FFFD, and removes comments that contain one. */
function cutFromCMap(bytes: Uint8Array, words: RemovedTerms): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const isWord = (part: string): boolean => words.isInBytes(Buffer.from(part, 'latin1'))
  return Buffer.from(
    text.replace(/%[^\r\n]*|<[0-9a-fA-F\s]+>/g, part =>
      isWord(part.replace(/\s+/g, '')) ? (part.startsWith('<') ? '<FFFD>' : '') : part,
    ),
    'latin1',
  )
}

/** Removes text whose codes spell a removed term, whatever the Unicode mapping is, because people may see the term. */
async function removeShown(document: PdfDocument, words: RemovedTerms): Promise<void> {
  await rewriteContent(
    document,
    document.pages.map(page => ({ page, filter: new CodeFilter(words) })),
  )
}

class CodeFilter implements ContentFilter {
  readonly key = 'codes'
  readonly area = undefined
  readonly readsCodes = true

  constructor(private readonly words: RemovedTerms) {}

  decide({ kind, codes }: Element): Verdict {
    if (kind === 'form') return 'cut'
    return kind === 'run' && codes !== undefined && this.words.isIn(codes) ? 'remove' : 'keep'
  }

  /** Never called, because no image is cut. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}
