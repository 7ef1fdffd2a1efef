import type { PdfDocument } from '../../../pdf/document'
import { frameMatrix, invertMatrix, mapBox } from '../../../pdf/geometry'
import type { Box, Frame } from '../../../pdf/geometry'
import type { PageText, PdfiumRenderer } from '../../../pdf/render'
import { openRenderer } from '../../../pdf/render'
import { findAcross } from './across-pages'
import type { AcrossMatch } from './across-pages'
import { addBoxes, emptyPage } from '../areas/areas'
import type { PageAreas } from '../areas/areas'
import { readColumns } from './column-order'
import { ContentSearch } from './content-search'
import type { OrderedText } from './column-order'
import { joinLigatures } from './join-ligatures'
import { joinBoxes } from './line-boxes'
import { readEdges } from './page-edges'
import type { PageEdges } from './page-edges'
import { openReadableCopy } from './readable-copy'
import { readingsOf } from '../matching/readings'
import type { TextReading } from '../matching/readings'
import { MatchList, positionsOf } from './match-list'
import type { Rule } from '../search-rules/rule'
import { composeSpread, spanOf } from '../matching/search-text'

/**
 * Minimum number of characters to search for matches across two pages, at the end of one page and at the beginning of
 * the next. Rules with longer texts increase it.
 */
const LEAST_REACH = 250

interface Search {
  rules: readonly Rule[]
  paddingPt: number
  /** Converts a box from user space to the page as displayed. */
  toSeen(box: Box): Box
  /** Records that the page has too much text to read all of it. */
  fail(): void
}

/** Finds the matches of rules on pages. Returns their areas by page. Each rule counts its matches. */
export async function findOnPages(
  document: PdfDocument,
  rules: readonly Rule[],
  paddingPt: number,
): Promise<PageAreas[]> {
  const search = new PageSearch(document, rules, paddingPt)
  await readPages(document, search)
  return search.finish()
}

/** Reads all pages of a search. Throws EngineError `too_large` like `Rule.count`. */
export async function readPages(document: PdfDocument, search: PageSearch): Promise<void> {
  await eachPage(document, search.indexes, (renderer, index) =>
    renderer.readCharacters(index, characters => search.read(index, characters)),
  )
}

/** A search for matches on pages. The pages must be read one after another, in order. */
export class PageSearch {
  /** The positions, from 0, of the pages that rules cover. */
  readonly indexes: readonly number[]
  private readonly found = new Map<number, PageAreas>()
  private readonly edges: PageEdges[] = []
  private readonly running = new Set<string>()
  private readonly reach: number
  private readonly content: ContentSearch

  constructor(
    private readonly document: PdfDocument,
    private readonly rules: readonly Rule[],
    private readonly paddingPt: number,
  ) {
    this.indexes = document.pages.flatMap((_, index) => (rules.some(rule => rule.isOn(index)) ? [index] : []))
    this.content = new ContentSearch(document)
    this.reach = Math.max(LEAST_REACH, ...rules.map(rule => 2 * rule.length))
  }

  /** The positions, from 0, of pages that were searched only in part, because they have too much text. */
  get cutPages(): ReadonlySet<number> {
    return this.content.cutPages
  }

  /** Searches one page. Throws EngineError `too_large` like `Rule.count`. */
  read(index: number, characters: PageText): void {
    const { document, rules, paddingPt, indexes, running, reach } = this
    const page = emptyPage(document, index)
    const seen = openMap(page.frame)
    const covering = rules.filter(rule => rule.isOn(index))
    const columns = searchPage(page, characters, {
      rules: covering,
      paddingPt,
      toSeen: seen,
      fail: () => this.content.cutPages.add(index),
    })
    this.content.addMatches(page, characters.texts, covering, paddingPt)
    const edge =
      indexes.length > 1
        ? readEdges({ index, characters, columns, reach, heightPt: page.frame.height, running, toSeen: seen })
        : undefined
    if (edge) this.edges.push(edge)
    if (page.areas.length > 0) this.found.set(index, page)
  }

