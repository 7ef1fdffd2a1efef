import type { PDFDict, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import type { Matrix } from '../../geometry/matrix'
import type { ContentReader } from '../../syntax/content-reader'
import type { ContentStream } from '../walk/content-stream'
import { StreamWalk } from '../walk/stream-walk'
import type { ContentFilter } from './content-filter'
import { StreamEdits } from './stream-edits'
import type { Font } from '../../fonts/font'
import type { Fonts } from '../../fonts/fonts'
import type { GlyphInk } from './glyph-ink'
import type { PatternUse, RewriteState } from './graphics-state'
import { KEEP_NOTHING } from './keep-visible'
import { MarkedContent } from './marked-content/marked-content'
import { PathOperators } from './paths/rewrite-path'
import type { InterpreterState } from './interpreter-state'
import type { StreamResources } from './stream-resources'
import type { MarkedContentChanges } from './marked-content/tag-changes'
import { TextOperators } from './rewrite-text'

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
  finishPattern(filter: ContentFilter, use: PatternUse): void
}

interface Request {
  document: PdfDocument
  stream: ContentStream
  resources: StreamResources
  filter: ContentFilter
  /** The initial graphics state of the stream. Doesn't change. */
  state: RewriteState
  fonts: Fonts
  ink: GlyphInk
  painters: Painters
  tags: MarkedContentChanges
  /** The page or form XObject that has the content. Undefined if its tags don't matter. */
  owner: PDFRef | undefined
}

/**
 * Processes a content stream operator by operator, asks the filter about everything that it draws, and rewrites it (ISO
 * 32000-2, 8.2). Invalid operators stay, because viewers ignore them. Throws EngineError `too_large` if too many
 * graphics states are saved.
 */
export class StreamInterpreter implements InterpreterState {
  readonly document: PdfDocument
  readonly stream: ContentStream
  readonly resources: StreamResources
  readonly reader: ContentReader
  readonly edits = new StreamEdits()
  readonly marks: MarkedContent
  readonly base: Matrix
  private readonly walk: StreamWalk<RewriteState>
  private readonly patterns: PatternUse[] = []
  private readonly text: TextOperators
  private readonly path: PathOperators

  constructor(private readonly request: Request) {
    const { document, stream, filter, resources, tags, owner } = request
    this.document = document
    this.stream = stream
    this.resources = resources
    this.walk = new StreamWalk(document, stream, {
      ...request.state,
      fillPattern: undefined,
      strokePattern: undefined,
    })
    this.reader = this.walk.reader
    this.marks = new MarkedContent({
      walk: this.walk,
      edits: this.edits,
      resources,
      filter,
      tags,
      owner,
    })
    this.base = request.state.matrix
    this.text = new TextOperators(this)
    this.path = new PathOperators(this)
  }

  get ink(): GlyphInk {
    return this.request.ink
  }

  get state(): RewriteState {
    return this.walk.state
  }

  get font(): Font | undefined {
    const { hasFont, fontValue } = this.state
    return hasFont ? this.request.fonts.find(fontValue) : undefined
  }

  get filter(): ContentFilter {
    return this.marks.isHidden ? KEEP_NOTHING : this.request.filter
  }

  /** Returns the rewritten stream. Undefined if the stream doesn't change. */
  run(): Uint8Array | undefined {
    this.walk.run(() => this.interpret(this.reader.operator))
    this.marks.finish()
    for (const use of this.patterns) {
      if (!use.isUsed) this.edits.replace(use.start, use.end, '')
      this.request.painters.finishPattern(this.request.filter, use)
    }
    return this.edits.count > 0 ? this.edits.apply(this.reader.bytes) : undefined
  }

  count({ kept, removed }: { kept: number; removed: number }): void {
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
        return this.text.move()
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
      case 'gs':
        return this.useParameters()
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

  private useParameters(): void {
    const parameters = this.document.peekDict(this.walk.resource('ExtGState', this.reader.name))
    if (parameters && !this.marks.isHidden) this.request.painters.useParameters(this, parameters)
  }
}
