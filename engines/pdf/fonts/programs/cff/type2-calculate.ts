import { DamagedFontError } from '../font-data'

/** Size of the transient array that `put` and `get` access (Adobe Technical Note 5177, 4.5). */
const MOST_STORED = 32

/** Operators that pop numbers from the stack and push one result, by their second byte. */
const FORMULAS: Readonly<Record<number, (...operands: number[]) => number>> = {
  3: (a = 0, b = 0) => (a && b ? 1 : 0),
  4: (a = 0, b = 0) => (a || b ? 1 : 0),
  5: (a = 0) => (a ? 0 : 1),
  9: (a = 0) => Math.abs(a),
  10: (a = 0, b = 0) => a + b,
  11: (a = 0, b = 0) => a - b,
  12: (a = 0, b = 0) => a / b,
  14: (a = 0) => -a,
  15: (a = 0, b = 0) => (a === b ? 1 : 0),
  22: (a = 0, b = 0, c = 0, d = 0) => (c <= d ? a : b),
  23: () => Number.NaN, // `random`: the result isn't known in advance
  24: (a = 0, b = 0) => a * b,
  26: (a = 0) => Math.sqrt(a),
}

const OPERAND_COUNTS: Readonly<Record<number, number>> = {
  3: 2,
  4: 2,
  5: 1,
  9: 1,
  10: 2,
  11: 2,
  12: 2,
  14: 1,
  15: 2,
  22: 4,
  23: 0,
  24: 2,
  26: 1,
}

const DROP = 18
const PUT = 20
const GET = 21
const DUPLICATE = 27
const EXCHANGE = 28
const PICK = 29
const ROLL = 30

/**
 * Runs an arithmetic or stack operator, given by the byte after the escape byte 12. NaN stands for an unknown result.
 * Throws `DamagedFontError` if operands are missing or invalid, or if the operator is reserved.
 */
export function calculate(operator: number, stack: number[], store: number[]): void {
  const formula = FORMULAS[operator]
  if (formula) stack.push(formula(...popOperands(stack, OPERAND_COUNTS[operator] ?? 0)))
  else moveOperands(operator, stack, store)
}

function moveOperands(operator: number, stack: number[], store: number[]): void {
  switch (operator) {
    case DROP:
      popOperands(stack, 1)
      return
    case PUT: {
      const [value = 0, place = 0] = popOperands(stack, 2)
      store[toPlace(place)] = value
      return
    }
    case GET: {
      const [place = 0] = popOperands(stack, 1)
      stack.push(store[toPlace(place)] ?? 0)
      return
    }
    case DUPLICATE: {
      const [value = 0] = popOperands(stack, 1)
      stack.push(value, value)
      return
    }
    case EXCHANGE: {
      const [one = 0, other = 0] = popOperands(stack, 2)
      stack.push(other, one)
      return
    }
    case PICK: {
      const [depth = 0] = popOperands(stack, 1)
      stack.push(stack.at(-1 - Math.max(0, Math.trunc(depth))) ?? Number.NaN)
      return
    }
    case ROLL:
      roll(stack)
      return
    default:
      throw new DamagedFontError('a charstring has a reserved operator')
  }
}

function roll(stack: number[]): void {
  const [count = 0, shift = 0] = popOperands(stack, 2)
  if (!(count >= 0) || !Number.isInteger(shift)) throw new DamagedFontError('operands are rolled by an unknown number')
  const rolled = popOperands(stack, count)
  const turn = count === 0 ? 0 : ((shift % count) + count) % count
  stack.push(...rolled.slice(count - turn), ...rolled.slice(0, count - turn))
}

/**
 * Removes the last operands from the stack and returns them in their order. Throws `DamagedFontError` if there are
 * fewer.
 */
function popOperands(stack: number[], count: number): number[] {
  if (!Number.isInteger(count) || count > stack.length) throw new DamagedFontError('a charstring has too few operands')
  return stack.splice(stack.length - count, count)
}

function toPlace(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < MOST_STORED) return value
  throw new DamagedFontError('a charstring stores a number at an impossible place')
}
