import { PDFRawStream } from 'pdf-lib'
import { annotationsOf } from '../../pdf/annotations'
import { contentsOf } from '../../pdf/document'
import type { Page, PdfDocument } from '../../pdf/document'
import type { Box } from '../../pdf/geometry'
import { measureFrame } from '../../pdf/geometry'
import { PageReader, joinWords } from '../../pdf/read-page'
import { assertFewAnnotations } from '../../pdf/render'
import { resolvePages } from '../../options/selectors'
import type { PageSelector } from '../../options/selectors'
import { alignPages } from './pairing/align-pages'
import type { AlignedPages } from './pairing/align-pages'
import type { ComparedFile, ComparedPage, Comparison, PagePair } from './model'
import { Fingerprints } from './pairing/page-fingerprint'
import { readPageWords } from './wording/page-words'
import { pairEqualPages } from './pairing/pair-pages'
import { findRepeatedLines } from './wording/repeated-lines'
import { addTextChanges } from './wording/text-changes'
import type { Counterparts } from './wording/text-changes'
import { copyVisible } from './pairing/visible-copy'
import { addVisualChanges, hasSameContent } from './looks/visual-changes'
import type { Sensitivity } from './looks/visual-changes'
import type { KeyRules } from './wording/word-keys'

/** A file to compare. */
export interface FileToCompare {
  /** Original file name without extension. */
  name: string
  document: PdfDocument
  /** The pages to compare. All if undefined. */
  pages: PageSelector | undefined
  /** Name of the option with the pages, for error messages. */
  param: string
}

/** What counts as a change. */
export interface ComparisonRules {
  ignore: readonly ('case' | 'punctuation' | 'whitespace' | 'headers-footers')[]
  annotations: boolean
  pixels: boolean
  sensitivity: Sensitivity
}

/**
 * Number of pages to read for recognizing headers and footers, including pages that differ. Otherwise, equal pages
 * needn't be read.
 */
const SAMPLE_PAGES = 12

/** Difference in points up to which two pages have the same size. */
const SAME_SIZE_PT = 0.5

/**
 * Compares two files. Doesn't change them. Also returns the words that both files have. Throws EngineError
 * `options_invalid` if a page to compare doesn't exist.
 */
export async function compareFiles(
  before: FileToCompare,
  after: FileToCompare,
  rules: ComparisonRules,
): Promise<{ comparison: Comparison; counterparts: Counterparts }> {
  const files = { before: await openFile(before, rules), after: await openFile(after, rules) }
  const equal = pairEqualPages(fingerprintsOf(files.before), fingerprintsOf(files.after), {
    canMove: position => files.before.pages[position]?.isEmpty === false,
  })
  const known = [...equal.inOrder, ...equal.moved]
  readWords(files.before, new Set(known.map(([position]) => position)), rules)
  readWords(files.after, new Set(known.map(([, position]) => position)), rules)
  const aligned = await alignPages(files, equal)
  const pairs = orderPairs(files, aligned)
  const counterparts = addTextChanges(pairs, aligned.flows, {
    ignoresWhitespace: rules.ignore.includes('whitespace'),
  })
  if (rules.pixels) await addVisualChanges(files, pairs, { sensitivity: rules.sensitivity, counterparts })
  for (const pair of pairs) judge(pair, counterparts)
  settleReflow(pairs)
  return { comparison: { ...files, pairs }, counterparts }
}

async function openFile(
  { name, document, pages, param }: FileToCompare,
  rules: ComparisonRules,
): Promise<ComparedFile> {
  const indexes = resolvePages(pages ?? 'all', document.pageCount, param)
  if (rules.annotations) for (const index of indexes) assertFewAnnotations(document, index, name)
  const visible = await copyVisible(document, rules.annotations)
  const fingerprints = new Fingerprints(visible, rules.annotations)
  return {
    name,
    document: visible,
    hasAnnotations: rules.annotations,
    pages: [...new Set(indexes)].map(index => {
      const page = visible.pages[index] as Page // the selector chose an existing page
      return {
        index,
        frame: measureFrame(visible, page),
        fingerprint: fingerprints.of(page),
        isEmpty: isEmpty(visible, page),
        words: [],
        edgeWords: new Set(),
        ignored: [],
        isReadable: true,
      }
    }),
  }
}

function isEmpty(document: PdfDocument, page: Page): boolean {
  if (annotationsOf(document, page).length) return false
  return contentsOf(document, page).every(content => {
    const stream = document.peek(content)
    return stream instanceof PDFRawStream && stream.contents.length === 0
  })
}

function fingerprintsOf({ pages }: ComparedFile): (string | undefined)[] {
  return pages.map(({ fingerprint }) => fingerprint)
}

/**
 * Reads the words of the pages that aren't known to be equal. To recognize headers and footers, also reads some of the
 * other pages, and then discards their words.
 */
