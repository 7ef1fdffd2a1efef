/** A step of a program: a number to push, an operator, or a conditional. */
type Step = number | string | { whenTrue: Step[]; whenFalse: Step[] }

/** A PostScript calculator function (ISO 32000-2, 7.10.5). */
export interface Calculator {
  /** Number of tokens, including all branches. */
  tokenCount: number
  /** Runs the program and returns the stack, top value last. Undefined if there are too few values for an operator. */
  run(inputs: readonly number[]): number[] | undefined
}

const MOST_TOKENS = 200_000
const MOST_DEPTH = 500

/** Maximum number of values on the stack (ISO 32000-2, annex C). */
const MOST_VALUES = 100

type Value = number | boolean

/** Reads the program of a type 4 function. Undefined if it isn't valid. */
export function readCalculator(source: string): Calculator | undefined {
  const tokens = readTokens(source)
  if (tokens.length > MOST_TOKENS || tokens[0] !== '{') return undefined
  const steps = compile(tokens)
  if (!steps) return undefined
  return {
    tokenCount: tokens.length,
    run(inputs) {
      const stack: Value[] = [...inputs]
      return execute(steps, stack) ? stack.map(Number) : undefined
    },
  }
}

/** Writes the program of a type 4 function anew from its numbers, operators and braces, without anything else. */
export function writeCalculator(source: string): string {
  return readTokens(source)
    .flatMap(token => {
      if (/^(?:[{}]|if|ifelse)$/.test(token) || isOperator(token)) return [token]
      return Number.isFinite(Number(token)) ? [writeFloat(Number(token))] : []
    })
    .join(' ')
}

/** Readers calculate with numbers of about seven digits. PDF has no exponents. */
const DIGITS = 7
const MOST_DECIMALS = 20

function writeFloat(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS))
  const text = String(Number.isInteger(value) ? value : rounded)
  return text.includes('e') ? rounded.toFixed(MOST_DECIMALS).replace(/\.?0+$/, '') : text
}

function readTokens(source: string): string[] {
  return source.replace(/%[^\r\n]*/g, ' ').match(/[{}]|[^\s{}\0]+/g) ?? []
}

function isOperator(token: string): boolean {
  return Object.hasOwn(OPERATORS, token) || Object.hasOwn(STACK_OPERATORS, token)
}

function compile(tokens: readonly string[]): Step[] | undefined {
  const open: (Step | Step[])[][] = []
  for (const token of tokens) {
    const block = open.at(-1)
    if (token === '{') {
      if (open.push([]) > MOST_DEPTH) return undefined
    } else if (token === '}') {
      const closed = open.pop()
      if (!closed || closed.some(step => Array.isArray(step))) return undefined
      const steps = closed as Step[] // has no nested arrays, as checked above
      const outer = open.at(-1)
      if (!outer) return steps
      outer.push(steps)
    } else if (!block) return undefined
    else if (token === 'if' || token === 'ifelse') {
      const whenFalse = token === 'ifelse' ? block.pop() : []
      const whenTrue = block.pop()
      if (!Array.isArray(whenTrue) || !Array.isArray(whenFalse)) return undefined
      block.push({ whenTrue, whenFalse })
    } else {
      const number = Number(token)
      if (Number.isFinite(number)) block.push(number)
      else if (isOperator(token)) block.push(token)
      else return undefined
    }
  }
  return undefined
}

function execute(steps: readonly Step[], stack: Value[]): boolean {
  for (const step of steps) {
    if (stack.length > MOST_VALUES) return false
    if (typeof step === 'number') stack.push(step)
    else if (typeof step === 'object') {
      if (stack.length === 0 || !execute(stack.pop() === true ? step.whenTrue : step.whenFalse, stack)) return false
    } else {
      const operator = OPERATORS[step]
      if (!operator) {
        if (!STACK_OPERATORS[step]?.(stack)) return false
        continue
      }
      if (stack.length < operator.length) return false
      const operands = stack.splice(stack.length - operator.length)
      stack.push(operator(operands[0] ?? 0, operands[1] ?? 0))
    }
  }
  return true
}

