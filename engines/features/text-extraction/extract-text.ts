import { EngineError } from '../../errors'
import type { RecognizedPage } from '../ocr/read-pages'
import { withoutHidden } from '../../pdf/rewrite-content'
import type { PdfDocument } from '../../pdf/document'
import { measureFrame } from '../../pdf/geometry'
import type { Frame } from '../../pdf/geometry'
import { reopenDocument } from '../../pdf/open'
import { visitPages } from '../../pdf/render'
import { arrange } from './arrange'
import { copyFields } from './field-document'
import { TextSizes, markHeadings } from './headings'
import { Vocabulary } from './join-text'
import { mergeDivided } from './merge-divided'
import { insertFields } from './insert-fields'
import { divideAtGutters } from './lines/gutters'
import { areaAround, hasCenterIn } from './lines/model'
import type { Block, PageText, PlacedBlock, Sheet, TextLine, Word } from './lines/model'
import { makeParagraphs } from './paragraphs'
import { recognizedSheet } from './recognized'
import { findRowRuledTables } from './tables/row-rules'
import { findRuledTables } from './tables/ruled-tables'
import { findRunningLines } from './running-lines'
import { joinSheets, makeSheets } from './sheets'
import { readStructure } from './structure'
import type { TaggedPart } from './structure'
import { groupByPage, makeTaggedBlocks } from './tagged-blocks'
import { findLines, makeLine } from './lines/text-lines'

/** Maximum number of words of all pages together. */
const MAX_WORDS = 1_500_000

/** Tags give the order of a page if they cover this share of its text. */
const LEAST_TAGGED = 0.7

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

/** What is known about the text of the whole document. */
type TextFacts = Pick<TextSizes, 'body' | 'isTypewritten'>

/** A page between reading and writing. */
interface ReadPage {
  pageIndex: number
  frame: Frame
  sheets: Sheet[]
  tags: TaggedPart[] | undefined
  source: PageText['source']
}

/**
 * Extracts the text of pages at these positions (from 0), without that of hidden layers. `recognize` returns the recognized text of the pages without
 * text. Throws EngineError `too-large` if there is too much text.
 */
export async function extractText(
  original: PdfDocument,
  pageIndexes: readonly number[],
  recognize?: (pageIndexes: number[]) => Promise<RecognizedPage[]>,
): Promise<ExtractedText> {
  const visible = await withoutHidden(original, pageIndexes)
  const hasHidden = visible !== original
  const document = hasHidden ? reopenDocument(visible) : original
  const structure = readStructure(document)
  const tagsByPage = structure && groupByPage(structure)
  const pages: ReadPage[] = []
  const imagePages: number[] = []
  const damagedPages: number[] = []
  let wordCount = 0
  for await (const { index, renderer } of visitPages(document, pageIndexes)) {
    const page = document.pages[index]
    if (!page) continue
    const frame = measureFrame(document, page)
    const read = {
      pageIndex: index,
      frame,
      sheets: [] as Sheet[],
      tags: tagsByPage?.get(index),
      source: 'none' as const,
    }
    try {
      const layout = renderer.readLayout(index)
      if (layout.isCut) tooMuch(`Page ${index + 1} has more text than Sheaf can extract.`)
      const sheets = makeSheets(layout, frame).map(sheet => ({ ...sheet, words: keepShown(sheet, layout.hasImage) }))
      const count = sheets.reduce((sum, { words }) => sum + words.length, 0)
      wordCount += count
      if (wordCount > MAX_WORDS) tooMuch('The pages have more text than Sheaf can extract at once.')
      if (count === 0 && layout.hasImage) imagePages.push(index)
      pages.push({ ...read, sheets, source: count === 0 ? 'none' : 'layout' })
    } catch (error) {
      if (!(error instanceof EngineError) || error.reason !== 'unreadable') throw error
      // The caller warns about these pages.
      damagedPages.push(index + 1)
      pages.push(read)
    }
  }
  if (recognize && imagePages.length > 0) addRecognized(pages, await recognize(imagePages))
  const fields = await copyFields(document, pageIndexes)
  if (fields) await addFields({ pages, damagedPages }, fields, MAX_WORDS - wordCount)
  return { ...arrangePages(pages), imagePages, damagedPages, hasHidden }
}

