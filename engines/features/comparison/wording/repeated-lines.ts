import type { Frame } from '../../../pdf/geometry'
import type { Word } from './page-words'
import { addTo, findOrAdd } from '../../../map-entries'

/** Share of the page's height, at its top and at its bottom, in which headers and footers can be. */
const EDGE = 0.14

/** Difference in height in points between lines that count as the same header or footer. */
const STEP_PT = 4

/** Minimum share of the pages that must have a line for it to be a header or footer. */
const LEAST_SHARE = 0.4

interface WordsOfPage {
  words: readonly Word[]
  frame: Frame
}

/**
 * Finds headers and footers: lines near the upper or lower edge that several pages have at the same height. Digits in
 * the lines may differ, and so may left and right pages. Returns the words of these lines.
 */
export function findRepeatedLines(pages: readonly WordsOfPage[]): Set<Word> {
  const groups = new Map<string, { words: Word[]; pages: Set<number> }>()
  for (const { words, frame } of pages) {
    const height = frame.visible.height * frame.userUnit
    for (const line of groupByLine(words)) {
      const [first] = line
      const y = first?.at[1] ?? 0
      if (!first || (y > EDGE * height && y < (1 - EDGE) * height)) continue
      const text = line.map(({ key }) => key.replace(/\p{Nd}+/gu, '0')).join(' ')
      // Pages that are cropped have the same height in user space. Pages of several sizes have it from the upper edge.
      const userY = (frame.visible.y + frame.visible.height) * frame.userUnit - y
      for (const key of [
        ...listSteps(y).map(step => `page ${step}`),
        ...listSteps(userY).map(step => `user ${step}`),
      ]) {
        const group = findOrAdd(groups, `${key} ${text}`, () => ({ words: [], pages: new Set<number>() }))
        group.words.push(...line)
        group.pages.add(first.page)
      }
    }
  }
  const least = Math.max(2, Math.ceil(LEAST_SHARE * pages.length))
  const repeated = new Set<Word>()
  for (const { words, pages: holders } of groups.values()) {
    if (holders.size >= least) for (const word of words) repeated.add(word)
  }
  return repeated
}

/** A second grid, offset by half a step, groups lines on both sides of a step. */
function listSteps(y: number): number[] {
  return [Math.floor(y / STEP_PT), Math.round(y / STEP_PT) - 0.5]
}

function groupByLine(words: readonly Word[]): Word[][] {
  const lines = new Map<number, Word[]>()
  for (const word of words) addTo(lines, word.line, word)
  return [...lines.values()]
}
