import type { PDFRef } from 'pdf-lib'
import { hasAppearance } from '../pdf-core/content/appearance'
import type { PdfDocument } from '../pdf-core/document/document'
import { adoptFields } from './adopt-fields'
import { OFF } from './button-states'
import { FieldAppearances } from './field-appearances'
import { findInherited, readFormFields, valuesOf } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../pdf-core/syntax/names'

/** Whether the form says that viewers should draw its fields anew. */
export function needsAppearances(document: PdfDocument): boolean {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  return document.peek(form?.get(Name.NeedAppearances))?.toString() === 'true'
}

/** Says that every field is drawn; the form must be so. */
export function settleAppearances(document: PdfDocument): void {
  if (!document.peekDict(document.catalog.get(Name.AcroForm))?.has(Name.NeedAppearances)) return
  document.editDict(document.rootRef, Name.AcroForm)?.delete(Name.NeedAppearances)
}

/**
 * Draws what viewers show of fields without an appearance, and texts anew that the form calls old, also of fields that
 * stand on pages only; `leaveOut` holds full names.
 */
export async function drawMissingAppearances(document: PdfDocument, leaveOut: ReadonlySet<string>): Promise<void> {
  adoptFields(document)
  const isStale = needsAppearances(document)
  let appearances: FieldAppearances | undefined
  for (const field of readFormFields(document)) {
    if (leaveOut.has(field.name)) continue
    const showsText = field.kind === 'text' || field.kind === 'dropdown' || field.kind === 'list'
    // Without value and appearance viewers show nothing, not even a border, unless the form tells them to; but a list
    // shows what may be chosen.
    const isNeeded = isDrawn(document, field)
      ? isStale && showsText
      : isStale || field.kind === 'list' || hasValue(document, field)
    if (!isNeeded) continue
    appearances ??= await FieldAppearances.open(document)
    await appearances.draw(field)
  }
}

/** Draws fields anew as their values are now. */
export async function drawFields(document: PdfDocument, refs: readonly PDFRef[]): Promise<void> {
  if (refs.length === 0) return
  const appearances = await FieldAppearances.open(document)
  for (const field of readFormFields(document)) if (refs.includes(field.ref)) await appearances.draw(field)
}

/** Whether all widgets of a field have an appearance. */
export function isDrawn(document: PdfDocument, { widgets }: FormField): boolean {
  return widgets.every(widget => {
    const dict = document.peekDict(widget)
    return dict === undefined || hasAppearance(document, dict)
  })
}

function hasValue(document: PdfDocument, field: FormField): boolean {
  if (field.kind !== 'checkbox' && field.kind !== 'radio') return valuesOf(document, field).some(value => value !== '')
  const value = findInherited(document, [field.ref, ...field.widgets], Name.V)
  return value !== undefined && value !== OFF
}
