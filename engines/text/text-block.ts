import type { Face } from './face'
import { measureInk } from './typesetter'
import type { ShapedText } from './typesetter'

/** Lines one below the other, as high as what stands in them; in thousandths of the font size. */
export interface TextBlock {
  lines: readonly ShapedText[]
  /** Of each line's baseline, below the upper edge of the block. */
  baselines: readonly number[]
  /** Of the widest line. */
  width: number
  height: number
}

/**
 * Stacks lines. Each is as high as the main face, so that blocks of the same number of lines have their baselines in
 * common, and higher only where a script draws beyond that.
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
