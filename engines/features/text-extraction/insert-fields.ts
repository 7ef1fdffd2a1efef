import { areaAround } from './lines/model'
import type { Area, Block, TextLine } from './lines/model'

/**
 * Puts the text of form fields, which the tags of a page don't contain, behind the blocks that it belongs to: those to
 * its left, or else those above it.
 */
export function insertFields(blocks: readonly Block[], lines: readonly TextLine[]): Block[] {
  const followers = blocks.map(() => [] as Block[])
  const first: Block[] = []
  for (const line of lines) {
    const block: Block = { role: 'paragraph', area: areaAround([line]), lines: [line] }
    const at = findLabel(blocks, line)
    ;(followers[at] ?? first).push(block)
  }
  return [...first, ...blocks.flatMap((block, at) => [block, ...(followers[at] ?? [])])]
}

/** The position of the block that a field belongs to. -1 if there is none. */
function findLabel(blocks: readonly Block[], field: Area): number {
  let [best, least] = [-1, Infinity]
  for (const [at, { area, lines, table }] of blocks.entries()) {
    // The lines of a paragraph may be far apart.
    const parts = lines.length > 0 ? lines : table ? [area] : []
    for (const part of parts) {
      const distance = distanceFrom(part, field)
      if (distance <= least) [best, least] = [at, distance]
    }
  }
  return best
}

/** How far a field is from a label before it. Infinity if the label comes after it. */
function distanceFrom(label: Area, field: Area): number {
  const middle = (field.top + field.bottom) / 2
  const isBeside = label.top <= middle && label.bottom >= middle
  if (isBeside) return label.left <= field.left ? Math.max(0, field.left - label.right) : Infinity
  if ((label.top + label.bottom) / 2 > middle) return Infinity
  const aside = Math.max(0, label.left - field.right, field.left - label.right)
  // A label on the same line is nearer than one above.
  return 2 * (middle - label.bottom) + aside + (field.bottom - field.top)
}
