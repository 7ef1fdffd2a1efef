import type { Matrix } from '../../../geometry/matrix'
import type { Element, Verdict } from '../content-filter'
import { grow, intersect, largestScaleOf } from '../../../geometry/geometry'
import type { Bounds } from '../../../geometry/geometry'
import { PathTrimmer } from './trim-path'
import { PathHoles } from './erase-in-path'
import type { InterpreterState } from '../interpreter-state'

const STROKES = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const FILLS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])

/** An empty path. As a clipping path, it clips everything that follows. */
const NOTHING = '0 0 0 0 re'

/** Minimum half width that viewers draw for a line, in user space units. */
const LEAST_HALF_LINE = 0.5

/** How far square caps and right-angled joins extend, in half line widths. */
const CAP_REACH = 1.5

/** How far a fill may show beyond its edge because of anti-aliasing, in user space units. */
const SMOOTHING = 0.01

const NO_BOUNDS: Bounds = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }

/**
 * The paths of a content stream (ISO 32000-2, 8.5): which are painted or clip, and the positions of their operators.
 */
export class PathOperators {
  private readonly starts: number[] = []
  private readonly ends: number[] = []
  private bounds: Bounds = { ...NO_BOUNDS }
  private matrix: Matrix = [1, 0, 0, 1, 0, 0]
  private clips = false
  /** Number of segments in the current subpath, and whether any two of them form a corner. */
  private segments = 0
  private hasCorners = false

  constructor(private readonly scene: InterpreterState) {}

  /** Handles `m l c v y h re`. */
  build(): void {
    const { reader, state } = this.scene
    this.starts.push(reader.start)
    this.ends.push(reader.end)
    this.matrix = state.matrix
    const { operator } = reader
    if (operator === 're') {
      const [x, y, width, height] = [reader.number(3), reader.number(2), reader.number(1), reader.number(0)]
      this.add(x, y)
      this.add(x + width, y)
      this.add(x, y + height)
      this.add(x + width, y + height)
      return
    }
    if (operator === 'h') {
      this.hasCorners = true
      return
    }
    if (operator === 'm') this.segments = 0
    else if (++this.segments > 1 || operator !== 'l') this.hasCorners = true
    const points = operator === 'c' ? 3 : operator === 'v' || operator === 'y' ? 2 : 1
    for (let point = points - 1; point >= 0; point--) this.add(reader.number(point * 2 + 1), reader.number(point * 2))
  }

  /** Handles `W` and `W*`. */
  clip(): void {
    this.clips = true
  }

  /** Handles `n` and all path-painting operators. */
  paint(): void {
    const { scene, bounds } = this
    const { reader, state, edits } = scene
    const { operator } = reader
    if (this.starts.length > 0 && bounds.left <= bounds.right) {
      const reach = STROKES.has(operator) ? this.strokeReach() : SMOOTHING
      const paints = operator !== 'n'
      const verdict = paints || !this.clips ? scene.filter.decide(this.element('path', grow(bounds, reach))) : 'remove'
      const clipVerdict = this.clips ? scene.filter.decide(this.element('clip', bounds)) : 'remove'
      if (paints) scene.count(verdict === 'remove' ? { kept: 0, removed: 1 } : { kept: 1, removed: 0 })
      if (paints && verdict === 'cut') scene.touchPatterns()
      if (this.clips) this.changeClip(verdict, clipVerdict)
      else if (verdict === 'remove') this.replaceAll('')
      else if (verdict === 'cut' && scene.filter.holes) this.cutOut(scene.filter.holes)
      else if (verdict === 'cut') this.cut(reach)
      if (verdict === 'cut' && paints && this.clips) scene.filter.doubt?.()
      if (verdict === 'remove' && (!this.clips || operator !== 'n'))
        edits.replace(reader.start, reader.end, this.clips ? 'n' : '')
    }
    if (this.clips)
      state.clip = intersect(
        state.clip,
        bounds.left <= bounds.right ? bounds : { left: 0, bottom: 0, right: 0, top: 0 },
      )
    this.reset()
  }

