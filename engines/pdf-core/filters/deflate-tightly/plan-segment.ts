import { planBest, planDynamic, planFixed } from './block-plan'
import type { BlockPlan } from './block-plan'
import { Parser } from './parse'
import type { Segment, SymbolCounts } from './parse'
import { splitBlocks } from './split-blocks'
import { costsOf, firstCosts, fixedCosts } from './symbol-costs'

/** Maximum number of times a block is parsed after it was split off. */
const PASSES = 4

/** Number of times blocks are split. The second time, the symbols are better known. */
const SPLITS = 2

/** A block of smaller size is also parsed for the fixed codes, in bytes. */
const SMALL_BYTES = 2000

/** A block, whose positions count from the start of the segment. */
export interface PlannedBlock {
  start: number
  end: number
  plan: BlockPlan
}

/** The blocks of a segment and the symbols of all blocks. */
export interface PlannedSegment {
  blocks: PlannedBlock[]
  /** The symbol at each position, in the form of the parser. */
  choices: Uint32Array
}

/** Plans the blocks of a segment. */
export function planSegment(segment: Segment): PlannedSegment {
  const data = segment.data.subarray(segment.start, segment.end)
  const parser = new Parser(segment)
  parser.parse(0, data.length, firstCosts(data))
  let best: { choices: Uint32Array; bits: number; blocks: PlannedBlock[] } | undefined
  for (let split = 0; split < SPLITS; split++) {
    const choices = best?.choices ?? parser.choices
    const ends = splitBlocks(data, choices)
    if (best && ends.join() === best.blocks.map(({ end }) => end).join()) break
    const next = { choices: choices.slice(), bits: 0, blocks: [] as PlannedBlock[] }
    let start = 0
    for (const end of ends) {
      const plan = improveBlock(parser, start, end, next.choices)
      next.bits += plan.bits
      next.blocks.push({ start, end, plan })
      start = end
    }
    if (best && next.bits >= best.bits) break
    best = next
  }
  const { blocks, choices } = best as NonNullable<typeof best>
  return { blocks: joinBlocks(parser, blocks, choices), choices }
}

/**
 * Parses a block with the costs of its own symbols until it stops getting smaller. Writes the best symbols into
 * `choices`, which has symbols for the block already.
 */
function improveBlock(parser: Parser, start: number, end: number, choices: Uint32Array): BlockPlan {
  let counts: SymbolCounts = countBefore(parser, start, end, choices)
  let best = planDynamic(counts)
  let isFirst = true
  for (let pass = 0; pass < PASSES; pass++) {
    parser.parse(start, end, costsOf(counts))
    counts = parser.count(start, end)
    const plan = planDynamic(counts)
    const isBetter = plan.bits < best.bits
    // A block may cut the match at its end, so the symbols before may not fit. The first parse always counts.
    if (isBetter || isFirst) {
      best = plan
      choices.set(parser.choices.subarray(start, end), start)
    } else break
    isFirst = false
  }
  if (end - start > SMALL_BYTES) return best
  parser.parse(start, end, fixedCosts())
  const fixed = planFixed(parser.count(start, end))
  if (fixed.bits >= best.bits) return best
  choices.set(parser.choices.subarray(start, end), start)
  return fixed
}

function countBefore(parser: Parser, start: number, end: number, choices: Uint32Array): SymbolCounts {
  return parser.count(start, end, choices)
}

/** Gives each block its final codes, and joins neighbors that are smaller together. */
function joinBlocks(parser: Parser, blocks: readonly PlannedBlock[], choices: Uint32Array): PlannedBlock[] {
  const joined: PlannedBlock[] = []
  for (const { start, end } of blocks) {
    let block = { start, end, plan: planBest(parser.count(start, end, choices)) }
    for (let previous = joined.at(-1); previous; previous = joined.at(-1)) {
      const plan = planBest(parser.count(previous.start, end, choices))
      if (plan.bits > previous.plan.bits + block.plan.bits) break
      joined.pop()
      block = { start: previous.start, end, plan }
    }
    joined.push(block)
  }
  return joined
}
