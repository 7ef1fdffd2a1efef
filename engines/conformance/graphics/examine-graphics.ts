import { PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import * as Name from '../../pdf-core/syntax/names'
import type { ColorUse, ContentListener, Scene } from '../content/scene'
import type { Examination } from '../examination'
import { nameOf, objectOf, streamOf } from '../model'
import type { Area } from '../validate'
import { ColorSpaces } from './color-spaces'
import { examineForm, examineGroup } from './forms'
import { examineGraphicsState } from './graphics-state'
import { XOBJECT_RULES } from './image-rules'
import { Images } from './images'
import { inlineImageOf } from './inline-images'
import { OPERATOR_RULES, SAVE_RULES } from './operators'
import { examineOutputIntents, outputIntentSpace } from './output-intent'
import { RENDERING_INTENT_RULES } from './rendering-intents'
import { ResourceNames } from './resource-names'
import { Transparency } from './transparency'

const FILL_SETTERS = new Set(['g', 'rg', 'k', 'cs', 'scn'])
const STROKE_SETTERS = new Set(['G', 'RG', 'K', 'CS', 'SCN'])
const FILLS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const STROKES = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const SHOWS = new Set(['Tj', 'TJ', "'", '"'])

/** Text rendering modes that fill and that stroke (ISO 32000-1, table 106). */
const FILL_MODES = new Set([0, 2, 4, 6])
const STROKE_MODES = new Set([1, 2, 5, 6])

/** Checks content streams, color, images and transparency. */
export function examineGraphics(examination: Examination): Area {
  if (!examination.isArchival) return { listener: formListener(examination) }
  examineOutputIntents(examination)
  const listener = new Graphics(examination)
  return { listener, finish: () => listener.finish() }
}

/** PDF/UA has rules on form XObjects only. */
function formListener(examination: Examination): ContentListener {
  return {
    begin: ({ stream, place }) => {
      if (stream.kind === 'form' || stream.kind === 'appearance') examineForm(examination, stream.dict, place)
    },
    operator: () => {},
  }
}

class Graphics implements ContentListener {
  readonly colors: ColorSpaces
  private readonly images: Images
  private readonly names: ResourceNames
  private readonly transparency: Transparency
  private readonly states = new Set<PDFObject>()
  private masks = 0
  private lastFill: ColorUse | undefined
  private lastStroke: ColorUse | undefined

  constructor(readonly examination: Examination) {
    const output = outputIntentSpace(examination.document)
    this.colors = new ColorSpaces(examination, output)
    this.images = new Images(examination, this.colors)
    this.names = new ResourceNames(examination)
    this.transparency = new Transparency(examination, output)
  }

  /** Groups of soft masks aren't checked: PDF/A says nothing about them. */
  begin(scene: Scene): void {
    if (this.masks > 0 || scene.stream.kind === 'mask') {
      this.masks++
      return
    }
    const { stream, place } = scene
    this.transparency.begin(scene)
    this.lastFill = this.lastStroke = undefined
    if (stream.kind === 'page') examineGroup(this, stream.dict, stream.resources, place)
    if (stream.kind !== 'form' && stream.kind !== 'appearance') return
    examineForm(this.examination, stream.dict, place)
    examineGroup(this, stream.dict, stream.hasOwnResources ? stream.resources : undefined, place)
  }

  end(): void {
    if (this.masks > 0) this.masks--
    else this.transparency.end()
  }

  operator(scene: Scene): void {
    if (this.masks > 0) return
    const { examination } = this
    const { operator } = scene.reader
    examination.apply(OPERATOR_RULES, operator, scene.place)
    this.names.operator(scene)
    this.transparency.operator(scene)
    switch (operator) {
      case 'q':
        examination.apply(SAVE_RULES, scene, scene.place)
        break
      case 'gs':
        this.useState(scene)
        break
      case 'Do':
        this.drawObject(scene)
        break
      case 'BI':
        this.images.drawInline(inlineImageOf(scene), scene)
        break
      case 'ri':
        this.useIntent(scene)
        break
      case 'sh':
        this.shade(scene)
        break
      default:
        this.useColor(scene, operator)
    }
  }

  finish(): void {
    this.transparency.finish()
  }

  private useState(scene: Scene): void {
    const { document, reader, place } = scene
    const value = scene.resource('ExtGState', reader.name)
    const dict = document.peekDict(value)
    if (!dict || this.states.has(dict)) return
    this.states.add(dict)
    const object = objectOf(value)
    examineGraphicsState(this.examination, dict, object === undefined ? place : { ...place, object })
  }

  private drawObject(scene: Scene): void {
    const { document } = scene
    const value = scene.resource('XObject', scene.reader.name)
    const object = streamOf(document, value)
    const subtype = nameOf(document, object?.dict.get(Name.Subtype))
    if (object && subtype === 'Image') this.images.draw(value, object, scene)
    else if (object && subtype === 'PS')
      this.examination.apply(XOBJECT_RULES, { document, dict: object.dict }, scene.place)
  }

  private useIntent({ reader, state, place }: Scene): void {
    const { name } = reader
    if (name !== undefined && !state.ignoresColor) this.examination.apply(RENDERING_INTENT_RULES, name, place)
  }

  private shade(scene: Scene): void {
    const { document, state, stream, place } = scene
    if (state.ignoresColor) return
    const shading = document.peekDict(scene.resource('Shading', scene.reader.name))
    this.colors.check(shading?.get(Name.ColorSpace), { defaults: stream.resources, place })
  }

  /** Color spaces count when they are set, and again when content is painted with them. */
  private useColor(scene: Scene, operator: string): void {
    const { state } = scene
    if (SHOWS.has(operator)) {
      if (FILL_MODES.has(state.renderMode)) this.fill(scene)
      if (STROKE_MODES.has(state.renderMode)) this.stroke(scene)
      return
    }
    if (FILL_SETTERS.has(operator)) this.set(scene, state.fill)
    else if (STROKE_SETTERS.has(operator)) this.set(scene, state.stroke)
    if (FILLS.has(operator)) this.fill(scene)
    if (STROKES.has(operator)) this.stroke(scene)
  }

  private set(scene: Scene, use: ColorUse): void {
    this.colors.checkUse(use, { place: scene.place })
    this.checkPattern(scene, use)
  }

  private fill({ state, place }: Scene): void {
    const { fill, fillOverprint, overprintMode } = state
    if (fill === this.lastFill && !fillOverprint) return
    this.lastFill = fill
    this.colors.checkUse(fill, { place, isOverprinting: fillOverprint, overprintMode })
  }

  private stroke({ state, place }: Scene): void {
    const { stroke, strokeOverprint, overprintMode } = state
    if (stroke === this.lastStroke && !strokeOverprint) return
    this.lastStroke = stroke
    this.colors.checkUse(stroke, { place, isOverprinting: strokeOverprint, overprintMode })
  }

  private checkPattern({ document, place }: Scene, { pattern }: ColorUse): void {
    const dict = document.peekDict(pattern)
    const shading = document.peekDict(dict?.get(Name.Shading))
    const object = objectOf(pattern)
    const shadingPlace = object === undefined ? place : { ...place, object }
    this.colors.check(shading?.get(PDFName.of('ColorSpace')), { defaults: undefined, place: shadingPlace })
  }
}
