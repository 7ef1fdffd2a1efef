import type { Face } from './face'
import { measureInk } from './typesetter'
import type { ShapedText } from './typesetter'

/** Lines of text below each other. All measures are in thousandths of the font size. */
export interface TextBlock {
  lines: readonly ShapedText[]
  /** Distance of each baseline from the upper edge of the block. */
  baselines: readonly number[]
  /** Width of the widest line. */
  width: number
  height: number
}

/**
 * Stacks lines. Each line is as high as the main face, so that blocks with equally many lines have the same baselines.
 * A line is higher only if its ink extends beyond that.
 */
export function stackLines(lines: readonly ShapedText[], mainFace: Pick<Face, 'ascent' | 'descent'>): TextBlock {
  const baselines: number[] = []
  let height = 0
  for (const line of lines) {
    const ink = measureInk(line)
    const baseline = height + Math.max(mainFace.ascent, ink?.top ?? 0)
    baselines.push(baseline)
    height = baseline + Math.max(-mainFace.descent, -(ink?.bottom ?? 0))
  }
  return { lines, baselines, width: Math.max(0, ...lines.map(line => line.width)), height }
}
