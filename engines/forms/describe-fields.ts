import { PDFRef } from 'pdf-lib'
import { annotationsOf } from '../pdf-core/annotations/annotations'
import { readBox } from '../pdf-core/geometry/box'
import type { PdfDocument } from '../pdf-core/document/document'
import { measureFrame, toSeen } from '../pdf-core/geometry/frame'
import { readText } from '../pdf-core/syntax/text-string'
import { buttonsOf, isOn } from './button-states'
import { FLAG, choicesOf, combCellsOf, maxLengthOf, readFormFields, valuesOf } from './form-field'
import type { Choice, FieldKind, FormField } from './form-field'
import * as Name from '../pdf-core/syntax/names'

/** Flags of annotations (ISO 32000-2, table 167). */
const HIDDEN = 1 << 1
const NO_VIEW = 1 << 5

/** Where a field is seen. */
interface Place {
  /** From 1; null for one that is on no page. */
  page: number | null
  /** Points from the lower-left corner of the page as seen. */
  rect: { x: number; y: number; width: number; height: number } | null
}

/** A field for somebody who wants to fill it. */
interface FieldDescription extends Place {
  name: string
  type: FieldKind
  value: string | string[] | boolean | null
  /** What may be sent. */
  options?: Choice[]
  label: string | null
  readOnly: boolean
  /** Whether viewers show it nowhere. */
  hidden: boolean
  required: boolean
  multiline?: boolean
  password?: boolean
  comb?: boolean
  maxLength?: number
  editable?: boolean
  multiSelect?: boolean
  /** All places, where there are several. */
  places?: Place[]
}

/** The fields of a document's form in the order of its tree. */
export function describeFields(document: PdfDocument): FieldDescription[] {
  const places = findPlaces(document)
  return readFormFields(document).map(field => describe(document, field, places))
}

function describe(document: PdfDocument, field: FormField, places: ReadonlyMap<PDFRef, Place>): FieldDescription {
  const { name, kind, flags, ref, widgets } = field
  const own = widgets.flatMap(widget => places.get(widget) ?? [])
  const maxLength = kind === 'text' ? maxLengthOf(document, field) : undefined
  return {
    name,
    type: kind,
    value: describeValue(document, field),
    ...optionsOf(document, field),
    ...(own[0] ?? { page: null, rect: null }),
    label: readText(document.peek(document.peekDict(ref)?.get(Name.TU))) ?? null,
    hidden: widgets.every(
      widget => ((document.peekNumber(document.peekDict(widget)?.get(Name.F)) ?? 0) & (HIDDEN | NO_VIEW)) !== 0,
    ),
    readOnly: (flags & FLAG.readOnly) !== 0,
    required: (flags & FLAG.required) !== 0,
    ...(kind === 'text' && {
      multiline: (flags & FLAG.multiline) !== 0,
      password: (flags & FLAG.password) !== 0,
      comb: combCellsOf(document, field) !== undefined,
    }),
    ...(maxLength !== undefined && { maxLength }),
    ...(kind === 'dropdown' && { editable: (flags & FLAG.edit) !== 0 }),
    ...(kind === 'list' && { multiSelect: (flags & FLAG.multiSelect) !== 0 }),
    ...(own.length > 1 && { places: own }),
  }
}

function describeValue(document: PdfDocument, field: FormField): FieldDescription['value'] {
  if (field.kind === 'checkbox' || field.kind === 'radio') {
    const buttons = buttonsOf(document, field)
    const on = buttons.find(button => isOn(document, field, button))
    const isSingle = field.kind === 'checkbox' && new Set(buttons.map(button => button.state)).size === 1
    return isSingle ? on !== undefined : (on?.words[0] ?? null)
  }
  if (field.kind !== 'text' && field.kind !== 'dropdown' && field.kind !== 'list') return null
  const values = valuesOf(document, field)
  return values.length > 1 ? values : (values[0] ?? null)
}

function optionsOf(document: PdfDocument, field: FormField): { options?: Choice[] } {
  if (field.kind === 'dropdown' || field.kind === 'list') return { options: choicesOf(document, field) }
  if (field.kind !== 'checkbox' && field.kind !== 'radio') return {}
  const choices = new Map(
    buttonsOf(document, field).map(({ words }) => [
      words[0] ?? '',
      { value: words[0] ?? '', label: words.at(-1) ?? '' },
    ]),
  )
  return { options: [...choices.values()] }
}

function findPlaces(document: PdfDocument): Map<PDFRef, Place> {
  const places = new Map<PDFRef, Place>()
  for (const [pageIndex, page] of document.pages.entries()) {
    const annotations = annotationsOf(document, page)
    if (annotations.length === 0) continue
    const frame = measureFrame(document, page)
    for (const annotation of annotations) {
      if (!(annotation instanceof PDFRef) || places.has(annotation)) continue
      const box = readBox(document, document.peekDict(annotation)?.get(Name.Rect))
      const seen = box && toSeen(frame, box)
      places.set(annotation, {
        page: pageIndex + 1,
        rect: seen
          ? { x: round(seen.x), y: round(seen.y), width: round(seen.width), height: round(seen.height) }
          : null,
      })
    }
  }
  return places
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
