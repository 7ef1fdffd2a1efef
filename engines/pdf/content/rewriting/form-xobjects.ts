import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject, PDFRawStream } from 'pdf-lib'
import { decodeContent } from '../../document/decode-content'
import { deflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import type { Matrix } from '../../geometry/matrix'
import type { ContentStream } from '../walk/content-stream'
import type { Bounds } from '../../geometry/geometry'
import type { RewriteState } from './graphics-state'
import type { InterpreterState } from './interpreter-state'
import { StreamResources } from './stream-resources'
import * as Name from '../../syntax/names'

/** Entries that a rewritten form XObject must not keep, because they may repeat its content. */
const DROPPED_ENTRIES = new Set(
  ['PieceInfo', 'LastModified', 'Metadata', 'OPI', 'Ref', 'AF'].map(name => PDFName.of(name)),
)

/** Places that differ by less than a fraction of a unit are the same. This is the number of steps of a unit. */
const KEY_STEPS = 1e4

/** A form XObject or tiling pattern to rewrite as it is drawn at one place. */
export interface FormRequest {
  scene: InterpreterState
  form: PDFRawStream
  /** The reference to the form, if it is indirect. */
  value: PDFObject | undefined
  /** Maps the form's space to default user space of the page. Includes /Matrix. */
  matrix: Matrix
  clip: Bounds
}

export interface FormResult {
  /** Whether all content stays, so that the original can be used. */
  isSame: boolean
  /** The rewritten form. */
  ref: PDFRef | undefined
  kept: number
  removed: number
}

/** The result of rewriting a content stream. */
export interface Interpreted {
  bytes: Uint8Array | undefined
  kept: number
  removed: number
}

/** Rewrites content. Passed as a function, because content contains forms and forms contain content. */
export type Interpret = (content: {
  stream: ContentStream
  resources: StreamResources
  scene: Pick<InterpreterState, 'filter'>
  state: RewriteState
  /** The page or form XObject that has the content. */
  owner: PDFRef | undefined
}) => Interpreted

const REMOVED: FormResult = { isSame: false, ref: undefined, kept: 0, removed: 1 }

/**
 * Rewrites form XObjects (ISO 32000-2, 8.10). The results are copies, because other pages may use the originals. A form
 * that is drawn at the same place on several pages is rewritten once.
 */
export class FormXObjects {
  private readonly results = new Map<string, FormResult>()
  private readonly ids = new Map<PDFObject, number>()
  private readonly open = new Set<PDFObject>()

  constructor(
    private readonly document: PdfDocument,
    private readonly interpret: Interpret,
  ) {}

  /** Throws EngineError `too_large` if forms nest too deep. */
  rewrite(request: FormRequest): FormResult {
    const { form, scene } = request
    // Viewers don't draw a form inside itself.
    if (this.open.has(form)) return REMOVED
    const key = this.keyOf(request)
    const cached = this.results.get(key)
    if (cached) return cached
    this.open.add(form)
    const own = this.document.peekDict(form.dict.get(Name.Resources))
    const bytes = decodeContent(this.document, form)
    const owner = request.value instanceof PDFRef ? request.value : undefined
    const stream: ContentStream = {
      kind: 'form',
      page: scene.stream.page,
      object: owner ?? scene.stream.object,
      dict: form.dict,
      bytes: bytes ?? new Uint8Array(0),
      isWhole: bytes !== undefined,
      resources: own ?? scene.stream.resources,
      pageResources: scene.stream.pageResources,
      hasOwnResources: own !== undefined,
      parent: scene.stream,
      depth: scene.stream.depth + 1,
    }
    const resources = new StreamResources(this.document, stream)
    const state = { ...scene.state, matrix: request.matrix, clip: request.clip }
    const result = bytes
      ? this.finish(form, resources, this.interpret({ stream, resources, scene, state, owner }))
      : REMOVED
    this.open.delete(form)
    this.results.set(key, result)
    return result
  }

  private finish(form: PDFRawStream, resources: StreamResources, { bytes, kept, removed }: Interpreted): FormResult {
    if (!bytes) return { isSame: true, ref: undefined, kept, removed }
    const entries = form.dict.entries().filter(([key]) => !DROPPED_ENTRIES.has(key))
    const dict = PDFDict.fromMapWithContext(new Map(entries), this.document.context)
    const needed = resources.finish(bytes)
    if (needed) dict.set(Name.Resources, needed)
    return { isSame: false, ref: this.document.register(deflatedStream(this.document, dict, bytes)), kept, removed }
  }

  /**
   * A key for everything that the result depends on: the place, the visible area, and the graphics state that the form
   * inherits.
   */
  private keyOf({ form, scene, matrix, clip }: FormRequest): string {
    const { state, filter } = scene
    const place = [...matrix, clip.left, clip.bottom, clip.right, clip.top].map(number =>
      Math.round(number * KEY_STEPS),
    )
    const inherited = [
      state.fontSize,
      this.idOf(state.fontValue),
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
    return [this.idOf(form), surroundings, filter.key, ...place, ...inherited].join(' ')
  }

  private idOf(object: PDFObject | undefined): number {
    if (!object) return -1
    const id = this.ids.get(object) ?? this.ids.size
    this.ids.set(object, id)
    return id
  }
}
