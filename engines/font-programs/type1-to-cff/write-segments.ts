import type { FontWriter } from '../font-data'
import { sizeOfOperand, writeOperand } from '../cff/type2-numbers'

/** Size of the operand stack in Type 2 interpreters. */
const MOST_OPERANDS = 48

/** A line or a curve, as x and y of one or three points. Each point is relative to the one before. */
export type Segment = readonly number[]

/** Path construction operators (Adobe Technical Note 5177, 4.1). */
const RLINETO = 5
const HLINETO = 6
const VLINETO = 7
const RRCURVETO = 8
const RCURVELINE = 24
const RLINECURVE = 25
const VVCURVETO = 26
const HHCURVETO = 27
const VHCURVETO = 30
const HVCURVETO = 31

/** A run of segments that one operator draws. It starts at the index `from`. */
interface Run {
  from: number
  operator: number
  /** Minimum number of bytes for all segments from the first one to the end of this run. */
  size: number
}

/** Writes lines and curves with the operators that take the fewest bytes in total. */
export function writeSegments(writer: FontWriter, segments: readonly Segment[]): void {
  for (const { from, to, operator } of new RunFinder(segments).find()) {
    for (const operand of listOperands(operator, segments.slice(from, to))) writeOperand(writer, operand)
    writer.u8(operator)
  }
}

/**
 * Finds the operators with the fewest bytes as a shortest path, in which each operator leads from one segment to a
 * later one.
 */
class RunFinder {
  /** For each segment and for the end, the best run that ends directly before. */
  private readonly best: (Run | undefined)[]

  constructor(private readonly segments: readonly Segment[]) {
    this.best = Array.from({ length: segments.length + 1 })
  }

  find(): { from: number; to: number; operator: number }[] {
    const { length } = this.segments
    for (let from = 0; from < length; from++) {
      if (isLine(this.segments[from])) {
        this.tryLines(from)
        this.tryTurningLines(from, HLINETO)
        this.tryTurningLines(from, VLINETO)
      } else {
        this.tryCurves(from)
        this.tryParallelCurves(from, HHCURVETO)
        this.tryParallelCurves(from, VVCURVETO)
        this.tryTurningCurves(from, HVCURVETO)
        this.tryTurningCurves(from, VHCURVETO)
      }
    }
    const runs: { from: number; to: number; operator: number }[] = []
    for (let to = length; to > 0;) {
      const { from, operator } = this.best[to] as Run
      runs.push({ from, to, operator })
      to = from
    }
    return runs.reverse()
  }

  private note(operator: number, { from, to, bytes }: { from: number; to: number; bytes: number }): void {
    const size = (this.best[from]?.size ?? 0) + bytes + 1
    if (size < (this.best[to]?.size ?? Number.POSITIVE_INFINITY)) this.best[to] = { from, operator, size }
  }

  private tryLines(from: number): void {
    const { segments } = this
    let bytes = 0
    for (let at = from; isLine(segments[at]) && (at - from + 1) * 2 <= MOST_OPERANDS; at++) {
      bytes += sizeOf(segments[at])
      this.note(RLINETO, { from, to: at + 1, bytes })
      const next = segments[at + 1]
      if (isCurve(next) && (at - from + 1) * 2 + 6 <= MOST_OPERANDS)
        this.note(RLINECURVE, { from, to: at + 2, bytes: bytes + sizeOf(next) })
    }
  }

  private tryCurves(from: number): void {
    const { segments } = this
    let bytes = 0
    for (let at = from; isCurve(segments[at]) && (at - from + 1) * 6 <= MOST_OPERANDS; at++) {
      bytes += sizeOf(segments[at])
      this.note(RRCURVETO, { from, to: at + 1, bytes })
      const next = segments[at + 1]
      if (isLine(next) && (at - from + 1) * 6 + 2 <= MOST_OPERANDS)
        this.note(RCURVELINE, { from, to: at + 2, bytes: bytes + sizeOf(next) })
    }
  }

