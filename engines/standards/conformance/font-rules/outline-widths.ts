import { DictKey, FontData, bytesAfter, readShortInteger, readUnlessDamaged, walkCharstring } from '../../../pdf/fonts'
import type { CffProgram, Type1Program } from '../../../pdf/fonts'
import { findOrAdd } from '../../../map-entries'

/** Operators of a CFF Private DICT (Adobe Technical Note 5176, 15). */
const DEFAULT_WIDTH = 20
const NOMINAL_WIDTH = 21

/** Operators of Type 1 charstrings that state the width (Adobe Type 1 Font Format, 6.4). */
const SIDE_BEARING = 13
const ESCAPE = 12
const ESCAPED_SIDE_BEARING = 7
const DIVIDE = 12
const CALL = 10
const RETURN = 11
const LONG = 255

/** The usual scale of a font matrix: a thousandth of an em. */
const USUAL_SCALE = 0.001

/** Operators that are run for all widths of one CFF program. */
const MOST_OPERATORS = 20_000_000
const MOST_STEPS = 1000

const TYPE1_MATRIX = /\/FontMatrix\s*\[\s*([-+.\deE]+)/

const budgets = new WeakMap<CffProgram, { left: number }>()

/** The width of a CFF glyph in thousandths of an em. Undefined if its charstring can't be read. */
export function widthOfCffGlyph(program: CffProgram, glyph: number): number | undefined {
  const { charStrings, globalSubrs, parts, partOf, top } = program.content
  const budget = findOrAdd(budgets, program, () => ({ left: MOST_OPERATORS }))
  const part = parts[partOf[glyph] ?? 0]
  if (!part) return undefined
  const walked = readUnlessDamaged(() =>
    walkCharstring(charStrings.get(glyph), {
      local: { index: part.subrs, used: new Map() },
      global: { index: globalSubrs, used: new Map() },
      budget,
    }),
  )
  if (!walked) return undefined
  // veraPDF takes both as whole numbers, and so decides widths that differ by about 1.
  const number = (key: number): number => Math.trunc(part.dict.get(key)?.operands[0] ?? 0)
  const width = walked.width === undefined ? number(DEFAULT_WIDTH) : walked.width + number(NOMINAL_WIDTH)
  const whole = top.get(DictKey.fontMatrix)?.operands[0]
  const own = part.fontDict === top ? undefined : part.fontDict.get(DictKey.fontMatrix)?.operands[0]
  const scale = whole !== undefined && own !== undefined ? Math.max(whole * own, Math.min(whole, own)) : (whole ?? own)
  return Number.isNaN(width) ? undefined : width * (scale ?? USUAL_SCALE) * 1000
}

/** The width of a Type 1 glyph in thousandths of an em. Undefined if its charstring can't be read. */
export function widthOfType1Glyph({ content }: Type1Program, name: string): number | undefined {
  const { charStrings, subrs } = content.hidden
  const charstring = charStrings.get(name)
  const width = charstring && readUnlessDamaged(() => readSideBearing(charstring, subrs))
  const scale = Number(TYPE1_MATRIX.exec(content.clear)?.[1] ?? USUAL_SCALE)
  return width === undefined || Number.isNaN(scale) ? undefined : width * scale * 1000
}

/** Charstrings begin with their side bearing and width, which may be quotients and may be in a subroutine. */
function readSideBearing(charstring: Uint8Array, subrs: ReadonlyMap<number, Uint8Array>): number | undefined {
  const stack: number[] = []
  const callers: { data: FontData; at: number }[] = []
  let [data, at] = [new FontData(charstring), 0]
  for (let step = 0; step < MOST_STEPS; step++) {
    const first = data.u8(at++)
    if (first >= 32) at += pushNumber(stack, data, first, at)
    else if (first === SIDE_BEARING) return stack[1]
    else if (first === CALL) {
      const subr = subrs.get(stack.pop() ?? -1)
      if (!subr) return undefined
      callers.push({ data, at })
      ;[data, at] = [new FontData(subr), 0]
    } else if (first === RETURN) {
      const caller = callers.pop()
      if (!caller) return undefined
      ;[data, at] = [caller.data, caller.at]
    } else if (first === ESCAPE) {
      const second = data.u8(at++)
      if (second === ESCAPED_SIDE_BEARING) return stack[2]
      if (second !== DIVIDE) return undefined
      const [divisor = 1, dividend = 0] = [stack.pop(), stack.pop()]
      stack.push(dividend / divisor)
    } else return undefined
  }
  return undefined
}

/** Pushes the number that begins with a byte. Returns how many bytes follow that byte. */
function pushNumber(stack: number[], data: FontData, first: number, at: number): number {
  stack.push(first === LONG ? data.u32(at) | 0 : readShortInteger(data, first, at))
  return first === LONG ? 4 : bytesAfter(first)
}
