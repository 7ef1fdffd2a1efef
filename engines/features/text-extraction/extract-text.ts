import { EngineError } from '../../errors'
import type { RecognizedPage } from '../ocr/read-pages'
import type { PdfDocument } from '../../pdf/document'
import { measureFrame } from '../../pdf/geometry'
import type { Frame } from '../../pdf/geometry'
import { PageReader } from '../../pdf/read-page'
import type { PageContents } from '../../pdf/read-page'
import { arrange } from './arrange'
import { copyFields } from './field-document'
import { TextSizes, markHeadings } from './headings'
import { Vocabulary } from './join-text'
import { joinInitials } from './lines/initials'
import { Links } from './links'
import type { PageLink } from './links'
import { mergeDivided } from './merge-divided'
import { findFigures, imagesOn, insertFigures } from './figures'
import { divideAtGutters } from './lines/gutters'
import { areaAround, hasCenterIn } from './lines/model'
import type { Block, PageText, PlacedBlock, Sheet, TextLine, Word } from './lines/model'
import { makeParagraphs } from './paragraphs'
import type { TextFacts } from './paragraphs'
import { recognizedSheet } from './recognized'
import { findRowRuledTables } from './tables/row-rules'
import { findRuledTables } from './tables/ruled-tables'
import { findRunningLines } from './running-lines'
import type { RunningLine } from './running-lines'
import { joinSheets, makeSheets } from './sheets'
import { readStructure } from './structure'
import type { TaggedPart } from './structure'
import { blocksByTags } from './blocks-by-tags'
import { groupByPage } from './tagged-blocks'
import { findLines, makeLine } from './lines/text-lines'

/** Maximum number of words of all pages together. */
const MAX_WORDS = 1_500_000

/** The text of pages, and what is needed to write it. */
interface ExtractedText {
  pages: PageText[]
  vocabulary: Vocabulary
  /** Positions of pages that show an image but have no text. */
  imagePages: number[]
  /** Numbers of pages that can't be read. */
  damagedPages: number[]
  /** Whether content or annotations of hidden layers were left out. */
  hasHidden: boolean
}

/** A page between reading and writing. */
interface ReadPage {
  pageIndex: number
  frame: Frame
  sheets: Sheet[]
  tags: TaggedPart[] | undefined
  images: PageContents['images']
  links: PageLink[]
  source: PageText['source']
}

/**
 * Extracts the text of pages at these positions (from 0), by default without that of hidden layers. `recognize` returns
 * the recognized text of the pages without text. Throws EngineError `too_large` if there is too much text.
 */
export async function extractText(
  document: PdfDocument,
  { pageIndexes, layers = 'visible' }: { pageIndexes: readonly number[]; layers?: 'visible' | 'all' },
  recognize?: (pageIndexes: number[]) => Promise<RecognizedPage[]>,
): Promise<ExtractedText> {
  const structure = readStructure(document)
  const tagsByPage = structure && groupByPage(structure)
  const reader = new PageReader(document, { layers })
  const links = new Links(document)
  const pages: ReadPage[] = []
  const imagePages: number[] = []
  const damagedPages: number[] = []
  let wordCount = 0
  let hasHidden = false
  for (const index of pageIndexes) {
    const page = document.pages[index]
    if (!page) continue
    const frame = measureFrame(document, page)
    const contents = reader.read(page)
    assertWhole(contents, index)
    const sheets = makeSheets(contents, frame).map(sheet => ({
      ...sheet,
      words: joinInitials(keepShown(sheet, contents.hasImage)),
    }))
    const count = sheets.reduce((sum, { words }) => sum + words.length, 0)
    wordCount += count
    if (wordCount > MAX_WORDS) tooMuch('The pages have more text than Sheaf can extract at once.')
    if (count === 0 && contents.hasImage) imagePages.push(index)
    if (contents.hasHidden) hasHidden = true
    if (!contents.isWhole) damagedPages.push(index + 1)
    reader.release(contents)
    const source = count === 0 ? 'none' : 'layout'
    pages.push({
      pageIndex: index,
      frame,
      sheets,
      tags: tagsByPage?.get(index),
      images: contents.images,
      links: links.read(page, frame),
      source,
    })
  }
  if (recognize && imagePages.length > 0) addRecognized(pages, await recognize(imagePages))
  const fields = await copyFields(document, pageIndexes)
  if (fields) addFields(pages, fields, MAX_WORDS - wordCount)
  for (const page of pages) links.mark(page.sheets, page.links, page.frame)
  return { ...arrangePages(pages), imagePages, damagedPages, hasHidden }
}

