import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject, PDFRawStream, PDFRef } from 'pdf-lib'
import { EngineError } from '../errors'
import { decodeContent } from '../pdf-core/document/decode-content'
import { deflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import type { Matrix } from '../pdf-core/geometry/matrix'
import type { Bounds } from './geometry/geometry'
import type { GraphicsState } from './graphics-state'
import type { InterpreterState } from './interpreter-state'
import { StreamResources } from './stream-resources'
import * as Name from '../pdf-core/syntax/names'

/** Forms inside one another that are followed. Viewers stop near that too. */
const MAX_DEPTH = 28

/** What a rewritten form must not carry along: data that may repeat its content. */
const LEFT_BEHIND = new Set(['PieceInfo', 'LastModified', 'Metadata', 'OPI', 'Ref'].map(name => PDFName.of(name)))

/** A form or a pattern cell to be rewritten, as it is drawn at one place. */
export interface FormRequest {
  scene: InterpreterState
  form: PDFRawStream
  /** The reference to it, if it has one. */
  value: PDFObject | undefined
  /** From its own space to the user space of the page, its /Matrix included. */
  matrix: Matrix
  clip: Bounds
}

export interface FormResult {
  /** All of it stays: the original is drawn. */
  isSame: boolean
  /** The rewritten form. */
  ref: PDFRef | undefined
  kept: number
  removed: number
}

/** A stream's content that was gone through. */
export interface Interpreted {
  bytes: Uint8Array | undefined
  kept: number
  removed: number
}

/** Goes through content; given from outside, because content holds forms and forms hold content. */
export type Interpret = (content: {
  bytes: Uint8Array
  resources: StreamResources
  scene: Pick<InterpreterState, 'decider'>
  state: GraphicsState
  structParents: number | undefined
}) => Interpreted

const GONE: FormResult = { isSame: false, ref: undefined, kept: 0, removed: 1 }

/**
 * Rewrites forms (ISO 32000-2, 8.10) as copies, because other pages may use them; a form that is drawn again in the
 * same place of another page is rewritten once.
 */
export class FormXObjects {
  private readonly results = new Map<string, FormResult>()
  private readonly ids = new Map<PDFObject, number>()
  private readonly open = new Set<PDFObject>()

  constructor(
    private readonly document: PdfDocument,
    private readonly interpret: Interpret,
  ) {}

  /** Throws EngineError `too-large` when forms lie in one another too deep. */
  rewrite(request: FormRequest): FormResult {
    const { form, scene } = request
    // A form inside of itself is drawn by no viewer.
    if (this.open.has(form)) return GONE
    const key = this.keyOf(request)
    const known = this.results.get(key)
    if (known) return known
    if (this.open.size >= MAX_DEPTH)
      throw new EngineError(
        'too-large',
        `The content of a page lies in more than ${MAX_DEPTH} forms inside one another.`,
      )
    this.open.add(form)
    const own = this.document.peekDict(form.dict.get(Name.Resources))
    const resources = own
      ? new StreamResources(this.document, own)
      : new StreamResources(this.document, scene.resources.dict)
    const bytes = decodeContent(this.document, form)
    const state = { ...scene.state, matrix: request.matrix, clip: request.clip }
    const structParents = this.document.peekNumber(form.dict.get(Name.StructParents))
    const result = bytes
      ? this.finish(form, resources, this.interpret({ bytes, resources, scene, state, structParents }))
      : GONE
    this.open.delete(form)
    this.results.set(key, result)
    return result
  }

  private finish(form: PDFRawStream, resources: StreamResources, { bytes, kept, removed }: Interpreted): FormResult {
    if (!bytes) return { isSame: true, ref: undefined, kept, removed }
    const entries = form.dict.entries().filter(([key]) => !LEFT_BEHIND.has(key))
    const dict = PDFDict.fromMapWithContext(new Map(entries), this.document.context)
    const needed = resources.finish(bytes)
    if (needed) dict.set(Name.Resources, needed)
    return { isSame: false, ref: this.document.register(deflatedStream(this.document, dict, bytes)), kept, removed }
  }

  /**
   * All that the result depends on: the place, what can be seen there, and what a form takes over from its
   * surroundings.
   */
  private keyOf({ form, scene, matrix, clip }: FormRequest): string {
    const { state, decider } = scene
    const place = [...matrix, clip.left, clip.bottom, clip.right, clip.top].map(
      number => Math.round(number * 1e4) / 1e4,
    )
    const inherited = [
      state.fontSize,
      state.fontName,
      state.lineWidth,
      state.isDashed,
      state.horizontalScale,
      state.characterSpacing,
      state.wordSpacing,
      state.rise,
      state.leading,
      state.renderMode,
    ]
    const surroundings = form.dict.has(Name.Resources) || !scene.resources.dict ? '' : this.idOf(scene.resources.dict)
    return [this.idOf(form), surroundings, decider.key, ...place, ...inherited].join(' ')
  }

  private idOf(object: PDFObject): number {
    const id = this.ids.get(object) ?? this.ids.size
    this.ids.set(object, id)
    return id
  }
}
