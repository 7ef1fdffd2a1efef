import { chainMatrices } from '../../../geometry/matrix'
import type { Matrix } from '../../../geometry/matrix'
import { writeMatrixOperands } from './operand-text'
import { NEEDS, SLOTS } from './state-slots'

/** How far a matrix may be from the identity that it was meant to be, in its factors and in its distances. */
const LEAST_FACTOR = 2e-6
const LEAST_DISTANCE = 2e-4

/** An operation that sets parameters. */
export interface Setting {
  text: string
  slots: readonly number[]
  /** For a color, the operation that sets its color space, and the one that sets the color in it. */
  space?: string
  color?: string
  /** Whether it sets a soft mask, which depends on the current matrix. */
  isMask?: boolean
}

interface HeldSetting extends Setting {
  order: number
  /** How many states were saved when it was set. */
  depth: number
}

/** Operations whose order matters: changes of the matrix, clipping paths, and soft masks. */
type Step =
  | { kind: 'matrix'; matrix: Matrix; text: string | undefined }
  | { kind: 'clip'; text: string }
  | { kind: 'mask'; setting: HeldSetting }

type Settings = (HeldSetting | undefined)[]

/** A saved graphics state, or the first one. */
interface Level {
  /** What the content sets. */
  wanted: Settings
  /** What is written. Only used if the level is. */
  written: Settings
  steps: Step[]
  isWritten: boolean
  /** Whether nothing has changed since `q`. */
  isFresh: boolean
  /** How many more times the state was saved without a change. */
  repeats: number
}

/**
 * The graphics state of content (ISO 32000-2, 8.4) that isn't written yet. It is held back until something is painted
 * with it. What nothing is painted with is never written.
 */
export class HeldState {
  private readonly levels: Level[] = [
    { wanted: [], written: [], steps: [], isWritten: true, isFresh: false, repeats: 0 },
  ]
  private order = 0
  /** Position of the last level that is written. */
  private writtenDepth = 0
  /** What the last call of `settle` was for. Undefined if anything has changed since then. */
  private settled: readonly number[] | undefined

  /** `write` receives what is written. `reach` is called when a level of the output is reached, from 0. */
  constructor(
    private readonly write: (text: string) => void,
    private readonly reach: (depth: number) => void,
  ) {}

  /** How many states are saved, apart from repeated ones. */
  get depth(): number {
    return this.levels.length - 1
  }

  set(setting: Setting): void {
    const level = this.change()
    const held: HeldSetting = { ...setting, order: this.order++, depth: this.depth }
    for (const slot of setting.slots) level.wanted[slot] = held
    if (setting.isMask) level.steps.push({ kind: 'mask', setting: held })
  }

  /** Sets a color in the current color space. */
  setColor(slot: number, color: string): void {
    const space = this.top.wanted[slot]?.space
    this.set({ text: space === undefined ? color : `${space} ${color}`, slots: [slot], color, ...(space && { space }) })
  }

  transform(matrix: Matrix, text: string): void {
    const { steps } = this.change()
    const last = steps.at(-1)
    if (last?.kind !== 'matrix') {
      if (!isIdentity(matrix, 0, 0)) steps.push({ kind: 'matrix', matrix, text })
      return
    }
    steps.pop()
    const product = chainMatrices(matrix, last.matrix)
    if (!isIdentity(product, LEAST_FACTOR, LEAST_DISTANCE))
      steps.push({ kind: 'matrix', matrix: product, text: undefined })
  }

  clip(text: string): void {
    this.change().steps.push({ kind: 'clip', text })
  }

  save(): void {
    const { top } = this
    this.settled = undefined
    if (top.isFresh) top.repeats++
    else this.levels.push(savedFrom(top, 0))
  }

  restore(): void {
    if (this.levels.length < 2) return
    this.settled = undefined
    const level = this.levels.pop() as Level // there are at least two
    if (level.isWritten) {
      this.write('Q')
      this.writtenDepth--
    }
    if (level.repeats > 0) this.levels.push(savedFrom(this.top, level.repeats - 1))
  }