const degrees = (radians: number): number => (radians * 180) / Math.PI
const radians = (angle: Value): number => (Number(angle) * Math.PI) / 180
const logic = (
  one: Value,
  other: Value,
  whole: (a: number, b: number) => number,
  truth: (a: boolean, b: boolean) => boolean,
): Value =>
  typeof one === 'boolean' && typeof other === 'boolean' ? truth(one, other) : whole(Number(one), Number(other))

/** Operators that replace their operands with one value (ISO 32000-2, table 42). */
const OPERATORS: Record<string, (...values: [Value, Value]) => Value> = {
  abs: (a: Value) => Math.abs(Number(a)),
  add: (a: Value, b: Value) => Number(a) + Number(b),
  and: (a: Value, b: Value) =>
    logic(
      a,
      b,
      (one, other) => one & other,
      (one, other) => one && other,
    ),
  atan: (a: Value, b: Value) => (degrees(Math.atan2(Number(a), Number(b))) + 360) % 360,
  bitshift: (a: Value, b: Value) => (Number(b) >= 0 ? Number(a) << Number(b) : Number(a) >> -Number(b)),
  ceiling: (a: Value) => Math.ceil(Number(a)),
  cos: (a: Value) => Math.cos(radians(a)),
  cvi: (a: Value) => Math.trunc(Number(a)),
  cvr: (a: Value) => a,
  div: (a: Value, b: Value) => Number(a) / Number(b),
  eq: (a: Value, b: Value) => a === b,
  exp: (a: Value, b: Value) => Number(a) ** Number(b),
  false: () => false,
  floor: (a: Value) => Math.floor(Number(a)),
  ge: (a: Value, b: Value) => a >= b,
  gt: (a: Value, b: Value) => a > b,
  idiv: (a: Value, b: Value) => Math.trunc(Math.trunc(Number(a)) / Math.trunc(Number(b))),
  le: (a: Value, b: Value) => a <= b,
  ln: (a: Value) => Math.log(Number(a)),
  log: (a: Value) => Math.log10(Number(a)),
  lt: (a: Value, b: Value) => a < b,
  mod: (a: Value, b: Value) => Math.trunc(Number(a)) % Math.trunc(Number(b)),
  mul: (a: Value, b: Value) => Number(a) * Number(b),
  ne: (a: Value, b: Value) => a !== b,
  neg: (a: Value) => -Number(a),
  not: (a: Value) => (typeof a === 'boolean' ? !a : ~a),
  or: (a: Value, b: Value) =>
    logic(
      a,
      b,
      (one, other) => one | other,
      (one, other) => one || other,
    ),
  round: (a: Value) => Math.round(Number(a)),
  sin: (a: Value) => Math.sin(radians(a)),
  sqrt: (a: Value) => Math.sqrt(Number(a)),
  sub: (a: Value, b: Value) => Number(a) - Number(b),
  true: () => true,
  truncate: (a: Value) => Math.trunc(Number(a)),
  xor: (a: Value, b: Value) =>
    logic(
      a,
      b,
      (one, other) => one ^ other,
      (one, other) => one !== other,
    ),
}

/** Operators that rearrange the stack. They return false if there are too few values. */
const STACK_OPERATORS: Record<string, (stack: Value[]) => boolean> = {
  pop: stack => stack.pop() !== undefined,
  dup: stack => repeat(stack, 1),
  exch: stack => roll(stack, 2, 1),
  copy: stack => repeat(stack, Number(stack.pop())),
  index(stack) {
    const value = stack.at(-1 - (1 + Number(stack.at(-1))))
    if (value === undefined) return false
    stack[stack.length - 1] = value
    return true
  },
  roll(stack) {
    const by = Number(stack.pop())
    return roll(stack, Number(stack.pop()), by)
  },
}

function repeat(stack: Value[], count: number): boolean {
  if (!(count >= 0 && count <= stack.length)) return false
  stack.push(...stack.slice(stack.length - count))
  return true
}

function roll(stack: Value[], count: number, by: number): boolean {
  if (!(count >= 0 && count <= stack.length) || !Number.isFinite(by)) return false
  if (count === 0) return true
  const part = stack.splice(stack.length - count)
  const shift = ((Math.trunc(by) % count) + count) % count
  stack.push(...part.slice(count - shift), ...part.slice(0, count - shift))
  return true
}