function tooMuch(problem: string): never {
  throw new EngineError('too-large', `${problem} Select fewer pages with "pages".`, { param: 'options.pages' })
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

/** Adds the text of form fields to their pages. Pages whose fields can't be read count as damaged. */
async function addFields(
  { pages, damagedPages }: { pages: readonly ReadPage[]; damagedPages: number[] },
  fields: { document: PdfDocument; pageIndexes: number[] },
  mostWords: number,
): Promise<void> {
  const byIndex = new Map(pages.map(page => [page.pageIndex, page]))
  let wordCount = 0
  for await (const { index, renderer } of visitPages(fields.document, fields.pageIndexes)) {
    const page = byIndex.get(index)
    if (!page) continue
    try {
      const layout = renderer.readLayout(index)
      if (layout.isCut) tooMuch(`Page ${index + 1} has more text than Sheaf can extract.`)
      const sheets = makeSheets({ ...layout, shapes: [] }, page.frame)
        .map(sheet => ({ ...sheet, words: keepShown(sheet, false).map(word => ({ ...word, isField: true })) }))
        .filter(({ words }) => words.length > 0)
      wordCount += sheets.reduce((sum, { words }) => sum + words.length, 0)
      if (wordCount > mostWords) tooMuch('The pages have more text than Sheaf can extract at once.')
      if (page.source === 'none' && sheets.length > 0) page.source = 'layout'
      page.sheets = joinSheets(page.sheets, sheets)
    } catch (error) {
      if (!(error instanceof EngineError) || error.reason !== 'unreadable') throw error
      if (!damagedPages.includes(index + 1)) damagedPages.push(index + 1)
    }
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
  const untagged: Block[] = []
  const results = pages.map((page, at): PageText => {
    const byTags = blocksByTags(page, facts)
    const blocks: PlacedBlock[] = byTags ?? blocksByLayout(page, lines[at] ?? [], running, facts)
    if (!byTags) untagged.push(...blocks)
    return {
      pageNumber: page.pageIndex + 1,
      width: page.frame.width,
      height: page.frame.height,
      source: byTags ? 'tags' : page.source,
      blocks,
    }
  })
  markHeadings(untagged, sizes)
  return { pages: results, vocabulary }
}

/** The blocks of a page by its tags. Undefined if there are none, or if they leave out much of the text. */
function blocksByTags({ sheets, tags }: ReadPage, { isTypewritten }: TextFacts): PlacedBlock[] | undefined {
  if (!tags || sheets.length === 0) return undefined
  const words = sheets.flatMap(sheet => sheet.words.filter(word => !word.isArtifact && !word.isField))
  const known = new Set(
    tags
      .flatMap(part => [...part.items, ...(part.rows?.flat().flatMap(cell => cell.items) ?? [])])
      .map(({ mcid }) => mcid),
  )
  const covered = words.filter(({ mcid }) => mcid >= 0 && known.has(mcid))
  if (covered.length === 0 || covered.length < LEAST_TAGGED * words.length) return undefined
  const [main, ...others] = sheets as [Sheet, ...Sheet[]] // has at least one
  const artifacts = main.words.filter(word => word.isArtifact)
  const { blocks, untagged } = makeTaggedBlocks(
    tags,
    main.words.filter(word => !word.isArtifact),
  )
  const edges = findLines(artifacts, main.rules).map((line): Block => {
    const isHeader = (line.top + line.bottom) / 2 < main.height / 2
    return { role: isHeader ? 'header' : 'footer', area: areaAround([line]), lines: [line] }
  })
  const rest = arrange(
    findLines(
      untagged.filter(word => !word.isField),
      main.rules,
    ),
    {
      rules: main.rules,
      isRightToLeft: false,
      isTypewritten,
    },
  )
  const restBlocks = rest.flatMap(flow => makeParagraphs(flow, main.dots, { size: 10, leading: 1.25 }))
  const placed = [
    ...edges.filter(({ role }) => role === 'header'),
    ...insertFields(
      blocks,
      findLines(
        untagged.filter(word => word.isField),
        main.rules,
      ),
    ),
    ...restBlocks,
    ...edges.filter(({ role }) => role === 'footer'),
  ].map(block => ({ ...block, toSeen: main.toSeen }))
  // Text in other directions needs its own coordinates.
  for (const sheet of others) {
    const turned = makeTaggedBlocks(tags, sheet.words)
    const loose = findLines(turned.untagged, []).map((line): Block => ({
      role: 'paragraph',
      area: line,
      lines: [line],
    }))
    placed.push(...[...turned.blocks, ...loose].map(block => ({ ...block, toSeen: sheet.toSeen })))
  }
  return placed
}

function blocksByLayout(
  { sheets }: ReadPage,
  mainLines: readonly TextLine[],
  running: ReadonlyMap<TextLine, 'header' | 'footer'>,
  { body, isTypewritten }: TextFacts,
): PlacedBlock[] {
  return sheets.flatMap((sheet, at) => {
    const edges = at === 0 ? mainLines.filter(line => running.has(line)) : []
    const taken = new Set(edges.flatMap(line => line.words))
    const words = sheet.words.filter(word => !taken.has(word))
    const bordered = findRuledTables(words, sheet.rules)
    const { tables: open, rest } = findRowRuledTables(bordered.rest, sheet.rules)
    const tables = [...bordered.tables, ...open]
    const lines = divideAtGutters(findLines(rest, sheet.rules))
    const isRightToLeft = lines.filter(line => line.isRightToLeft).length * 2 > lines.length
    const flows = arrange([...lines, ...tables], { rules: sheet.rules, isRightToLeft, isTypewritten })
    const blocks = mergeDivided(flows.map(flow => makeParagraphs(flow, sheet.dots, body)))
    const edgeBlocks = (place: 'header' | 'footer'): Block[] =>
      joinEdges(edges.filter(line => running.get(line) === place)).map(line => ({
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
