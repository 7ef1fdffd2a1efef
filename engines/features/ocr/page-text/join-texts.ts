import type { Matrix } from '../../../pdf/geometry'
import { chainMatrices, IDENTITY, invertMatrix, mapBox, mapPoint } from '../../../pdf/geometry'
import { boxAround } from './page-text'
import type { PageText, RecognizedTextBlock } from './page-text'

/** The minimum share of recognized words that invisible text must contain to count as the same text. */
const SAME = 0.6

/** The minimum number of letters of a word that is compared. */
const LEAST_LETTERS = 3

/** Returns whether the existing text of a page agrees with the recognized text. */
export function agrees(existingWords: string[], recognized: string[]): boolean {
  const counts = new Map<string, number>()
  for (const word of existingWords.flatMap(normalize)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let [common, all] = [0, 0]
  for (const word of recognized.flatMap(normalize)) {
    all++
    const remainingCount = counts.get(word) ?? 0
    if (remainingCount === 0) continue
    counts.set(word, remainingCount - 1)
    common++
  }
  return all > 0 && common / all >= SAME
}

function normalize(word: string): string[] {
  const letters = word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters.length >= LEAST_LETTERS ? [letters] : []
}

/**
 * Merges the existing text of a page with the text recognized in its images. The result uses the sheet of the existing
 * text. Blocks are ordered from top to bottom.
 */
export function mergeTexts(existing: PageText, recognized: PageText): PageText {
  const matrix = chainMatrices(recognized.toSeen, invertMatrix(existing.toSeen) ?? IDENTITY)
  const movedBlocks = recognized.blocks
    .map(block => moveBlock(block, matrix))
    .map(block => ({ block, top: topOf(block) }))
  const blocks: RecognizedTextBlock[] = []
  for (const block of existing.blocks) {
    const top = topOf(block)
    while (movedBlocks[0] && movedBlocks[0].top < top)
      blocks.push((movedBlocks.shift() as { block: RecognizedTextBlock }).block)
    blocks.push(block)
  }
  return { ...existing, blocks: [...blocks, ...movedBlocks.map(({ block }) => block)] }
}

function topOf({ paragraphs }: RecognizedTextBlock): number {
  return boxAround(paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ box }) => box))))?.y ?? 0
}

function moveBlock({ paragraphs }: RecognizedTextBlock, matrix: Matrix): RecognizedTextBlock {
  const scale = Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  const move = ({ x, y }: { x: number; y: number }): { x: number; y: number } => {
    const [across, down] = mapPoint(matrix, x, y)
    return { x: across, y: down }
  }
  return {
    paragraphs: paragraphs.map(({ lines }) => ({
      lines: lines.map(({ words, start, end, size }) => ({
        words: words.map(word => ({ ...word, box: mapBox(matrix, word.box) })),
        start: move(start),
        end: move(end),
        size: size * scale,
      })),
    })),
  }
}