function tooMuch(problem: string): never {
  throw new EngineError('too_large', `${problem} Select fewer pages with "pages".`, { param: 'options.pages' })
}

function assertWhole({ isCut }: PageContents, index: number): void {
  if (isCut) tooMuch(`Page ${index + 1} has more text than Sheaf can extract.`)
}

/** Leaves out words outside the page. Words without ink count only above an image, where they are recognized text. */
function keepShown({ words, width, height }: Sheet, hasImage: boolean): Word[] {
  const shown = words.filter(
    ({ left, right, top, bottom }) =>
      right > 0 && left < width && bottom > 0 && top < height && right - left < 2 * width,
  )
  const unseen = shown.filter(word => word.isUnseen)
  if (unseen.length === 0) return shown
  return hasImage && unseen.length > shown.length / 2 ? shown : shown.filter(word => !word.isUnseen)
}

function addRecognized(pages: ReadPage[], recognized: readonly RecognizedPage[]): void {
  for (const page of recognized) {
    const read = pages.find(({ pageIndex }) => pageIndex === page.pageIndex)
    const sheet = recognizedSheet(page)
    if (!read || sheet.words.length === 0) continue
    Object.assign(read, { sheets: [sheet], source: 'ocr', tags: undefined })
  }
}

/** Adds the text of form fields to their pages. */
function addFields(
  pages: readonly ReadPage[],
  fields: { document: PdfDocument; pageIndexes: number[] },
  mostWords: number,
): void {
  const byIndex = new Map(pages.map(page => [page.pageIndex, page]))
  const reader = new PageReader(fields.document)
  let wordCount = 0
  for (const index of fields.pageIndexes) {
    const page = byIndex.get(index)
    const source = fields.document.pages[index]
    if (!page || !source) continue
    const contents = reader.read(source)
    assertWhole(contents, index)
    const sheets = makeSheets({ ...contents, shapes: [] }, page.frame)
      .map(sheet => ({ ...sheet, words: keepShown(sheet, false).map(word => ({ ...word, isField: true })) }))
      .filter(({ words }) => words.length > 0)
    wordCount += sheets.reduce((sum, { words }) => sum + words.length, 0)
    if (wordCount > mostWords) tooMuch('The pages have more text than Sheaf can extract at once.')
    if (page.source === 'none' && sheets.length > 0) page.source = 'layout'
    page.sheets = joinSheets(page.sheets, sheets)
  }
}

function arrangePages(pages: readonly ReadPage[]): Pick<ExtractedText, 'pages' | 'vocabulary'> {
  const sizes = new TextSizes()
  const vocabulary = new Vocabulary()
  const lines = pages.map(({ sheets }) => {
    const [main] = sheets
    const found = main ? findLines(main.words, main.rules) : []
    sizes.add(found)
    vocabulary.add(found)
    return found
  })
  const tables = pages.map(({ sheets: [main] }) => (main ? findRuledTables(main.words, main.rules).tables : []))
  const running = findRunningLines(
    pages.map(({ sheets }, at) => ({
      lines: (lines[at] ?? []).filter(line => !tables[at]?.some(({ area }) => hasCenterIn(line, area))),
      height: sheets[0]?.height ?? 0,
    })),
  )
  const { body, isTypewritten } = sizes
  const facts = { body, isTypewritten }
  if (isTypewritten) for (const { sheets } of pages) for (const { words } of sheets) words.forEach(forgetCode)
  const untagged: Block[] = []
  const results = pages.map((page, at): PageText => {
    const byTags = blocksByTags(
      { ...page, running: running[at] ?? [] },
      { isTypewritten, layOut: (words, sheet) => layOut(words, sheet, facts) },
    )
    const blocks: PlacedBlock[] = byTags ?? blocksByLayout(page, running[at] ?? [], facts, lines[at] ?? [])
    if (!byTags) untagged.push(...blocks)
    return {
      pageNumber: page.pageIndex + 1,
      width: page.frame.width,
      height: page.frame.height,
      source: byTags ? 'tags' : page.source,
      blocks,
      links: page.links.map(({ link }) => link),
    }
  })
  markHeadings(untagged, sizes)
  addFigures(pages, results)
  return { pages: results, vocabulary }
}

