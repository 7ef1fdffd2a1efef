import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { PDFName } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import { chainMatrices } from '../pdf-core/geometry/matrix'
import type { Matrix } from '../pdf-core/geometry/matrix'
import { ARRAY } from '../pdf-core/syntax/content-operands'
import { ContentReader } from '../pdf-core/syntax/content-reader'
import type { ContentFilter } from './content-filter'
import { StreamEdits } from './stream-edits'
import type { Fonts } from './fonts/fonts'
import type { GraphicsState, PatternUse } from './graphics-state'
import { KEEP_NOTHING } from './keep-visible'
import { MarkedContent } from './tags/marked-content'
import { PathOperators } from './paths/path-operators'
import { GraphicsStateStack } from './graphics-state-stack'
import type { InterpreterState } from './interpreter-state'
import type { StreamResources } from './stream-resources'
import type { MarkedContentChanges } from './tags/tag-changes'
import { TextOperators } from './text-operators'

/** Handlers for everything except text and paths: images, forms, shadings, patterns and soft masks. */
export interface Painters {
  /** Handles `Do`. */
  drawObject(scene: InterpreterState): void
  /** Handles an inline image. */
  drawInlineImage(scene: InterpreterState): void
  /** Handles `sh`. */
  drawShading(scene: InterpreterState): void
  /** Handles `gs`, for parameters that affect painting. */
  useParameters(scene: InterpreterState, parameters: PDFDict): void
  /** Handles `scn` and `SCN` with a pattern. Returns whether the pattern was replaced. */
  usePattern(scene: InterpreterState): boolean
  /** Called at the end of the stream, for each pattern that wasn't replaced. */
  finishPattern(decider: ContentFilter, use: PatternUse): void
}

interface Request {
  document: PdfDocument
  bytes: Uint8Array
  resources: StreamResources
  decider: ContentFilter
  /** The initial graphics state of the stream. Doesn't change. */
  state: GraphicsState
  fonts: Fonts
  painters: Painters
  tags: MarkedContentChanges
  /** The page or form XObject that has the content. Undefined if its tags don't matter. */
  owner: PDFRef | undefined
}

/**
 * Processes a content stream operator by operator, asks the filter about everything that it draws, and rewrites it (ISO
 * 32000-2, 8.2). Invalid operators stay, because viewers ignore them. Throws EngineError `too-large` if too many
 * graphics states are saved.
 */
export class StreamInterpreter implements InterpreterState {
  readonly document: PdfDocument
  readonly resources: StreamResources
  readonly reader: ContentReader
  readonly edits = new StreamEdits()
  readonly marks: MarkedContent
  readonly base: Matrix
  state: GraphicsState
  private readonly saved = new GraphicsStateStack()
  private readonly patterns: PatternUse[] = []
  private readonly text: TextOperators
  private readonly path: PathOperators

  constructor(private readonly request: Request) {
    const { document, decider, resources, tags, owner } = request
    this.document = document
    this.resources = resources
    this.reader = new ContentReader(request.bytes)
    this.marks = new MarkedContent({
      document,
      reader: this.reader,
      edits: this.edits,
      resources,
      decider,
      tags,
      owner,
    })
    this.state = { ...request.state, fillPattern: undefined, strokePattern: undefined }
    this.base = request.state.matrix
    this.text = new TextOperators(this)
    this.path = new PathOperators(this)
  }

  get decider(): ContentFilter {
    return this.marks.isHidden ? KEEP_NOTHING : this.request.decider
  }

  /** Returns the rewritten stream. Undefined if the stream doesn't change. */
  run(): Uint8Array | undefined {
    while (this.reader.next()) {
      this.interpret(this.reader.operator)
      if (this.reader.operator !== 'q') this.saved.noteChange()
    }
    this.marks.finish()
    for (const use of this.patterns) {
      if (!use.isUsed) this.edits.replace(use.start, use.end, '')
      this.request.painters.finishPattern(this.request.decider, use)
    }
    return this.edits.count > 0 ? this.edits.apply(this.request.bytes) : undefined
  }

  count(kept: number, removed: number): void {
    this.marks.count(kept, removed)
    const { fillPattern, strokePattern } = this.state
    if (kept > 0 && fillPattern) fillPattern.isUsed = true
    if (kept > 0 && strokePattern) strokePattern.isUsed = true
    if (removed > 0) this.touchPatterns()
  }

  touchPatterns(): void {
    const { fillPattern, strokePattern } = this.state
    if (fillPattern) fillPattern.isTouched = true
    if (strokePattern) strokePattern.isTouched = true
  }

