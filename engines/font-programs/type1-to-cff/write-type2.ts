import { DamagedFontError, FontWriter } from '../font-data'
import { writeFlex } from './write-flex'
import { HintList } from './hint-list'
import type { Outline, Step } from './outline'
import { roundOperand, writeOperand } from '../cff/type2-numbers'
import { writeSegments } from './write-segments'
import type { Segment } from './write-segments'

const VMOVETO = 4
const ENDCHAR = 14
const RMOVETO = 21
const HMOVETO = 22

/** Maximum length of a charstring, because readers keep lengths in 16 bits. */
const MOST_BYTES = 65_535

/**
 * Writes a Type 2 charstring (Adobe Technical Note 5177). `width` is its width operand, or undefined for the default
 * width. Throws `DamagedFontError` for an outline beyond the limits of Type 2.
 */
export function writeType2({ steps, composed }: Outline, width: number | undefined): Uint8Array {
  const writer = new FontWriter()
  if (width !== undefined) writeOperand(writer, roundOperand(width))
  if (composed) {
    for (const value of [composed.x, composed.y, composed.base, composed.accent])
      writeOperand(writer, roundOperand(value))
  } else writeSteps(writer, steps)
  writer.u8(ENDCHAR)
  if (writer.length > MOST_BYTES) throw new DamagedFontError('a charstring is too long')
  return writer.finish()
}

function writeSteps(writer: FontWriter, steps: readonly Step[]): void {
  const hints = new HintList(steps)
  hints.writeStart(writer)
  let segments: Segment[] = []
  const finish = (): void => {
    writeSegments(writer, segments)
    segments = []
  }
  let place: [number, number] = [0, 0]
  /** Rounds positions, not distances, so that rounding errors don't add up. */
  const toDistances = (points: readonly number[]): number[] => {
    const distances: number[] = []
    for (let index = 0; index + 1 < points.length; index += 2) {
      const next: [number, number] = [roundOperand(points[index] as number), roundOperand(points[index + 1] as number)]
      distances.push(roundOperand(next[0] - place[0]), roundOperand(next[1] - place[1]))
      place = next
    }
    return distances
  }
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'line' || step.kind === 'curve') {
      segments.push(toDistances(step.points))
      continue
    }
    finish()
    if (step.kind === 'hints') {
      if (index > 0) hints.writeMask(writer, step.hints)
    } else if (step.kind === 'flex') writeFlex(writer, toDistances(step.points), step.height)
    else writeMove(writer, toDistances(step.points))
  }
  finish()
}

function writeMove(writer: FontWriter, [x = 0, y = 0]: readonly number[]): void {
  if (x !== 0 || y === 0) writeOperand(writer, x)
  if (y !== 0) writeOperand(writer, y)
  writer.u8(y === 0 ? HMOVETO : x === 0 ? VMOVETO : RMOVETO)
}