  /** Writes the part of the state that something depends on. */
  settle(needs: readonly number[]): void {
    if (this.settled === needs) return
    this.settled = needs
    const { levels, top } = this
    for (let depth = this.writtenDepth; ; depth++) {
      const level = levels[depth] as Level // `depth` is at most the index of the last level
      this.writeSteps(level, depth)
      this.writeSettings(level, { wanted: top.wanted, needs, depth })
      this.reach(depth)
      const next = levels[depth + 1]
      if (!next) break
      this.write('q')
      next.isWritten = true
      next.isFresh = false
      next.written = [...level.written]
      this.writtenDepth = depth + 1
    }
  }

  /** Restores all states that are written. */
  finish(): void {
    for (; this.writtenDepth > 0; this.writtenDepth--) this.write('Q')
  }

  private get top(): Level {
    return this.levels.at(-1) as Level // the first one stays
  }

  private change(): Level {
    this.settled = undefined
    const { top } = this
    if (top.repeats > 0) {
      // The state that was saved most recently changes, and the others don't.
      top.repeats--
      this.levels.push(savedFrom(top, 0))
    }
    const level = this.top
    level.isFresh = false
    return level
  }

  private writeSteps(level: Level, depth: number): void {
    for (const step of level.steps) {
      if (step.kind === 'clip') this.write(step.text)
      else if (step.kind === 'matrix') this.write(step.text ?? `${writeMatrixOperands(step.matrix)} cm`)
      else this.writeMask(level, step.setting, depth)
    }
    level.steps = []
  }

  /** Writes a soft mask if it still applies, after what was set before it. */
  private writeMask(level: Level, setting: HeldSetting, depth: number): void {
    const { wanted } = level
    if (!setting.slots.some(slot => wanted[slot] === setting)) return
    this.writeSettings(level, { wanted, needs: NEEDS.everything, depth, before: setting.order })
    this.put(level, setting)
  }

  /** Writes settings in their order, because a later one may replace a part of an earlier one. */
  private writeSettings(
    level: Level,
    {
      wanted,
      needs,
      depth,
      before = Infinity,
    }: { wanted: Settings; needs: readonly number[]; depth: number; before?: number },
  ): void {
    for (;;) {
      let first: HeldSetting | undefined
      for (const slot of needs) {
        const setting = wanted[slot]
        if (!setting || setting.isMask || setting.depth > depth || setting.order >= before) continue
        if (!isSame(level.written[slot], setting) && !(first && first.order <= setting.order)) first = setting
      }
      if (!first) return
      this.put(level, first)
    }
  }

  private put({ written }: Level, setting: HeldSetting): void {
    const [slot = 0] = setting.slots
    const isInSpace =
      setting.color !== undefined && setting.space !== undefined && setting.space === written[slot]?.space
    this.write(isInSpace ? (setting.color ?? '') : setting.text)
    for (const each of setting.slots) written[each] = setting
  }
}

function savedFrom({ wanted }: Level, repeats: number): Level {
  return { wanted: [...wanted], written: [], steps: [], isWritten: false, isFresh: true, repeats }
}

function isSame(one: HeldSetting | undefined, other: HeldSetting): boolean {
  return one === other || (one !== undefined && one.text === other.text && !one.isMask)
}

function isIdentity([a, b, c, d, e, f]: Matrix, factor: number, distance: number): boolean {
  return (
    [a - 1, b, c, d - 1].every(part => Math.abs(part) <= factor) && Math.abs(e) <= distance && Math.abs(f) <= distance
  )
}

/** The slot of the color that an operator sets: of strokes if it is in capital letters. */
export function colorSlotOf(operator: string): number {
  return operator === operator.toUpperCase() ? SLOTS.stroke : SLOTS.fill
}