  /** Tries lines that are horizontal and vertical in turn. */
  private tryTurningLines(from: number, operator: typeof HLINETO | typeof VLINETO): void {
    let bytes = 0
    for (let at = from; at - from < MOST_OPERANDS; at++) {
      const line = this.segments[at]
      const along = isHorizontal(operator === HLINETO, at - from) ? 0 : 1
      if (!isLine(line) || line[1 - along] !== 0) return
      bytes += sizeOfOperand(line[along] as number)
      this.note(operator, { from, to: at + 1, bytes })
    }
  }

  /**
   * Tries curves that begin and end in the same direction, horizontal or vertical. The first one may begin in another
   * direction.
   */
  private tryParallelCurves(from: number, operator: typeof HHCURVETO | typeof VVCURVETO): void {
    const along = operator === HHCURVETO ? 0 : 1
    let [bytes, count] = [0, 0]
    for (let at = from; ; at++) {
      const curve = this.segments[at]
      if (!isCurve(curve) || curve[5 - along] !== 0) return
      const turn = curve[1 - along] as number
      if (turn !== 0 && at > from) return
      bytes += sizeOf(curve) - 1 - (turn === 0 ? 1 : 0)
      count += turn === 0 ? 4 : 5
      if (count > MOST_OPERANDS) return
      this.note(operator, { from, to: at + 1, bytes })
    }
  }

  /**
   * Tries curves that each begin in the direction in which the one before ended, horizontal and vertical in turn. The
   * last one may end in any direction.
   */
  private tryTurningCurves(from: number, operator: typeof HVCURVETO | typeof VHCURVETO): void {
    let bytes = 0
    for (let at = from; (at - from + 1) * 4 <= MOST_OPERANDS; at++) {
      const curve = this.segments[at]
      const along = isHorizontal(operator === HVCURVETO, at - from) ? 0 : 1
      if (!isCurve(curve) || curve[1 - along] !== 0) return
      const isTurned = curve[4 + along] === 0
      bytes += sizeOf(curve) - 1 - (isTurned ? 1 : 0)
      if (isTurned || (at - from + 1) * 4 < MOST_OPERANDS) this.note(operator, { from, to: at + 1, bytes })
      if (!isTurned) return
    }
  }
}

function isLine(segment: Segment | undefined): segment is Segment {
  return segment?.length === 2
}

function isCurve(segment: Segment | undefined): segment is Segment {
  return segment?.length === 6
}

/**
 * Returns whether the segment with this index in a run is horizontal, if segments are horizontal and vertical in turn.
 */
function isHorizontal(isFirst: boolean, number: number): boolean {
  return number % 2 === 0 ? isFirst : !isFirst
}

function sizeOf(segment: Segment | undefined): number {
  return segment?.reduce((sum, value) => sum + sizeOfOperand(value), 0) ?? 0
}

function listOperands(operator: number, segments: readonly Segment[]): number[] {
  const pick = (segment: Segment, places: readonly number[]): number[] => places.map(place => segment[place] as number)
  switch (operator) {
    case HLINETO:
    case VLINETO:
      return segments.map((line, number) => (isHorizontal(operator === HLINETO, number) ? line[0] : line[1]) as number)
    case HHCURVETO:
    case VVCURVETO: {
      const turn = segments[0]?.[operator === HHCURVETO ? 1 : 0] as number
      const places = operator === HHCURVETO ? [0, 2, 3, 4] : [1, 2, 3, 5]
      return [...(turn === 0 ? [] : [turn]), ...segments.flatMap(curve => pick(curve, places))]
    }
    case HVCURVETO:
    case VHCURVETO:
      return segments.flatMap((curve, number) => {
        const isAlong = isHorizontal(operator === HVCURVETO, number)
        const rest = curve[isAlong ? 4 : 5] as number
        return [...pick(curve, isAlong ? [0, 2, 3, 5] : [1, 2, 3, 4]), ...(rest === 0 ? [] : [rest])]
      })
    default:
      return segments.flat()
  }
}
