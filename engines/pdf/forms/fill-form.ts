import type { PdfDocument } from '../document/document'
import { setDefaultSize } from './default-appearance'
import { FieldAppearances } from './field-appearances'
import { emptySetting } from './field-values'
import type { FillPlan } from './fill-plan'
import { FLAG, readFormFields } from './form-field'
import type { FormField } from './form-field'
import { isDrawn, needsAppearances, settleAppearances } from './missing-appearances'
import { lockField, setValue } from './set-value'

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