  /** Returns the areas of all matches by page, including matches across two pages. */
  async finish(): Promise<PageAreas[]> {
    const { document, rules, paddingPt, found } = this
    const across = findAcross(this.edges, rules)
    await eachPage(document, [...across.keys()], (renderer, index) => {
      const page = found.get(index) ?? emptyPage(document, index)
      found.set(index, page)
      renderer.readCharacters(index, characters => {
        for (const match of across.get(index) ?? []) addAcross(page, characters, match, paddingPt)
      })
    })
    return [...found.values()].filter(({ areas }) => areas.length > 0).sort((one, other) => one.index - other.index)
  }
}

/**
 * Returns a function that converts boxes from user space to the page as displayed. On most pages this is only a shift.
 */
function openMap(frame: Frame): (box: Box) => Box {
  const toPage = invertMatrix(frameMatrix(frame))
  if (!toPage) return box => box
  const [a, b, c, d, e, f] = toPage
  if (a !== 1 || b !== 0 || c !== 0 || d !== 1) return box => mapBox(toPage, box)
  return e === 0 && f === 0 ? box => box : ({ x, y, width, height }) => ({ x: x + e, y: y + f, width, height })
}

/** Calls `read` for pages one after another. Opens PDFium again if a page broke it. */
async function eachPage(
  document: PdfDocument,
  indexes: readonly number[],
  read: (renderer: PdfiumRenderer, index: number) => void,
): Promise<void> {
  if (indexes.length === 0) return
  const seen = openReadableCopy(document)
  let renderer = await openRenderer(seen)
  try {
    for (const index of indexes) {
      if (renderer.isBroken) renderer = await openRenderer(seen)
      read(renderer, index)
    }
  } finally {
    renderer.close()
  }
}

/**
 * Adds the areas of matches on one page. Returns the characters in column order if they were searched in that order.
 */
function searchPage(
  page: PageAreas,
  characters: PageText,
  { rules, paddingPt, toSeen, fail }: Search,
): OrderedText | undefined {
  const texts = joinLigatures(characters)
  const hasVariants = rules.some(rule => !rule.isText)
  const readings = readingsOf(texts, { hasVariants })
  const spread = composeSpread(texts)
  const lists = rules.map(rule => {
    const list = new MatchList(rule)
    for (const reading of readings) list.addAll(reading)
    if (spread) {
      const joined = [...rule.find(spread), ...rule.findLoosely(spread)].filter(match =>
        spread.isJoined(spanOf(spread, match)),
      )
      for (const match of joined)
        list.add({ searched: spread, order: undefined, isTurned: false, changes: undefined }, match)
    }
    return list
  })
  const [plain] = readings
  const isOpen = (list: MatchList): boolean =>
    plain !== undefined && list.rule.mayBeBroken(plain.searched, list.places.length)
  const columns = lists.some(isOpen) ? readColumns(characters, texts, { toSeen, fail }) : undefined
  const columnReadings: TextReading[] = columns
    ? readingsOf(columns.characters, { order: columns.order, hasVariants })
    : []
  for (const list of lists) {
    if (isOpen(list)) for (const reading of columnReadings) list.addAll(reading)
    for (const positions of list.places)
      addMatch(page, characters, { rule: list.rule, positions, paddingPt, isWritten: true })
  }
  return columns
}

function addAcross(
  page: PageAreas,
  characters: PageText,
  { rule, positions, isWritten }: AcrossMatch,
  paddingPt: number,
): void {
  // The rule may already have matched a part of the text. Both areas are kept.
  addMatch(page, characters, { rule, positions: positionsOf(positions), paddingPt, isWritten })
}

/** Adds the areas of a match. Only a match that is written gets its replacement text. */
function addMatch(
  page: PageAreas,
  characters: PageText,
  {
    rule,
    positions,
    paddingPt,
    isWritten,
  }: { rule: Rule; positions: readonly number[]; paddingPt: number; isWritten: boolean },
): void {
  addBoxes(page, joinBoxes(page.frame, characters, positions), {
    paddingPt,
    param: `${rule.param}.replacementText`,
    replacementText: isWritten ? rule.replacementText : undefined,
  })
}
