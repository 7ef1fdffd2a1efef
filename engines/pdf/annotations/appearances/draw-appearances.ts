import { PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { EngineError } from '../../../errors'
import { subtypeOf } from '../annotation-entries'
import { annotationsOf } from '../annotations'
import { hasAppearance } from '../appearance'
import { writeBox } from '../../geometry/box'
import type { PdfDocument } from '../../document/document'
import { isShown } from '../flatten'
import type { AnnotationView } from '../flatten'
import { addContentStream } from '../../content/page-content'
import { TextWriter } from './annotation-text'
import { drawCircleAppearance, drawPolygon, drawSquare } from './closed-shapes'
import { joinBoxes, readSubject } from './drawing'
import type { AppearanceDrawing, Subject } from './drawing'
import { drawFreeText } from './free-text'
import { drawInk, drawLineAppearance, drawPolyLine } from './lines'
import { drawCaret, drawNoteIcon } from './note-icons'
import { drawStamp } from './stamp'
import { drawHighlight, drawSquiggly, drawStrikeOut, drawUnderline } from './text-markup'
import * as Name from '../../syntax/names'

type Draw = (
  subject: Subject,
  texts: TextWriter,
) => AppearanceDrawing | undefined | Promise<AppearanceDrawing | undefined>

/**
 * Functions that draw each subtype. Other subtypes have no common appearance: media, attached files, printer's marks.
 */
const DRAWERS: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['Caret', drawCaret],
  ['Circle', drawCircleAppearance],
  ['FreeText', drawFreeText],
  ['Highlight', drawHighlight],
  ['Ink', drawInk],
  ['Line', drawLineAppearance],
  ['PolyLine', drawPolyLine],
  ['Polygon', drawPolygon],
  ['Square', drawSquare],
  ['Squiggly', drawSquiggly],
  ['Stamp', drawStamp],
  ['StrikeOut', drawStrikeOut],
  ['Text', drawNoteIcon],
  ['Underline', drawUnderline],
])

/**
 * Adds appearances to annotations that are visible in this view, have none, and that viewers draw anyway (ISO 32000-2,
 * 12.5.6). An annotation that is too damaged to be drawn gets an empty appearance. The annotations are changed in
 * memory only and must be flattened next. Throws EngineError `too_large` if the appearances exceed the limit for
 * streams.
 */
export async function drawMissingAnnotations(document: PdfDocument, view: AnnotationView): Promise<void> {
  const texts = new TextWriter(document)
  let byteCount = 0
  for (const page of document.pages) {
    for (const value of annotationsOf(document, page)) {
      const annotation = document.peekDict(value)
      if (!annotation || hasAppearance(document, annotation) || !isShown(document, value, view)) continue
      const draw = DRAWERS.get(subtypeOf(document, annotation))
      if (!draw) continue
      const subject = readSubject(document, annotation)
      const drawing = await draw(subject, texts)
      byteCount += drawing?.operators.length ?? 0
      if (byteCount > document.limits.maxStreamBytes) throw tooLarge(document.limits.maxStreamBytes)
      // PDF/A allows no annotations without appearance, so conformance of the new appearance is unknown.
      document.saving.addedFeatures.addUnchecked()
      if (drawing && !isOpaque(subject, drawing)) document.saving.addedFeatures.add('transparency')
      setAppearance(subject, drawing)
    }
  }
}

function tooLarge(maxBytes: number): EngineError {
  const most = maxBytes.toLocaleString('en')
  return new EngineError(
    'too_large',
    `The appearances of the annotations must be at most ${most} bytes. Use fewer pages.`,
  )
}

/** Returns the opacity of lines, and of areas and text (ISO 32000-2, table 172). */
function opacitiesOf({ document, annotation }: Subject): [lines: number, areas: number] {
  const limit = (value: number): number => Math.min(Math.max(value, 0), 1)
  const lines = document.peekNumber(annotation.get(Name.CA))
  const areas = document.peekNumber(annotation.get(Name.ca)) ?? lines
  return [limit(lines ?? 1), limit(areas ?? 1)]
}

function isOpaque(subject: Subject, { blendMode }: AppearanceDrawing): boolean {
  return blendMode === undefined && opacitiesOf(subject).every(opacity => opacity === 1)
}

/** Sets the appearance of an annotation in the user space of its page, and the matching rectangle. */
function setAppearance(subject: Subject, drawing: AppearanceDrawing | undefined): void {
  const { document, annotation, rect } = subject
  const { context } = document
  const extent = drawing && joinBoxes(drawing.extent, drawing.replacesRect ? undefined : rect)
  const form = addForm(subject, drawing, extent ? writeBox(document, extent) : context.obj([0, 0, 0, 0]))
  if (extent) annotation.set(Name.Rect, writeBox(document, extent))
  annotation.delete(Name.AS)
  annotation.set(Name.AP, context.obj({ N: form }))
}

function addForm(subject: Subject, drawing: AppearanceDrawing | undefined, box: PDFObject): PDFRef {
  const { document } = subject
  const { context } = document
  const resources = PDFDict.withContext(context)
  const fonts = PDFDict.withContext(context)
  for (const [ref, name] of drawing?.fonts ?? []) fonts.set(PDFName.of(name), ref)
  if (fonts.keys().length > 0) resources.set(Name.Font, fonts)
  const isPlain = !drawing || isOpaque(subject, drawing)
  if (!isPlain) resources.set(Name.ExtGState, context.obj({ G1: stateOf(subject, drawing) }))
  const entries: Record<string, PDFObject> = {
    Type: Name.XObject,
    Subtype: Name.Form,
    BBox: box,
    Resources: resources,
  }
  return addContentStream(document, drawing ? `${isPlain ? '' : '/G1 gs\n'}${drawing.operators}` : '', entries)
}

function stateOf(subject: Subject, { blendMode }: AppearanceDrawing): PDFDict {
  const [lines, areas] = opacitiesOf(subject)
  const state = PDFDict.withContext(subject.document.context)
  state.set(Name.Type, Name.ExtGState)
  state.set(Name.CA, PDFNumber.of(lines))
  state.set(Name.ca, PDFNumber.of(areas))
  if (blendMode) state.set(Name.BM, PDFName.of(blendMode))
  return state
}
