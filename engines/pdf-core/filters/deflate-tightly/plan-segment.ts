import { estimateDynamic, planBest, planDynamic, planFixed } from './block-plan'
import type { BlockPlan } from './block-plan'
import { Parser } from './parse'
import type { Segment } from './parse'
import { splitBlocks } from './split-blocks'
import { costsOf, firstCosts, fixedCosts } from './symbol-costs'

/**
 * Maximum number of times blocks are parsed after each split. Blocks are split again because their symbols are better
 * known then.
 */
const PASSES = [1, 4]

/** A block of smaller size is also parsed for the fixed codes, in bytes. */
const SMALL_BYTES = 2000

/** A segment of smaller size is planned twice, from other first costs, in bytes. */
const MEDIUM_BYTES = 10_000

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
  const starts = data.length > MEDIUM_BYTES ? [firstCosts(data)] : [firstCosts(data), fixedCosts()]
  let best: (PlannedSegment & { bits: number }) | undefined
  for (const costs of starts) {
    parser.parse(0, data.length, costs)
    const { ends, choices } = splitAndImprove(parser, data)
    const blocks = joinBlocks(parser, ends, choices)
    const bits = blocks.reduce((sum, { plan }) => sum + plan.bits, 0)
    if (!best || bits < best.bits) best = { blocks, choices, bits }
  }
  return best as NonNullable<typeof best>
}

/** Splits what the parser chose into blocks, and improves each. Returns where the blocks end, and their symbols. */
function splitAndImprove(parser: Parser, data: Uint8Array): { ends: number[]; choices: Uint32Array } {
  let best: { choices: Uint32Array; bits: number; ends: number[] } | undefined
  for (const passes of PASSES) {
    const choices = (best?.choices ?? parser.choices).slice()
    const ends = splitBlocks(data, choices)
    let bits = 0
    for (const [index, end] of ends.entries())
      bits += improveBlock(parser, { start: ends[index - 1] ?? 0, end, choices, passes })
    if (best && bits >= best.bits) break
    best = { choices, bits, ends }
  }
  return best as NonNullable<typeof best>
}

/**
 * Parses a block with the costs of its own symbols until it stops getting smaller, `passes` times at most. Writes the
 * best symbols into `choices`, which has symbols for the block already. Returns the estimated size in bits.
 */
function improveBlock(
  parser: Parser,
  { start, end, choices, passes }: { start: number; end: number; choices: Uint32Array; passes: number },
): number {
  let counts = parser.count(start, end, choices)
  let best = estimateDynamic(counts)
  for (let pass = 0; pass < passes; pass++) {
    parser.parse(start, end, costsOf(counts))
    counts = parser.count(start, end)
    const bits = estimateDynamic(counts)
    if (bits >= best) break
    best = bits
    choices.set(parser.choices.subarray(start, end), start)
  }
  return best
}

/** Joins neighbors that are smaller together, and gives each block its codes. */
function joinBlocks(parser: Parser, ends: readonly number[], choices: Uint32Array): PlannedBlock[] {
  const joined: PlannedBlock[] = []
  for (const [index, end] of ends.entries()) {
    const start = ends[index - 1] ?? 0
    let block = { start, end, plan: planDynamic(parser.count(start, end, choices)) }
    for (let previous = joined.at(-1); previous; previous = joined.at(-1)) {
      const plan = planDynamic(parser.count(previous.start, end, choices))
      if (plan.bits > previous.plan.bits + block.plan.bits) break
      joined.pop()
      block = { start: previous.start, end, plan }
    }
    joined.push(block)
  }
  return joined.map(block => finishBlock(parser, block, choices))
}

/** Chooses the codes of a block. Writes other symbols into `choices` if the fixed codes need them and are smaller. */
function finishBlock(parser: Parser, { start, end }: PlannedBlock, choices: Uint32Array): PlannedBlock {
  const plan = planBest(parser.count(start, end, choices))
  if (end - start > SMALL_BYTES) return { start, end, plan }
  parser.parse(start, end, fixedCosts())
  const fixed = planFixed(parser.count(start, end))
  if (fixed.bits >= plan.bits) return { start, end, plan }
  choices.set(parser.choices.subarray(start, end), start)
  return { start, end, plan: fixed }
}
