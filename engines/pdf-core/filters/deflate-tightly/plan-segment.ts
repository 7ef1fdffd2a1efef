import { estimateDynamic, planBest, planFixed } from './block-plan'
import type { BlockPlan } from './block-plan'
import { Parser } from './parse'
import type { Segment } from './parse'
import { splitBlocks } from './split-blocks'
import { costsOf, firstCosts, fixedCosts } from './symbol-costs'

/** Maximum number of times that a block is parsed again. */
const MOST_PASSES = 3

/** A block of smaller size is also parsed for the fixed codes, in bytes. */
const SMALL_BYTES = 200

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
  const choices = parser.choices.slice()
  const ends = splitBlocks(data, choices)
  for (const [index, end] of ends.entries()) improveBlock(parser, { start: ends[index - 1] ?? 0, end, choices })
  return { blocks: joinBlocks(parser, ends, choices), choices }
}

/**
 * Parses a block with the costs of its own symbols until it stops getting smaller. Writes the best symbols into
 * `choices`, which has symbols for the block already.
 */
function improveBlock(
  parser: Parser,
  { start, end, choices }: { start: number; end: number; choices: Uint32Array },
): void {
  let counts = parser.count(start, end, choices)
  let best = estimateDynamic(counts)
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    parser.parse(start, end, costsOf(counts))
    counts = parser.count(start, end)
    const bits = estimateDynamic(counts)
    if (bits >= best) break
    best = bits
    choices.set(parser.choices.subarray(start, end), start)
  }
}

/** Joins neighbors that are smaller together, and gives each block its codes. */
function joinBlocks(parser: Parser, ends: readonly number[], choices: Uint32Array): PlannedBlock[] {
  const joined: { start: number; end: number; bits: number }[] = []
  const estimate = (start: number, end: number): number => estimateDynamic(parser.count(start, end, choices))
  for (const [index, end] of ends.entries()) {
    const start = ends[index - 1] ?? 0
    let block = { start, end, bits: ends.length === 1 ? 0 : estimate(start, end) }
    for (let previous = joined.at(-1); previous; previous = joined.at(-1)) {
      const bits = estimate(previous.start, end)
      if (bits > previous.bits + block.bits) break
      joined.pop()
      block = { start: previous.start, end, bits }
    }
    joined.push(block)
  }
  return joined.map(block => finishBlock(parser, block, choices))
}

/** Chooses the codes of a block. Writes other symbols into `choices` if the fixed codes need them and are smaller. */
function finishBlock(parser: Parser, { start, end }: Omit<PlannedBlock, 'plan'>, choices: Uint32Array): PlannedBlock {
  const plan = planBest(parser.count(start, end, choices))
  if (end - start > SMALL_BYTES) return { start, end, plan }
  parser.parse(start, end, fixedCosts())
  const fixed = planFixed(parser.count(start, end))
  if (fixed.bits >= plan.bits) return { start, end, plan }
  choices.set(parser.choices.subarray(start, end), start)
  return { start, end, plan: fixed }
}
