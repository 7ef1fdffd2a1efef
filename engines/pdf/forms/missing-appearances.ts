import type { PDFRef } from 'pdf-lib'
import { hasAppearance } from '../annotations/appearance'
import type { PdfDocument } from '../document/document'
import { adoptFields } from './adopt-fields'
import { OFF } from './button-states'
import { FieldAppearances } from './field-appearances'
import { findInherited, readFormFields, valuesOf } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../syntax/names'

/** Returns whether the form requests that viewers redraw its fields (NeedAppearances). */
export function needsAppearances(document: PdfDocument): boolean {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  return document.peek(form?.get(Name.NeedAppearances))?.toString() === 'true'
}

/** Removes NeedAppearances. All fields must have appearances. */
export function settleAppearances(document: PdfDocument): void {
  if (!document.peekDict(document.catalog.get(Name.AcroForm))?.has(Name.NeedAppearances)) return
  document.editDict(document.rootRef, Name.AcroForm)?.delete(Name.NeedAppearances)
}

/**
 * Draws fields without an appearance as viewers show them, and redraws text if NeedAppearances is set. Includes fields
 * that exist only as page annotations. `excludedNames` contains full names of fields to skip. Without
 * `usesOwnFonts`, all text has the fonts of the text module.
 */
export async function drawMissingAppearances(
  document: PdfDocument,
  { excludedNames, usesOwnFonts = true }: { excludedNames?: ReadonlySet<string>; usesOwnFonts?: boolean } = {},
): Promise<void> {
  adoptFields(document)
  const isStale = needsAppearances(document)
  let appearances: FieldAppearances | undefined
  for (const field of readFormFields(document)) {
    if (excludedNames?.has(field.name)) continue
    const showsText = field.kind === 'text' || field.kind === 'dropdown' || field.kind === 'list'
    // Viewers show nothing for fields without value and appearance, not even a border, unless NeedAppearances is set.
    // Lists are an exception, because they show their options.
    const isNeeded = isDrawn(document, field)
      ? isStale && showsText
      : isStale || field.kind === 'list' || hasValue(document, field)
    if (!isNeeded) continue
    appearances ??= await FieldAppearances.open(document, usesOwnFonts)
    await appearances.draw(field)
  }
}

/** Redraws fields with their current values. Text whose size depends on the field keeps the size that it has now. */
export async function drawFields(document: PdfDocument, refs: readonly PDFRef[]): Promise<void> {
  if (refs.length === 0) return
  const appearances = await FieldAppearances.open(document, true, { keepsSizes: true })
  for (const field of readFormFields(document)) if (refs.includes(field.ref)) await appearances.draw(field)
}

/** Returns whether all widgets of a field have an appearance. */
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