/** Where most text has a font of equal widths, the font says nothing. */
function forgetCode(word: Word): void {
  delete word.codeStart
  delete word.codeEnd
}

/** Adds the figures of pages whose text is known by its layout. */
function addFigures(pages: readonly ReadPage[], results: PageText[]): void {
  const figures = findFigures(
    pages.map(({ sheets: [sheet], images, frame }, at) => ({
      sheet: results[at]?.source === 'layout' ? sheet : undefined,
      images: sheet ? imagesOn(sheet, images, frame) : [],
    })),
  )
  for (const [at, result] of results.entries()) {
    const toSeen = pages[at]?.sheets[0]?.toSeen
    if (toSeen) result.blocks = insertFigures(result.blocks, figures[at] ?? [], toSeen)
  }
}

/** `lines` are the lines of the first sheet. */
function blocksByLayout(
  { sheets }: ReadPage,
  running: readonly RunningLine[],
  facts: TextFacts,
  lines: readonly TextLine[],
): PlacedBlock[] {
  return sheets.flatMap((sheet, at) => {
    const edges = at === 0 ? running : []
    const taken = new Set(edges.flatMap(({ line }) => line.words))
    const words = taken.size > 0 ? sheet.words.filter(word => !taken.has(word)) : sheet.words
    const blocks = layOut(words, sheet, facts, at === 0 && taken.size === 0 ? lines : undefined)
    const edgeBlocks = (place: RunningLine['place']): Block[] =>
      joinEdges(edges.filter(edge => edge.place === place).map(({ line }) => line)).map(line => ({
        role: place,
        area: areaAround([line]),
        lines: [line],
      }))
    return [...edgeBlocks('header'), ...blocks, ...edgeBlocks('footer')].map(block => ({
      ...block,
      toSeen: sheet.toSeen,
    }))
  })
}

/** Makes blocks of words by their layout. `known` are the lines of these words if they were found before. */
function layOut(
  words: readonly Word[],
  { rules, dots }: Sheet,
  facts: TextFacts,
  known?: readonly TextLine[],
): Block[] {
  const bordered = findRuledTables(words, rules)
  const { tables: open, rest } = findRowRuledTables(bordered.rest, rules)
  const tables = [...bordered.tables, ...open]
  const found = known && rest.length === words.length ? known : findLines(rest, rules)
  const lines = divideAtGutters(found)
  const isRightToLeft = lines.filter(line => line.isRightToLeft).length * 2 > lines.length
  const flows = arrange([...lines, ...tables], { rules, isRightToLeft, isTypewritten: facts.isTypewritten })
  return mergeDivided(flows.map(flow => makeParagraphs(flow, dots, facts)))
}

/** Joins lines with the same baseline, such as a title and a page number at opposite edges. */
function joinEdges(lines: readonly TextLine[]): TextLine[] {
  const joined: TextLine[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last && Math.abs(last.baseline - line.baseline) < 0.35 * line.size)
      joined[joined.length - 1] = makeLine([...last.words, ...line.words].sort((one, other) => one.left - other.left))
    else joined.push(line)
  }
  return joined
}