  private changeClip(verdict: Verdict, clipVerdict: Verdict): void {
    const isOpen = verdict === 'remove'
    if (isOpen && clipVerdict === 'remove') this.replaceAll(NOTHING)
    else if (isOpen && clipVerdict === 'cut') this.replaceIfCut(this.cutter(0).dropSubpaths(), NOTHING)
  }

  private cut(reach: number): void {
    const { operator } = this.scene.reader
    const cutter = this.cutter(reach)
    const isBoth = STROKES.has(operator) && FILLS.has(operator)
    if (isBoth) this.replaceIfCut(cutter.dropSubpaths(), '')
    else if (STROKES.has(operator)) this.cutStroke(cutter)
    else this.replaceIfCut(cutter.cutFill(), '')
  }

  /**
   * Cuts holes out of a path. Fill and stroke lose different parts, so an operator that does both becomes two
   * operators.
   */
  private cutOut(holes: readonly Bounds[]): void {
    const { reader, edits } = this.scene
    const { operator } = reader
    const fillOperator = operator.endsWith('*') ? 'f*' : 'f'
    const path = new PathHoles({ span: this.span, matrix: this.matrix, holes })
    const isClosing = operator === 's' || operator === 'b' || operator === 'b*'
    const fill = FILLS.has(operator) ? path.fill(fillOperator) : undefined
    const stroke = STROKES.has(operator) ? path.stroke(isClosing) : undefined
    if (fill === undefined && stroke === undefined) return
    const filled = FILLS.has(operator) ? `${fill ?? path.whole()} ${fillOperator}` : ''
    const stroked = STROKES.has(operator)
      ? `${stroke ?? path.whole()} ${isClosing && stroke === undefined ? 's' : 'S'}`
      : ''
    this.replaceAll('')
    edits.replace(reader.start, reader.end, [fill === '' ? '' : filled, stroke === '' ? '' : stroked].join(' '))
  }

  private cutStroke(cutter: PathTrimmer): void {
    const { reader, edits, state } = this.scene
    const isClosing = reader.operator === 's'
    const path = cutter.cutStroke(isClosing, state.isDashed)
    this.replaceIfCut(path, '')
    // The cut path has its closing line as a segment, so don't close it again.
    if (isClosing && path !== undefined) edits.replace(reader.start, reader.end, 'S')
  }

  private cutter(reach: number): PathTrimmer {
    const { matrix, scene } = this
    return new PathTrimmer({ span: this.span, matrix, reach, filter: scene.filter, clip: scene.state.clip })
  }

  private get span(): Uint8Array {
    return this.scene.reader.bytes.subarray(this.starts[0], this.ends.at(-1))
  }

  private replaceIfCut(path: string | undefined, whenEmpty: string): void {
    if (path !== undefined) this.replaceAll(path || whenEmpty)
  }

  private replaceAll(path: string): void {
    const { edits } = this.scene
    for (const [index, start] of this.starts.entries())
      edits.replace(start, this.ends[index] as number, index === 0 ? path : '')
  }

  private element(kind: 'path' | 'clip', bounds: Bounds): Element {
    return { kind, bounds, clip: this.scene.state.clip, em: 0 }
  }

  private strokeReach(): number {
    const { lineWidth, lineJoin, miterLimit } = this.scene.state
    const half = (Math.abs(lineWidth) * largestScaleOf(this.matrix)) / 2
    const reach = lineJoin === 0 && this.hasCorners ? Math.min(Math.max(miterLimit, CAP_REACH), 10) : CAP_REACH
    return Math.max(half * reach, LEAST_HALF_LINE)
  }

  private add(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.matrix
    const { bounds } = this
    const userX = a * x + c * y + e
    const userY = b * x + d * y + f
    if (userX < bounds.left) bounds.left = userX
    if (userX > bounds.right) bounds.right = userX
    if (userY < bounds.bottom) bounds.bottom = userY
    if (userY > bounds.top) bounds.top = userY
  }

  private reset(): void {
    this.starts.length = this.ends.length = 0
    this.bounds = { ...NO_BOUNDS }
    this.clips = false
    this.segments = 0
    this.hasCorners = false
  }
}
