import type { PdfDocument } from '../document/document'
import { setDefaultSize } from './default-appearance'
import { FieldAppearances } from './field-appearances'
import { emptySetting } from './field-values'
import type { Setting } from './field-values'
import type { FillPlan } from './fill-plan'
import { FLAG, readFormFields, findInherited } from './form-field'
import type { FormField } from './form-field'
import { isDrawn, needsAppearances, settleAppearances } from './missing-appearances'
import { PDFNumber, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { writeText } from '../syntax/text-string'
import { OFF, buttonsOf } from './button-states'
import * as Name from '../syntax/names'

export interface FillOptions {
  /** Font size in points, 0 for a size that depends on the field, or `keep` for the size in the form. */
  sizePt: number | 'keep'
  clearsOthers: boolean
  /** Whether read-only fields are cleared too. */
  fillsReadOnly: boolean
  /** Makes all fields read-only, except for signatures. */
  locks: boolean
}

/**
 * Sets the values of form fields and draws their appearances. If the form has the NeedAppearances flag, draws all
 * fields and removes the flag.
 */
export async function fillForm(
  document: PdfDocument,
  plan: FillPlan,
  { sizePt, clearsOthers, fillsReadOnly, locks }: FillOptions,
): Promise<void> {
  const fields = readFormFields(document)
  const appearances = await FieldAppearances.open(document)
  const isStale = needsAppearances(document)
  for (const field of fields) {
    const isOther = clearsOthers && (fillsReadOnly || (field.flags & FLAG.readOnly) === 0)
    const setting = plan.get(field.ref) ?? (isOther ? emptySetting(field) : undefined)
    if (setting) {
      setValue(document, field, setting)
      if (setting.kind !== 'buttons') setDefaultSize(document, field, sizePt)
    }
    if (locks && field.kind !== 'signature') lockField(document, field)
    if (setting || (isStale && isLeftToViewers(document, field))) await appearances.draw(field)
  }
  settleAppearances(document)
}

/**
 * Returns whether viewers draw a field themselves if NeedAppearances is set. They redraw text fields, and buttons
 * without appearance.
 */
function isLeftToViewers(document: PdfDocument, field: FormField): boolean {
  return field.kind === 'text' || field.kind === 'dropdown' || field.kind === 'list' || !isDrawn(document, field)
}

/**
 * Sets the value of a field. The caller then draws its appearance. Removes rich text, because it would still contain
 * the old value.
 */
function setValue(document: PdfDocument, field: FormField, setting: Setting): void {
  const dict = document.edit(field.ref)
  dict.delete(Name.RV)
  dict.delete(Name.I)
  // A separate widget has no value. A value in a widget would contradict the value of the field.
  for (const widget of field.widgets)
    if (widget !== field.ref && document.peekDict(widget)?.has(Name.V)) document.edit(widget).delete(Name.V)
  if (setting.kind === 'buttons') {
    dict.set(Name.V, setting.state)
    const activeWidgets = new Set(setting.on.map(button => button.widget))
    for (const { widget, state } of buttonsOf(document, field))
      document.edit(widget).set(Name.AS, activeWidgets.has(widget) ? state : OFF)
    return
  }
  const value = setting.kind === 'text' ? writeText(setting.text) : choiceValue(document, setting.values)
  if (value) dict.set(Name.V, value)
  else dict.delete(Name.V)
  if (setting.kind === 'choice' && setting.indexes.length) dict.set(Name.I, document.context.obj(setting.indexes))
  // An empty value prevents that the field inherits a value from its ancestors.
  if (!value && findInherited(document, [field.ref], Name.V)) dict.set(Name.V, PDFString.of(''))
}

function choiceValue(document: PdfDocument, values: readonly string[]): PDFObject | undefined {
  const [first] = values
  if (first === undefined) return undefined
  return values.length === 1 ? writeText(first) : document.context.obj(values.map(writeText))
}

/** Makes a field read-only. */
function lockField(document: PdfDocument, field: FormField): void {
  document.edit(field.ref).set(Name.Ff, PDFNumber.of(field.flags | FLAG.readOnly))
}
