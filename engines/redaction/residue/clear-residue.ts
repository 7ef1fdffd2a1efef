import { PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { ContentFilter, Element, PixelCut, Verdict } from '../../content/content-filter'
import { rewriteContent } from '../../content/rewrite-content'
import { decodeUpToLimit } from '../../pdf-core/document/decode-content'
import { deflatedStream } from '../../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../../pdf-core/document/document'
import { stripImages } from '../../pdf-core/metadata/hidden-data'
import { cleanContent } from './clean-content'
import type { ShownText } from './clean-content'
import { RemovedTerms } from './removed-terms'
import { findHiddenMatches } from './hidden-matches'
import { findResidue } from './residue'
import type { Residue } from './residue'
import type { Rule } from '../search/search'
import { composeText } from '../text/search-text'
import { findUndrawnForms } from './undrawn-forms'
import type { Unchecked } from '../unchecked'

/**
 * Looks for what rules for all of the document found in the bytes of everything that the document is made of, and takes
 * it out where it still is: comments and unseen texts of content, scripts' and programs' own data, codes that say more
 * than their glyphs. Attached files and fonts are not looked into. Throws EngineError `unreadable` when something is
 * left even then.
 */
export async function clearResidue(document: PdfDocument, rules: readonly Rule[]): Promise<void> {
  const general = rules.filter(rule => rule.isForAll)
  if (general.length === 0) return
  findHiddenMatches(document, general)
  const known = new RemovedTerms(general)
  for (const { ref, rules: found } of await findUndrawnForms(document, text => findRules(text, general, known))) {
    for (const rule of found) rule.count('')
    silence(document, ref, known)
  }
  const words = new RemovedTerms(general)
  if (words.isEmpty) return
  for (const shown of ['all', 'seen', 'other'] as const) {
    const left = findResidue(document, words)
    if (left.length === 0) return
    if (shown === 'all')
      for (const { rules: found, stream } of left)
        for (const rule of found.size > 0 ? found : words.rulesIn(stream.contents)) rule.count('')
    if (shown === 'seen') await removeShown(document, words)
    else for (const residue of left) clear(document, residue, { words, shown })
    if (left.some(({ kind }) => kind === 'image')) stripImages(document)
  }
  const [left] = findResidue(document, words).filter(({ kind, rules: found }) => found.size > 0 || kind !== 'image')
  if (left) throw leftOver(left)
}

/** The rules that match a text; expressions and presets remember what. */
function findRules(text: string, rules: readonly Rule[], words: RemovedTerms): Set<Rule> {
  const found = words.rulesInText(text)
  const others = rules.filter(rule => !rule.isText)
  const searched = others.length > 0 ? composeText(Array.from(text)) : undefined
  for (const rule of others) {
    for (const { start, end } of searched ? rule.find(searched) : []) {
      found.add(rule)
      rule.remember(searched?.text.slice(start, end) ?? '')
    }
  }
  return found
}

function leftOver({ kind }: Residue): EngineError {
  return new EngineError(
    'unreadable',
    `The PDF could not be redacted: a term that options.search matches is still in ${NAMES[kind]}. Set ` +
      'options.rasterize to "all" to turn every page into an image.',
  )
}

/**
 * Makes sure that no removed term stands in the decoded bytes of an output, and tells which streams could not be
 * decoded. Throws EngineError `unreadable` if one does.
 */
export async function assertNoResidue(output: PdfDocument, rules: readonly Rule[]): Promise<Unchecked[]> {
  const words = new RemovedTerms(rules)
  if (words.isEmpty) return []
  const unread: PDFRef[] = []
  const [left] = findResidue(output, words, unread).filter(
    ({ kind, rules: found }) => found.size > 0 || kind !== 'image',
  )
  if (left) throw leftOver(left)
  return unread.length > 0 ? [{ reason: 'stream' }] : []
}

const NAMES: Record<Residue['kind'], string> = {
  content: 'what a page draws',
  map: 'the codes of a font',
  image: 'the data of a picture',
  other: 'data of its own',
}

function clear(
  document: PdfDocument,
  { ref, kind, stream, bytes, rules }: Residue,
  { words, shown }: { words: RemovedTerms; shown: ShownText },
): void {
  if (kind === 'image') return
  // Behind the end of its data.
  if (rules.size === 0 && bytes) document.store.set(ref, deflatedStream(document, stream.dict, bytes))
  else if (kind === 'content' && bytes)
    document.store.set(ref, deflatedStream(document, stream.dict, cleanContent(document, bytes, { words, shown })))
  else if (kind === 'map' && bytes) document.store.set(ref, deflatedStream(document, stream.dict, cutMap(bytes, words)))
  else document.store.set(ref, deflatedStream(document, stream.dict, new Uint8Array(0)))
}

/** Takes all text out of a form or a cell: what it draws besides stays. */
function silence(document: PdfDocument, ref: PDFRef, words: RemovedTerms): void {
  const stream = document.peek(ref)
  const bytes = decodeUpToLimit(document, ref)
  if (!(stream instanceof PDFRawStream) || !bytes) return
  document.store.set(
    ref,
    deflatedStream(document, stream.dict, cleanContent(document, bytes, { words, shown: 'none' })),
  )
}

/** A code that stands for a whole word stands for no character any more; comments go as well. */
function cutMap(bytes: Uint8Array, words: RemovedTerms): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const isWord = (part: string): boolean => words.isInBytes(Buffer.from(part, 'latin1'))
  return Buffer.from(
    text.replace(/%[^\r\n]*|<[0-9a-fA-F\s]+>/g, part =>
      isWord(part.replace(/\s+/g, '')) ? (part.startsWith('<') ? '<FFFD>' : '') : part,
    ),
    'latin1',
  )
}

/** Text that says a word by its codes, whatever the file says they mean: it may be what is seen. */
async function removeShown(document: PdfDocument, words: RemovedTerms): Promise<void> {
  await rewriteContent(
    document,
    document.pages.map(page => ({ page, decider: new CodeDecider(words) })),
  )
}

class CodeDecider implements ContentFilter {
  readonly key = 'codes'
  readonly area = undefined
  readonly readsCodes = true

  constructor(private readonly words: RemovedTerms) {}

  decide({ kind, codes }: Element): Verdict {
    if (kind === 'form') return 'cut'
    return kind === 'run' && codes !== undefined && this.words.isIn(codes) ? 'remove' : 'keep'
  }

  /** Never asked for: no image is cut. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}
