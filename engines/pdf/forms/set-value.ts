import { PDFNumber, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { writeText } from '../syntax/text-string'
import { OFF, buttonsOf } from './button-states'
import type { Setting } from './field-values'
import { FLAG, findInherited } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../syntax/names'

/**
 * Sets the value of a field. The caller then draws its appearance. Removes rich text, because it would still contain
 * the old value.
 */
export function setValue(document: PdfDocument, field: FormField, setting: Setting): void {
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
export function lockField(document: PdfDocument, field: FormField): void {
  document.edit(field.ref).set(Name.Ff, PDFNumber.of(field.flags | FLAG.readOnly))
}
