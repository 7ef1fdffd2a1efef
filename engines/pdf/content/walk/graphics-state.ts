import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { EngineError } from '../../../errors'
import { IDENTITY } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import * as Name from '../../syntax/names'

/** A color space with the pattern that was set in it. */
export interface ColorUse {
  /**
   * A name such as /DeviceRGB, or an array. Resource names are replaced by their values, and device color spaces by the
   * default color space that the resources have for them (ISO 32000-2, 8.6.5.6).
   */
  space: PDFObject | undefined
  /** Resources with the default color spaces for device color spaces inside `space`. */
  defaults: PDFDict | undefined
  /** The closest indirect object of the color space. */
  object: PDFRef | undefined
  /** The pattern, if the color space is /Pattern. */
  pattern: PDFObject | undefined
  /** The components of the color. Empty for the initial color of the color space. */
  components: readonly number[]
}

/** The part of the graphics state (ISO 32000-2, 8.4) that readers of content need. `q` copies it. */
export interface GraphicsState {
  /** Maps to default user space of the page. */
  matrix: Matrix
  lineWidth: number
  /** 0 is the miter join. */
  lineJoin: number
  miterLimit: number
  isDashed: boolean
  /** Whether a font was set. Without one, viewers show no text. */
  hasFont: boolean
  /** The font as it is in the resources: a reference, or a direct object. Undefined if the resources lack it. */
  fontValue: PDFObject | undefined
  /** The resource name of the font. Undefined if a graphics state parameter dictionary set the font. */
  fontName: string | undefined
  fontSize: number
  characterSpacing: number
  wordSpacing: number
  /** 1 for 100 %. */
  horizontalScale: number
  leading: number
  rise: number
  renderMode: number
  fill: ColorUse
  stroke: ColorUse
  /** Whether operators that set colors are ignored: in glyphs after `d1`, and in uncolored tiling patterns. */
  ignoresColor: boolean
  /** /OP, /op and /OPM of the graphics state parameters. */
  strokeOverprint: boolean
  fillOverprint: boolean
  overprintMode: number
}

const GRAY: ColorUse = {
  space: Name.DeviceGray,
  defaults: undefined,
  object: undefined,
  pattern: undefined,
  components: [],
}

/** The graphics state at the start of a page. */
export function initialState(): GraphicsState {
  return {
    matrix: IDENTITY,
    lineWidth: 1,
    lineJoin: 0,
    miterLimit: 10,
    isDashed: false,
    hasFont: false,
    fontValue: undefined,
    fontName: undefined,
    fontSize: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    horizontalScale: 1,
    leading: 0,
    rise: 0,
    renderMode: 0,
    fill: GRAY,
    stroke: GRAY,
    ignoresColor: false,
    strokeOverprint: false,
    fillOverprint: false,
    overprintMode: 0,
  }
}

/** Maximum number of different nested states. Far more than any writer needs. */
const MAX_SAVED = 50_000

/** The stack of graphics states saved by `q`. A state that is saved several times in a row is stored once. */
export class GraphicsStateStack<State extends GraphicsState> {
  /** How many states are saved. */
  depth = 0
  private readonly stack: { state: State; count: number }[] = []
  /** Whether nothing has changed since the last `q`. */
  private isFresh = false

  /** Throws EngineError `too_large` if there are too many states. */
  save(state: State): void {
    this.depth++
    const last = this.stack.at(-1)
    if (this.isFresh && last) last.count++
    else this.stack.push({ state: { ...state }, count: 1 })
    if (this.stack.length > MAX_SAVED)
      throw new EngineError(
        'too_large',
        `A page saves its graphics state more than ${MAX_SAVED.toLocaleString('en')} times in a row.`,
      )
    this.isFresh = true
  }

  /** Removes the last saved state and returns a copy for changes. Undefined if there is none. */
  restore(): State | undefined {
    const last = this.stack.at(-1)
    if (!last) return undefined
    this.depth--
    if (--last.count === 0) this.stack.pop()
    return { ...last.state }
  }

  /** Call this when the current state may differ from the last saved state. */
  recordChange(): void {
    this.isFresh = false
  }
}
