import { PDFRef } from 'pdf-lib'
import { annotationsOf } from '../annotations/annotations'
import { readBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { measureFrame, toSeen } from '../geometry/frame'
import { readText } from '../syntax/text-string'
import { buttonsOf, isOn, nameOf } from './button-states'
import { FLAG, choicesOf, combCellsOf, maxLengthOf, readFormFields, valuesOf } from './form-field'
import type { Choice, FieldKind, FormField } from './form-field'
import * as Name from '../syntax/names'

/** Annotation flags (ISO 32000-2, table 167). */
const HIDDEN = 1 << 1
const NO_VIEW = 1 << 5

/** Page and rectangle of a widget. */
interface Place {
  /** Page number, starting at 1. Null if the field is on no page. */
  page: number | null
  /** Rectangle in points, relative to the lower-left corner of the page as seen. */
  rect: { x: number; y: number; width: number; height: number } | null
}

/** Description of a field for the response. */
interface FieldDescription extends Place {
  name: string
  type: FieldKind
  value: string | string[] | boolean | null
  /** Values that a request may set. */
  options?: Choice[]
  label: string | null
  readOnly: boolean
  /** Whether all widgets are hidden. */
  hidden: boolean
  required: boolean
  multiline?: boolean
  password?: boolean
  comb?: boolean
  maxLength?: number
  editable?: boolean
  multiSelect?: boolean
  /** All places, if there are several. */
  places?: Place[]
}

/** Describes the fields of the form in tree order. */
export function describeFields(document: PdfDocument): FieldDescription[] {
  const places = findPlaces(document)
  return readFormFields(document).map(field => describeField(document, field, places))
}

/** Describes one field. Entries that only one kind of field has are left out for the others. */
function describeField(document: PdfDocument, field: FormField, places: ReadonlyMap<PDFRef, Place>): FieldDescription {
  const { name, kind, flags, ref, widgets } = field
  const fieldPlaces = widgets.flatMap(widget => places.get(widget) ?? [])
  const maxLength = kind === 'text' ? maxLengthOf(document, field) : undefined
  return {
    name,
    type: kind,
    value: describeValue(document, field),
    ...optionsOf(document, field),
    ...(fieldPlaces[0] ?? { page: null, rect: null }),
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
    ...(fieldPlaces.length > 1 && { places: fieldPlaces }),
  }
}

function describeValue(document: PdfDocument, field: FormField): FieldDescription['value'] {
  if (field.kind === 'checkbox' || field.kind === 'radio') {
    const buttons = buttonsOf(document, field)
    const activeButton = buttons.find(button => isOn(document, field, button))
    const isSingle = field.kind === 'checkbox' && new Set(buttons.map(button => button.state)).size === 1
    if (isSingle) return activeButton !== undefined
    return activeButton ? nameOf(activeButton, buttons) : null
  }
  if (field.kind !== 'text' && field.kind !== 'dropdown' && field.kind !== 'list') return null
  const values = valuesOf(document, field)
  return values.length > 1 ? values : (values[0] ?? null)
}

function optionsOf(document: PdfDocument, field: FormField): { options?: Choice[] } {
  if (field.kind === 'dropdown' || field.kind === 'list') return { options: choicesOf(document, field) }
  if (field.kind !== 'checkbox' && field.kind !== 'radio') return {}
  const choices = new Map(
    buttonsOf(document, field).map((button, _, buttons) => {
      const value = nameOf(button, buttons)
      return [value, { value, label: button.labels.at(-1) ?? '' }]
    }),
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
