import { areaAround } from './lines/model'
import type { Block } from './lines/model'

/** Joins a paragraph or code that goes on in the next column. */
export function mergeDivided(flows: readonly Block[][]): Block[] {
  const blocks: Block[] = []
  for (const flow of flows) {
    const [first, ...others] = flow
    const last = blocks.at(-1)
    if (first && last && goesOn(last, first))
      blocks[blocks.length - 1] = {
        ...last,
        lines: [...last.lines, ...first.lines],
        area: areaAround([last.area, first.area]),
      }
    else if (first) blocks.push(first)
    blocks.push(...others)
  }
  return blocks
}

function goesOn(before: Block, next: Block): boolean {
  if (before.role === 'code' && next.role === 'code') return isOneCode(before, next)
  if (next.role !== 'paragraph' || (before.role !== 'paragraph' && before.role !== 'list-item')) return false
  const [last, first] = [before.lines.at(-1), next.lines[0]]
  const [lastWord, firstWord] = [last?.words.at(-1)?.text ?? '', first?.words[0]?.text ?? '']
  if (!last || !first || Math.abs(last.size - first.size) > 0.5 || last.isBold !== first.isBold) return false
  if (last.words.length < 3) return false
  return /\p{L}[-\u00ad]$/u.test(lastWord) || (/^\p{Ll}/u.test(firstWord) && !/[.!?:;]["”')]?$/.test(lastWord))
}

/** Returns whether code goes on in the next column, in the same size. */
function isOneCode(before: Block, next: Block): boolean {
  const [last, first] = [before.lines.at(-1), next.lines[0]]
  return last !== undefined && first !== undefined && Math.abs(last.size - first.size) < 0.1 * last.size
}
