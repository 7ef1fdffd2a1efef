import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { FieldChoice, FieldOnPage, FieldType } from './pdf-messages'
import { measurePage, memoryOf, readString, toDisplayBox } from './pdf-worker-memory'

/** FPDF_ANNOT_WIDGET, and annotation flags: hidden, and hidden on screen (ISO 32000-2, table 167). */
const WIDGET = 20
const INVISIBLE = 0b100010
/** The types of FPDFAnnot_GetFormFieldType that a request can fill. */
const TYPES = new Map<number, FieldType>([
  [2, 'checkbox'],
  [3, 'radio'],
  [4, 'dropdown'],
  [5, 'list'],
  [6, 'text'],
])
/** Field flags (ISO 32000-2, tables 227, 230 and 233), each meaningful for some types. */
const READ_ONLY = 1 << 0
const REQUIRED = 1 << 1
const MULTILINE = 1 << 12
const EDITABLE = 1 << 18
const MULTI_SELECT = 1 << 21
/** Bytes of a unit of UTF-16. */
const UTF16_BYTES = 2
/** Maximum number of listed widgets, and of choices of a field. */
const MOST_WIDGETS = 3000
const MOST_CHOICES = 1000

/** Lists the visible form fields of all pages. A field with several places is listed once for each place. */
export function listFields(
  pdfium: WrappedPdfiumModule,
  { document, form, pageCount }: { document: number; form: number; pageCount: number },
): FieldOnPage[] {
  const fields: FieldOnPage[] = []
  for (let pageIndex = 0; pageIndex < pageCount && fields.length < MOST_WIDGETS; pageIndex++) {
    const page = pdfium.FPDF_LoadPage(document, pageIndex)
    if (page === 0) continue
    pdfium.FORM_OnAfterLoadPage(page, form)
    const count = pdfium.FPDFPage_GetAnnotCount(page)
    for (let index = 0; index < count && fields.length < MOST_WIDGETS; index++) {
      const annotation = pdfium.FPDFPage_GetAnnot(page, index)
      if (annotation === 0) continue
      const field = describeField(pdfium, { form, page, pageIndex, annotation })
      if (field) fields.push(field)
      pdfium.FPDFPage_CloseAnnot(annotation)
    }
    pdfium.FORM_OnBeforeClosePage(page, form)
    pdfium.FPDF_ClosePage(page)
  }
  return fields
}

interface Widget {
  form: number
  page: number
  pageIndex: number
  annotation: number
}

function describeField(pdfium: WrappedPdfiumModule, widget: Widget): FieldOnPage | undefined {
  const { form, annotation } = widget
  if (pdfium.FPDFAnnot_GetSubtype(annotation) !== WIDGET) return undefined
  const type = TYPES.get(pdfium.FPDFAnnot_GetFormFieldType(form, annotation))
  if (!type || (pdfium.FPDFAnnot_GetFlags(annotation) & INVISIBLE) !== 0) return undefined
  const flags = pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation)
  const readText = (read: (form: number, annotation: number, pointer: number, bytes: number) => number): string => {
    const bytes = read(form, annotation, 0, 0) // UTF-16, with a zero at the end
    const isEmpty = bytes <= UTF16_BYTES
    return isEmpty ? '' : readString(pdfium, bytes / UTF16_BYTES, pointer => read(form, annotation, pointer, bytes))
  }
  const name = readText(pdfium.FPDFAnnot_GetFormFieldName)
  if (name === '') return undefined
  return {
    name,
    type,
    pageIndex: widget.pageIndex,
    box: measureWidget(pdfium, widget),
    label: readText(pdfium.FPDFAnnot_GetFormFieldAlternateName) || name,
    value: readText(pdfium.FPDFAnnot_GetFormFieldValue),
    exportValue: type === 'radio' || type === 'checkbox' ? readText(pdfium.FPDFAnnot_GetFormFieldExportValue) : '',
    isChecked: (type === 'radio' || type === 'checkbox') && pdfium.FPDFAnnot_IsChecked(form, annotation),
    position: type === 'radio' ? pdfium.FPDFAnnot_GetFormControlIndex(form, annotation) : 0,
    choices: type === 'dropdown' || type === 'list' ? listChoices(pdfium, widget) : [],
    isReadOnly: (flags & READ_ONLY) !== 0,
    isRequired: (flags & REQUIRED) !== 0,
    isMultiline: type === 'text' && (flags & MULTILINE) !== 0,
    isEditable: type === 'dropdown' && (flags & EDITABLE) !== 0,
    isMultiSelect: type === 'list' && (flags & MULTI_SELECT) !== 0,
  }
}

function measureWidget(pdfium: WrappedPdfiumModule, { page, annotation }: Widget): FieldOnPage['box'] {
  const pointer = pdfium.pdfium.wasmExports.malloc(16)
  pdfium.FPDFAnnot_GetRect(annotation, pointer)
  const view = memoryOf(pdfium)
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map(offset =>
    view.getFloat32(pointer + offset, true),
  )
  pdfium.pdfium.wasmExports.free(pointer)
  return toDisplayBox(pdfium, measurePage(pdfium, page), [left, top], [right, bottom])
}

function listChoices(pdfium: WrappedPdfiumModule, { form, annotation }: Widget): FieldChoice[] {
  const count = Math.min(pdfium.FPDFAnnot_GetOptionCount(form, annotation), MOST_CHOICES)
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const bytes = pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, 0, 0)
    const label =
      bytes <= 2
        ? ''
        : readString(pdfium, bytes / 2, pointer =>
            pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, pointer, bytes),
          )
    return { label, isSelected: pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index) }
  })
}