  private interpret(operator: string): void {
    switch (operator) {
      case 'm':
      case 'l':
      case 'c':
      case 'v':
      case 'y':
      case 'h':
      case 're':
        return this.path.build()
      case 'W':
      case 'W*':
        return this.path.clip()
      case 'S':
      case 's':
      case 'f':
      case 'F':
      case 'f*':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
      case 'n':
        return this.path.paint()
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        return this.text.show()
      case 'BT':
        return this.text.begin()
      case 'ET':
        return this.text.end()
      case 'Td':
      case 'TD':
      case 'Tm':
      case 'T*':
        return this.placeText(operator)
      case 'Do':
        return this.request.painters.drawObject(this)
      case 'BI':
        return this.request.painters.drawInlineImage(this)
      case 'sh':
        return this.request.painters.drawShading(this)
      case 'scn':
      case 'SCN':
        return this.setPattern(operator)
      case 'g':
      case 'rg':
      case 'k':
      case 'sc':
      case 'cs':
        this.state.fillPattern = undefined
        return
      case 'G':
      case 'RG':
      case 'K':
      case 'SC':
      case 'CS':
        this.state.strokePattern = undefined
        return
      case 'BMC':
      case 'BDC':
        return this.marks.begin()
      case 'EMC':
        return this.marks.end()
      default:
        this.setState(operator)
    }
  }

  /**
   * Sets a pattern. If nothing is painted with the pattern, the operator is removed, and with it the pattern's content.
   */
  private setPattern(operator: string): void {
    const { reader, state } = this
    const use =
      reader.name === undefined ? undefined : { start: reader.start, end: reader.end, isUsed: false, isTouched: false }
    if (operator === 'scn') state.fillPattern = use
    else state.strokePattern = use
    // A pattern that a hidden layer sets still applies after the layer.
    if (use && (this.marks.isHidden || !this.request.painters.usePattern(this))) this.patterns.push(use)
  }

  private placeText(operator: string): void {
    const { reader, text } = this
    if (operator === 'T*') return text.nextLine()
    if (operator === 'Tm') return text.setLine(this.readMatrix())
    if (operator === 'TD') this.state.leading = -reader.number(0)
    text.move(reader.number(1), reader.number(0))
  }

  private setState(operator: string): void {
    const { reader, state } = this
    switch (operator) {
      case 'q':
        this.saved.save(state)
        break
      case 'Q':
        this.state = this.saved.restore() ?? state
        break
      case 'cm':
        state.matrix = chainMatrices(this.readMatrix(), state.matrix)
        break
      case 'gs':
        this.useParameters()
        break
      case 'w':
        state.lineWidth = reader.number(0)
        break
      case 'j':
        state.lineJoin = reader.number(0)
        break
      case 'M':
        state.miterLimit = reader.number(0)
        break
      case 'd':
        state.isDashed = reader.items.count > 0 && reader.operands.kinds[reader.operands.count - 2] === ARRAY
        break
      default:
        this.setTextState(operator)
    }
  }

  private setTextState(operator: string): void {
    const { reader, state } = this
    switch (operator) {
      case 'Tf':
        state.fontName = reader.nameAt(reader.operands.count - 2)
        state.font = this.request.fonts.find(this.resources.find('Font', state.fontName ?? ''))
        state.fontSize = reader.number(0)
        break
      case 'Tc':
        state.characterSpacing = reader.number(0)
        break
      case 'Tw':
        state.wordSpacing = reader.number(0)
        break
      case 'Tz':
        state.horizontalScale = reader.number(0) / 100
        break
      case 'TL':
        state.leading = reader.number(0)
        break
      case 'Ts':
        state.rise = reader.number(0)
        break
      case 'Tr':
        state.renderMode = reader.number(0)
        break
    }
  }

  /** Reads the parameters of a graphics state parameter dictionary (ISO 32000-2, table 57) that affect positions. */
  private useParameters(): void {
    const { document, state } = this
    const parameters = document.peekDict(this.resources.find('ExtGState', this.reader.name ?? ''))
    if (!parameters) return
    const number = (key: string): number | undefined => document.peekNumber(parameters.get(PDFName.of(key)))
    const list = (key: string): PDFObject[] | undefined =>
      document.peekArray(parameters.get(PDFName.of(key)))?.asArray()
    state.lineWidth = number('LW') ?? state.lineWidth
    state.lineJoin = number('LJ') ?? state.lineJoin
    state.miterLimit = number('ML') ?? state.miterLimit
    const dash = list('D')
    if (dash) state.isDashed = (document.peekArray(dash[0])?.size() ?? 0) > 0
    const font = list('Font')
    if (font) {
      state.font = this.request.fonts.find(font[0])
      state.fontName = undefined
      state.fontSize = document.peekNumber(font[1]) ?? state.fontSize
    }
    if (!this.marks.isHidden) this.request.painters.useParameters(this, parameters)
  }

  private readMatrix(): Matrix {
    const { reader } = this
    return [reader.number(5), reader.number(4), reader.number(3), reader.number(2), reader.number(1), reader.number(0)]
  }
}