function readWords({ document, pages }: ComparedFile, known: ReadonlySet<number>, { ignore }: ComparisonRules): void {
  const rules: KeyRules = { ignoresCase: ignore.includes('case'), ignoresPunctuation: ignore.includes('punctuation') }
  const open = [...pages.keys()].filter(position => !known.has(position))
  if (open.length === 0) return
  const sample = new Set(
    [...known]
      .sort((one, other) => nearest(open, one) - nearest(open, other) || one - other)
      .slice(0, Math.max(0, SAMPLE_PAGES - open.length)),
  )
  const read: ComparedPage[] = []
  const byIndex = new Map([...open, ...sample].map(position => [pages[position]?.index ?? -1, pages[position]]))
  const reader = new PageReader(document)
  for (const index of [...byIndex.keys()].sort((one, other) => one - other)) {
    const page = byIndex.get(index)
    const source = document.pages[index]
    const contents = source && reader.read(source)
    if (!page) continue
    page.isReadable = contents?.isWhole ?? false
    const { words, ignored } = readPageWords(contents ? joinWords(contents.list) : [], {
      frame: page.frame,
      page: index,
      rules,
    })
    page.words = words
    page.ignored = ignored
    read.push(page)
    if (contents) reader.release(contents)
  }
  const repeated = findRepeatedLines(read)
  const ignoresEdges = ignore.includes('headers-footers')
  for (const page of read) {
    const edgeWords = page.words.filter(word => repeated.has(word))
    page.edgeWords = new Set(ignoresEdges ? [] : edgeWords)
    if (!ignoresEdges || edgeWords.length === 0) continue
    page.words = page.words.filter(word => !repeated.has(word))
    page.ignored = [...page.ignored, ...edgeWords.flatMap(({ quads }) => quads)]
  }
  for (const position of sample) {
    const page = pages[position]
    if (page) Object.assign(page, { words: [], ignored: [], edgeWords: new Set() })
  }
}

function nearest(positions: readonly number[], position: number): number {
  // The list is sorted, so the nearest value is next to the insertion point of `position`.
  let [low, high] = [0, positions.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((positions[middle] ?? 0) < position) low = middle + 1
    else high = middle
  }
  return Math.min(
    Math.abs((positions[low] ?? Infinity) - position),
    Math.abs((positions[low - 1] ?? -Infinity) - position),
  )
}

/** Puts the pairs into the order of the second file. A removed page follows the page that was before it. */
function orderPairs(files: { before: ComparedFile; after: ComparedFile }, { pairs, moved }: AlignedPages): PagePair[] {
  const byAfter = new Map([...pairs, ...moved].map(([before, after]) => [after, before]))
  const paired = new Set([...pairs, ...moved].map(([before]) => before))
  const movedAfter = new Set(moved.map(([, after]) => after))
  const ordered: PagePair[] = []
  let next = 0
  const addRemoved = (end: number): void => {
    for (; next < end; next++)
      if (!paired.has(next)) ordered.push(toPair(files.before.pages[next], undefined, 'removed'))
  }
  for (const [position, page] of files.after.pages.entries()) {
    const before = byAfter.get(position)
    if (before !== undefined && !movedAfter.has(position)) {
      addRemoved(before)
      next = Math.max(next, before + 1)
    }
    const change = before === undefined ? 'inserted' : movedAfter.has(position) ? 'moved' : 'same'
    ordered.push(toPair(before === undefined ? undefined : files.before.pages[before], page, change))
  }
  addRemoved(files.before.pages.length)
  return ordered
}

function toPair(
  before: ComparedPage | undefined,
  after: ComparedPage | undefined,
  change: PagePair['change'],
): PagePair {
  const isPair = before !== undefined && after !== undefined
  return {
    before,
    after,
    change,
    text: [],
    visual: [],
    isResized: isPair && isResized(before, after),
    isTurned: isPair && before.frame.rotation !== after.frame.rotation,
    reflow: 'none',
    visualComparison: 'off',
  }
}

/**
 * Returns whether the sizes of two pages differ, regardless of their rotation. Pages with the same content also differ
 * if they show another part of it.
 */
function isResized(before: ComparedPage, after: ComparedPage): boolean {
  const [one, other] = [before.frame, after.frame]
  const differs = (side: keyof Box): boolean =>
    Math.abs(one.visible[side] * one.userUnit - other.visible[side] * other.userUnit) > SAME_SIZE_PT
  if (differs('width') || differs('height')) return true
  return hasSameContent(before, after) && (differs('x') || differs('y'))
}

/** Sets whether the page changed. */
function judge(pair: PagePair, counterparts: Counterparts): void {
  const { before, after, text, visual } = pair
  if (!before || !after) return
  const isForeign = (page: ComparedPage, other: ComparedPage): boolean =>
    page.words.some(word => (counterparts.get(word)?.page ?? other.index) !== other.index)
  if (isForeign(before, after) || isForeign(after, before)) pair.reflow = 'unexplained'
  const isChanged = text.length > 0 || visual.length > 0 || pair.isResized || pair.isTurned || pair.reflow !== 'none'
  if (pair.change === 'same' && isChanged) pair.change = 'changed'
}

/** Marks reflow as explained if text changed on the same page or on an earlier page of the run. */
function settleReflow(pairs: readonly PagePair[]): void {
  const changes = pairs.flatMap(({ text }) => text)
  const changedBefore = new Set(changes.map(({ removed }) => removed?.page))
  const changedAfter = new Set(changes.map(({ inserted }) => inserted?.page))
  let isExplained = false
  for (const pair of pairs) {
    const { before, after, reflow } = pair
    const isCause = !before || !after || changedBefore.has(before.index) || changedAfter.has(after.index)
    isExplained = isCause || (isExplained && reflow !== 'none')
    if (isExplained && reflow !== 'none') pair.reflow = 'explained'
  }
}
