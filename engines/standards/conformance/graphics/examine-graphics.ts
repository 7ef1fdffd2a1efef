import { PDFArray, PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import * as Name from '../../../pdf/names'
import type { ColorUse, ContentVisitor, StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { objectOf, streamOf } from '../examination/model'
import type { Rule } from '../examination/rules'
import type { Area } from '../examination/area'
import { ColorSpaces } from './color-spaces'
import { DEVICE_N_RULES, DEVICE_RULES, SEPARATION_RULES } from './color-rules'
import { examineForm, examineGroup, FORM_RULES } from './forms'
import { BLEND_RULES, examineGraphicsState, STATE_RULES } from './graphics-state'
import { HALFTONE_RULES } from './halftones'
import { INPUT_PROFILE_RULES, OVERPRINT_RULES } from './icc-profiles'
import { IMAGE_RULES, INLINE_FILTER_RULES, XOBJECT_RULES } from './image-rules'
import { JPEG2000_RULES } from './jpeg2000'
import { Images } from './examine-images'
import { FILL, kindOf, OPERATOR_RULES, OTHER, paintedBy, SAVE_RULES, SET_FILL, SET_STROKE, STROKE } from './operators'
import { examineOutputIntents, outputIntentSpace } from './output-intent'
import { RENDERING_INTENT_RULES } from './rendering-intents'
import { INHERITED_RULES, ResourceNames } from './resource-names'
import { Transparency, TRANSPARENCY_RULES } from './transparency'
import { Parser } from '../../../pdf/syntax'

/** Checks content streams, color, images and transparency. */
export function examineGraphics(examination: Examination): Area {
  if (!examination.isArchival) return examineForms(examination)
  examineOutputIntents(examination)
  const listener = new Graphics(examination)
  return { listener, finish: isComplete => listener.finish(isComplete) }
}

/** Rules that need all content. */
const CONTENT_RULES: readonly (readonly Rule<never>[])[] = [
  OPERATOR_RULES,
  SAVE_RULES,
  INHERITED_RULES,
  DEVICE_RULES,
  DEVICE_N_RULES,
  SEPARATION_RULES,
  INPUT_PROFILE_RULES,
  OVERPRINT_RULES,
  STATE_RULES,
  BLEND_RULES,
  HALFTONE_RULES,
  RENDERING_INTENT_RULES,
  XOBJECT_RULES,
  IMAGE_RULES,
  INLINE_FILTER_RULES,
  JPEG2000_RULES,
  FORM_RULES,
  TRANSPARENCY_RULES,
]

/** PDF/UA has rules on form XObjects only. */
function examineForms(examination: Examination): Area {
  return {
    listener: {
      begin: ({ stream, location }) => {
        if (stream.kind === 'form' || stream.kind === 'appearance') examineForm(examination, stream.dict, location)
      },
    },
    finish: isComplete => {
      if (!isComplete) examination.leaveUndecided(FORM_RULES)
    },
  }
}

class Graphics implements ContentVisitor {
  readonly colors: ColorSpaces
  private readonly images: Images
  private readonly names: ResourceNames
  private readonly transparency: Transparency
  private readonly states = new Set<PDFObject>()
  private masks = 0
  private isReadable = true
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
  begin(walk: StreamWalk): void {
    if (this.masks > 0 || walk.stream.kind === 'mask') {
      this.masks++
      return
    }
    const { stream, location } = walk
    if (!stream.isWhole) this.isReadable = false
    this.transparency.begin(walk)
    this.lastFill = this.lastStroke = undefined
    if (stream.kind === 'page') examineGroup(this, stream.dict, stream.resources, location)
    if (stream.kind !== 'form' && stream.kind !== 'appearance') return
    examineForm(this.examination, stream.dict, location)
    examineGroup(this, stream.dict, stream.hasOwnResources ? stream.resources : undefined, location)
  }

  end(): void {
    if (this.masks > 0) this.masks--
    else this.transparency.end()
  }

  operator(walk: StreamWalk): void {
    if (this.masks > 0) return
    const { operator } = walk.reader
    const kind = kindOf(operator)
    if (kind === undefined) this.examination.apply(OPERATOR_RULES, operator, walk.location)
    else if (kind !== OTHER) this.use(walk, operator, kind)
  }

  finish(isComplete: boolean): void {
    this.transparency.finish()
    if (isComplete && this.isReadable) return
    for (const rules of CONTENT_RULES) this.examination.leaveUndecided(rules)
  }

  private use(walk: StreamWalk, operator: string, kind: number): void {
    this.names.operator(walk)
    this.transparency.operator(walk, kind)
    switch (operator) {
      case 'q':
        this.examination.apply(SAVE_RULES, walk, walk.location)
        break
      case 'gs':
        this.useState(walk)
        break
      case 'Do':
        this.drawObject(walk)
        break
      case 'BI':
        this.images.drawInline(inlineImageOf(walk), walk)
        break
      case 'ri':
        this.useIntent(walk)
        break
      case 'sh':
        this.shade(walk)
        break
      default:
        this.useColor(walk, kind)
    }
  }

  private useState(walk: StreamWalk): void {
    const { document, reader, location } = walk
    const value = walk.resource('ExtGState', reader.name)
    const dict = document.peekDict(value)
    if (!dict || this.states.has(dict)) return
    this.states.add(dict)
    const object = objectOf(value)
    examineGraphicsState(this.examination, dict, object === undefined ? location : { ...location, object })
  }

  private drawObject(walk: StreamWalk): void {
    const { document } = walk
    const value = walk.resource('XObject', walk.reader.name)
    const object = streamOf(document, value)
    const subtype = document.peekName(object?.dict.get(Name.Subtype))
    if (object && subtype === 'Image') this.images.draw(value, object, walk)
    else if (object && subtype === 'PS')
      this.examination.apply(XOBJECT_RULES, { document, dict: object.dict }, walk.location)
  }

  private useIntent({ reader, state, location }: StreamWalk): void {
    const { name } = reader
    if (name !== undefined && !state.ignoresColor) this.examination.apply(RENDERING_INTENT_RULES, name, location)
  }

  private shade(walk: StreamWalk): void {
    const { document, state, stream, location } = walk
    if (state.ignoresColor) return
    const shading = document.peekDict(walk.resource('Shading', walk.reader.name))
    this.colors.check(shading?.get(Name.ColorSpace), { defaults: stream.resources, location })
  }

  /** Color spaces count when they are set, and again when content is painted with them. */
  private useColor(walk: StreamWalk, kind: number): void {
    const { state } = walk
    if (kind === SET_FILL) this.set(walk, state.fill)
    else if (kind === SET_STROKE) this.set(walk, state.stroke)
    const painted = paintedBy(kind, state.renderMode)
    if (painted & FILL) this.fill(walk)
    if (painted & STROKE) this.stroke(walk)
  }

  private set(walk: StreamWalk, use: ColorUse): void {
    this.colors.checkUse(use, { location: walk.location })
    this.checkPattern(walk, use)
  }

  private fill({ state, location }: StreamWalk): void {
    const { fill, fillOverprint, overprintMode } = state
    if (fill === this.lastFill && !fillOverprint) return
    this.lastFill = fill
    this.colors.checkUse(fill, { location, isOverprinting: fillOverprint, overprintMode })
  }

  private stroke({ state, location }: StreamWalk): void {
    const { stroke, strokeOverprint, overprintMode } = state
    if (stroke === this.lastStroke && !strokeOverprint) return
    this.lastStroke = stroke
    this.colors.checkUse(stroke, { location, isOverprinting: strokeOverprint, overprintMode })
  }

  private checkPattern({ document, location }: StreamWalk, { pattern }: ColorUse): void {
    const dict = document.peekDict(pattern)
    const shading = document.peekDict(dict?.get(Name.Shading))
    const object = objectOf(pattern)
    const shadingPlace = object === undefined ? location : { ...location, object }
    this.colors.check(shading?.get(Name.ColorSpace), { defaults: undefined, location: shadingPlace })
  }
}

/** Abbreviated keys of inline images (ISO 32000-1, table 93). */
const KEYS = new Map([
  ['BPC', 'BitsPerComponent'],
  ['CS', 'ColorSpace'],
  ['F', 'Filter'],
  ['IM', 'ImageMask'],
  ['I', 'Interpolate'],
])

/** Abbreviated color spaces of inline images (ISO 32000-1, table 94). */
const SPACES = new Map([
  ['G', 'DeviceGray'],
  ['RGB', 'DeviceRGB'],
  ['CMYK', 'DeviceCMYK'],
  ['I', 'Indexed'],
])

/** The dictionary of the inline image at the current operator, with unabbreviated keys and color spaces. */
function inlineImageOf({ document, reader }: StreamWalk): PDFDict {
  const { starts, ends, count } = reader.operands
  const inside = count > 0 ? reader.bytes.subarray(starts[0], ends[count - 1]) : new Uint8Array(0)
  const bytes = Buffer.concat([Buffer.from('<<'), inside, Buffer.from('>>')])
  const parsed = new Parser(bytes, document.context, 0).parseAt(0)
  const entries = new Map<PDFName, PDFObject>()
  for (const [key, value] of parsed instanceof PDFDict ? parsed.entries() : []) {
    const name = key.decodeText()
    entries.set(PDFName.of(KEYS.get(name) ?? name), value)
  }
  const space = entries.get(Name.ColorSpace)
  if (space) entries.set(Name.ColorSpace, lengthen(space))
  return PDFDict.fromMapWithContext(entries, document.context)
}

function lengthen(value: PDFObject): PDFObject {
  if (value instanceof PDFName) return PDFName.of(SPACES.get(value.decodeText()) ?? value.decodeText())
  if (!(value instanceof PDFArray)) return value
  for (const [index, item] of value.asArray().entries()) if (item instanceof PDFName) value.set(index, lengthen(item))
  return value
}
