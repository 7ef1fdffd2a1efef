import { PDFDict, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { chainMatrices, readMatrix } from '../../geometry/matrix'
import type { ContentFilter, Element, Verdict } from './content-filter'
import type { FormXObjects } from './form-xobjects'
import { boundsOf, intersect, mapCorners } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'
import type { PatternUse } from './graphics-state'
import type { ImageEraser } from './erasing/erase-in-images'
import { readInlineImage } from './erasing/inline-image'
import type { Patterns } from './patterns'
import { readBounds } from '../../geometry/read-numbers'
import type { InterpreterState } from './interpreter-state'
import { meetsHoles } from './shadings/erase-in-shading'
import type { Shadings } from './shadings/shadings'
import type { Painters } from './stream-interpreter'
import { findResource } from '../walk/content-stream'
import * as Name from '../../syntax/names'
import { findOrAdd } from '../../../map-entries'
import { copyDict } from '../../document/object-copies'

/** The unit square that an image fills before its matrix. */
const UNIT: Bounds = { left: 0, bottom: 0, right: 1, top: 1 }

/** Handles images, form XObjects, shadings, patterns and soft masks of content streams. */
export class PaintedObjects implements Painters {
  /** Graphics state parameter dictionaries with a rewritten soft mask, by the original and the mask's form. */
  private readonly parameters = new Map<PDFDict, Map<PDFRef, PDFRef>>()

  /** `dropped` collects the objects that some content no longer draws unchanged, with their replacements. */
  constructor(
    private readonly document: PdfDocument,
    private readonly forms: FormXObjects,
    private readonly images: ImageEraser,
    private readonly patterns: Patterns,
    private readonly shadings: Shadings,
    private readonly dropped: Map<PDFRef, PDFRef | undefined>,
  ) {}

  drawObject(scene: InterpreterState): void {
    const value = findResource(this.document, scene.stream, 'XObject', scene.reader.name)
    const object = this.document.peek(value)
    if (!(object instanceof PDFRawStream)) return
    const kind = this.document.peekName(object.dict.get(Name.Subtype))
    if (scene.filter.hidesLayer?.(object.dict.get(Name.OC))) this.dropObject(scene, value)
    else if (kind === 'Image') this.drawImage(scene, object, value)
    else if (kind === 'Form') this.drawForm(scene, object, value)
  }

  drawInlineImage(scene: InterpreterState): void {
    const image = readInlineImage(this.document, scene)
    const verdict = scene.filter.decide(imageElementOf(scene))
    countVerdict(scene, verdict)
    if (verdict === 'remove') drop(scene)
    else if (verdict === 'cut') this.replaceImage(scene, image, undefined)
  }

  private drawImage(scene: InterpreterState, image: PDFRawStream, value: PDFObject | undefined): void {
    const verdict = scene.filter.decide(imageElementOf(scene))
    countVerdict(scene, verdict)
    if (verdict === 'keep') return
    this.recordDropped(value, undefined)
    if (verdict === 'remove') drop(scene)
    else this.replaceImage(scene, image, value)
  }

  private replaceImage(scene: InterpreterState, image: PDFRawStream, value: PDFObject | undefined): void {
    const cut = this.images.cut({ image, value, matrix: scene.state.matrix, filter: scene.filter })
    if (cut) drawInstead(scene, cut)
  }

  private drawForm(scene: InterpreterState, form: PDFRawStream, value: PDFObject | undefined): void {
    const matrix = chainMatrices(readMatrix(this.document, form.dict.get(Name.Matrix)), scene.state.matrix)
    const box = readBounds(this.document, form.dict.get(Name.BBox))
    const bounds = box ? boundsOf(mapCorners(matrix, box)) : scene.state.clip
    const verdict = scene.filter.decide({ kind: 'form', bounds, clip: scene.state.clip, em: 0 })
    if (verdict === 'keep') {
      scene.count({ kept: 1, removed: 0 })
      return
    }
    if (verdict === 'remove') {
      this.dropObject(scene, value)
      return
    }
    const result = this.forms.rewrite({ scene, form, value, matrix, clip: intersect(scene.state.clip, bounds) })
    // A form may paint with the patterns that are set where the form is drawn.
    if (meetsHoles(bounds, scene.filter.holes ?? [])) scene.touchPatterns()
    scene.count(result)
    if (result.isSame) return
    this.recordDropped(value, result.kept > 0 ? result.ref : undefined)
    if (result.ref && result.kept > 0) drawInstead(scene, result.ref)
    else drop(scene)
  }

  private dropObject(scene: InterpreterState, value: PDFObject | undefined): void {
    scene.count({ kept: 0, removed: 1 })
    this.recordDropped(value, undefined)
    drop(scene)
  }

  private recordDropped(value: PDFObject | undefined, instead: PDFRef | undefined): void {
    if (value instanceof PDFRef) this.dropped.set(value, instead ?? this.dropped.get(value))
  }

  drawShading(scene: InterpreterState): void {
    const value = findResource(this.document, scene.stream, 'Shading', scene.reader.name)
    const { verdict, instead } = this.shadings.judge({
      filter: scene.filter,
      value,
      matrix: scene.state.matrix,
      clip: scene.state.clip,
    })
    countVerdict(scene, verdict)
    if (verdict === 'remove') drop(scene)
    else if (instead)
      scene.edits.replace(scene.reader.start, scene.reader.end, `/${scene.resources.add('Shading', instead)} sh`)
  }

  /**
   * Rewrites the soft mask of graphics state parameters that `gs` sets, and lets the operator set a copy of them. The
   * current matrix applies to the form that the mask draws.
   */
  useParameters(scene: InterpreterState, parameters: PDFDict): void {
    const { document } = this
    const mask = document.peek(parameters.get(Name.SMask))
    if (!(mask instanceof PDFDict)) return
    const value = mask.get(Name.G)
    const form = document.peek(value)
    if (!(form instanceof PDFRawStream)) return
    const matrix = chainMatrices(readMatrix(document, form.dict.get(Name.Matrix)), scene.state.matrix)
    const result = this.forms.rewrite({ scene, form, value, matrix, clip: scene.state.clip })
    if (result.isSame || !result.ref) return
    this.recordDropped(value, result.ref)
    const cutMask = copyWith(document, mask, Name.G, result.ref)
    const cut = copyWith(document, parameters, Name.SMask, cutMask)
    const copies = findOrAdd(this.parameters, parameters, () => new Map())
    const ref = copies.get(result.ref) ?? document.register(cut)
    copies.set(result.ref, ref)
    scene.edits.replace(scene.reader.start, scene.reader.end, `/${scene.resources.add('ExtGState', ref)} gs`)
  }

  /** Rewrites the pattern that `scn` or `SCN` sets. Returns whether the operator changed. */
  usePattern(scene: InterpreterState): boolean {
    const { reader } = scene
    const value = findResource(this.document, scene.stream, 'Pattern', reader.name)
    const pattern = this.patterns.rewrite(scene, value)
    if (!pattern) {
      const use = reader.operator === 'scn' ? scene.state.fillPattern : scene.state.strokePattern
      if (use) use.shading = this.patterns.shadingOf(value)
      return false
    }
    const { operands } = reader
    const nameIndex = operands.count - 1 // The name of the pattern is the last operand of `scn`.
    scene.edits.replace(
      operands.starts[nameIndex] ?? reader.start,
      operands.ends[nameIndex] ?? reader.start,
      `/${scene.resources.add('Pattern', pattern)}`,
    )
    return true
  }

  finishPattern(filter: ContentFilter, { shading, isUsed, isTouched }: PatternUse): void {
    if (shading) this.shadings.record(filter, shading, { isKept: isUsed, isRemoved: isTouched })
  }
}

/** An image where the current matrix draws it, which is the unit square (ISO 32000-2, 8.9.5). */
function imageElementOf(scene: InterpreterState): Element {
  const quad = mapCorners(scene.state.matrix, UNIT)
  return { kind: 'image', quad, bounds: boundsOf(quad), clip: scene.state.clip, em: 0 }
}

/** Counts an object as kept or removed. An object that is cut counts as both. */
function countVerdict(scene: InterpreterState, verdict: Verdict): void {
  scene.count({ kept: verdict === 'remove' ? 0 : 1, removed: verdict === 'keep' ? 0 : 1 })
}

/** Removes the current operator and its operands. */
function drop({ edits, reader }: InterpreterState): void {
  edits.replace(reader.start, reader.end, '')
}

/** Replaces the current operator with one that draws an XObject. */
function drawInstead({ edits, reader, resources }: InterpreterState, ref: PDFRef): void {
  edits.replace(reader.start, reader.end, `/${resources.add('XObject', ref)} Do`)
}

function copyWith(document: PdfDocument, dict: PDFDict, key: PDFName, value: PDFObject): PDFDict {
  const copy = copyDict(document, dict)
  copy.set(key, value)
  return copy
}
