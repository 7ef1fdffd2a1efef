import type { Frame } from '../../pdf/geometry'
import type { PageContents } from '../../pdf/read-page'
import { areaOn, imagesOn } from './figures'
import { insertFields } from './insert-fields'
import { findLines } from './lines/text-lines'
import { areaAround } from './lines/model'
import type { Block, PlacedBlock, Sheet, Word } from './lines/model'
import type { RunningLine } from './running-lines'
import type { ContentItem, TaggedPart } from './structure'
import { makeTaggedBlocks } from './tagged-blocks'

/** Tags give the order of a page if they cover this share of its text. */
const LEAST_TAGGED = 0.7

/** A paragraph that has this share of the text of a page, with several blocks in it, only groups. */
const WHOLE_PAGE = 0.8
const FEW_BLOCKS = 2

/** More lines than this above or below the tagged text aren't a header or footer. */
const MOST_EDGE_LINES = 6

/** A page and its tags. */
interface TaggedPage {
  sheets: readonly Sheet[]
  frame: Frame
  images: PageContents['images']
  tags: readonly TaggedPart[] | undefined
  /** The headers and footers that other pages repeat, as lines of any words of the page. */
  running: readonly RunningLine[]
}

/** What the blocks depend on. */
interface Setting {
  isTypewritten: boolean
  /** Makes blocks of words of a sheet by their layout. */
  layOut: (words: readonly Word[], sheet: Sheet) => Block[]
}

/**
 * The blocks of a page by its tags. Undefined if there are none, if they leave out much of the text, or if they only
 * group it.
 */
export function blocksByTags(page: TaggedPage, { isTypewritten, layOut }: Setting): PlacedBlock[] | undefined {
  const { sheets, tags, frame, images } = page
  const [main, ...others] = sheets
  if (!tags || !main) return undefined
  if (!areUseful(page, tags, words => layOut(words, main))) return undefined
  const settingOf = (sheet: Sheet): Parameters<typeof makeTaggedBlocks>[2] => ({
    images: imagesOn(sheet, images, frame),
    isTypewritten,
    areaOf: box => areaOn(sheet, box, frame),
    layOut: words => layOut(words, sheet),
  })
  const { blocks, untagged } = makeTaggedBlocks(
    tags,
    main.words.filter(word => !word.isArtifact),
    settingOf(main),
  )
  const isField = (word: Word): boolean => word.isField === true
  const { edges, rest } = divideRest(page, main, untagged)
  const placed = [
    ...edges.filter(({ role }) => role === 'header'),
    ...insertFields(blocks, findLines(untagged.filter(isField), main.rules)),
    ...(rest.length > 0 ? layOut(rest, main) : []),
    ...edges.filter(({ role }) => role === 'footer'),
  ].map(block => ({ ...block, toSeen: main.toSeen }))
  // Text in other directions needs its own coordinates.
  for (const sheet of others) {
    const turned = makeTaggedBlocks(tags, sheet.words, { ...settingOf(sheet), images: [] })
    const loose = findLines(turned.untagged, []).map((line): Block => ({
      role: 'paragraph',
      area: line,
      lines: [line],
    }))
    const tagged = turned.blocks.filter(({ role, lines }) => role !== 'figure' || lines.length > 0)
    for (const block of [...tagged, ...loose]) placed.push({ ...block, toSeen: sheet.toSeen })
  }
  return placed
}

/** Returns whether tags cover the text of a page and say more than what belongs together. */
function areUseful(
  { sheets }: TaggedPage,
  tags: readonly TaggedPart[],
  layOut: (words: readonly Word[]) => Block[],
): boolean {
  const counts = new Map<number, number>()
  let wordCount = 0
  for (const { words } of sheets)
    for (const { mcid, isArtifact, isField } of words) {
      if (isArtifact || isField) continue
      wordCount++
      if (mcid >= 0) counts.set(mcid, (counts.get(mcid) ?? 0) + 1)
    }
  const take = (items: readonly ContentItem[]): number => {
    let count = 0
    for (const { mcid } of items) {
      count += counts.get(mcid) ?? 0
      counts.delete(mcid)
    }
    return count
  }
  const sizes = tags.map(part => {
    let count = take(part.items)
    for (const row of part.rows ?? []) for (const cell of row) count += take(cell.items)
    return { part, count }
  })
  const covered = sizes.reduce((sum, { count }) => sum + count, 0)
  if (covered === 0 || covered < LEAST_TAGGED * wordCount) return false
  const meaning = sizes.filter(({ part, count }) => !part.isGroup && part.role !== 'figure' && count > 0)
  if (meaning.length === 0) return sizes.some(({ part, count }) => part.role === 'figure' && count > 0)
  const [main] = sheets
  const isOnePart = meaning.some(
    ({ part, count }) => part.role === 'paragraph' && part.isLoose === undefined && count >= WHOLE_PAGE * covered,
  )
  if (!isOnePart || meaning.some(({ part }) => part.role !== 'paragraph')) return true
  return layOut(main?.words.filter(word => word.mcid >= 0) ?? []).length <= FEW_BLOCKS
}

/** Divides the words without tags into headers, footers and other text. Artifacts are headers and footers. */
function divideRest({ running }: TaggedPage, main: Sheet, untagged: readonly Word[]): { edges: Block[]; rest: Word[] } {
  const loose = new Set(untagged.filter(word => !word.isField))
  const tagged = main.words.filter(word => !word.isArtifact && !word.isField && !loose.has(word))
  const [top, bottom] = [
    tagged.reduce((least, word) => Math.min(least, word.baseline), Infinity),
    tagged.reduce((most, word) => Math.max(most, word.baseline), -Infinity),
  ]
  const isArtifact = (word: Word): boolean => word.isArtifact
  const edges = findLines(main.words.filter(isArtifact), main.rules).map((line): Block => {
    const isHeader = (line.top + line.bottom) / 2 < main.height / 2
    return { role: isHeader ? 'header' : 'footer', area: areaAround([line]), lines: [line] }
  })
  const repeated = new Map<Word, 'header' | 'footer'>()
  for (const { line, place } of running) for (const word of line.words) if (loose.has(word)) repeated.set(word, place)
  const lines = findLines([...loose], main.rules)
  const above = lines.filter(line => line.baseline < top - 0.5 * line.size)
  const below = lines.filter(line => line.baseline > bottom + 0.5 * line.size)
  const taken = new Set<Word>()
  for (const line of lines) {
    const place =
      above.length <= MOST_EDGE_LINES && above.includes(line)
        ? 'header'
        : below.length <= MOST_EDGE_LINES && below.includes(line)
          ? 'footer'
          : line.words.map(word => repeated.get(word)).find(found => found !== undefined)
    if (!place) continue
    edges.push({ role: place, area: areaAround([line]), lines: [line] })
    for (const word of line.words) taken.add(word)
  }
  return { edges, rest: [...loose].filter(word => !taken.has(word)) }
}
