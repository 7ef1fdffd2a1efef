import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ContourPoint, Outline } from '../../support/redaction-judges/outlines'
import { readTrueType } from '../../support/redaction-judges/true-type-program'

/** A letter as the font writers draw it, in thousandths of an em. */
export interface LetterShape {
  character: string
  /** Name in the Adobe Glyph List. */
  name: string
  advance: number
  /** Quadratic contours. Each begins on the curve and has no implied points. */
  outline: Outline
}

const FONT = fileURLToPath(
  new URL('../../../node_modules/@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf', import.meta.url),
)
const EM = 1000

let source: ReturnType<typeof readTrueType> | undefined

/** The shape of a letter or a space in Arimo. */
export function shapeLetter(character: string): LetterShape {
  source ??= readTrueType(readFileSync(FONT))
  const gid = source.cmaps.get('3,1')?.get(character.charCodeAt(0)) ?? 0
  const scale = EM / source.unitsPerEm
  const outline = (source.outlines[gid] ?? []).map(points =>
    writeImplied(points.map(({ x, y, isOn }) => ({ x: Math.round(x * scale), y: Math.round(y * scale), isOn }))),
  )
  return {
    character,
    name: character === ' ' ? 'space' : character,
    advance: Math.round((source.advances[gid] ?? 0) * scale),
    outline,
  }
}

/** A contour that begins on the curve and has no implied points. */
function writeImplied(points: readonly ContourPoint[]): ContourPoint[] {
  const whole = points.flatMap((point, index) => {
    const next = points[(index + 1) % points.length] ?? point
    const isImplied = !point.isOn && !next.isOn
    return isImplied
      ? [point, { x: Math.round((point.x + next.x) / 2), y: Math.round((point.y + next.y) / 2), isOn: true }]
      : [point]
  })
  const first = whole.findIndex(({ isOn }) => isOn)
  return [...whole.slice(first), ...whole.slice(0, first)]
}

/** A contour as lines and cubic curves, as in Type 1, CFF and Type 3: steps from point to point. */
export function toCubic(points: readonly ContourPoint[]): number[][] {
  const steps: number[][] = []
  for (let index = 1; index <= points.length; index++) {
    const point = points[index % points.length]
    const before = points[index - 1]
    if (!point || !before) continue
    if (before.isOn && point.isOn) steps.push([point.x, point.y])
    if (!point.isOn) {
      const end = points[(index + 1) % points.length] ?? point
      const third = (from: number, control: number): number => Math.round(from + (2 * (control - from)) / 3)
      steps.push([
        third(before.x, point.x),
        third(before.y, point.y),
        third(end.x, point.x),
        third(end.y, point.y),
        end.x,
        end.y,
      ])
    }
  }
  return steps
}
