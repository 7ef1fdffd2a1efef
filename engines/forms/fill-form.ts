import type { PdfDocument } from '../pdf-core/document/document'
import { setDefaultSize } from './default-appearance'
import { FieldAppearances } from './field-appearances'
import { emptySetting } from './field-values'
import type { FillPlan } from './fill-plan'
import { FLAG, readFormFields } from './form-field'
import type { FormField } from './form-field'
import { isDrawn, needsAppearances, settleAppearances } from './missing-appearances'
import { lockField, setValue } from './set-value'

export interface FillOptions {
  /** Points, 0 for a size that follows from the field, or the size that the form has for it. */
  sizePt: number | 'keep'
  clearsOthers: boolean
  /** Whether fields that people can't change are cleared too. */
  fillsReadOnly: boolean
  /** Makes all fields but signatures ones that people can't change. */
  locks: boolean
}

/**
 * Gives the fields of a form their values and draws them. Where the form left drawing to viewers, all its fields are
 * drawn, and it no longer does.
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

/** What viewers draw themselves where the form asks for it: texts anew, buttons where they have no look. */
function isLeftToViewers(document: PdfDocument, field: FormField): boolean {
  return field.kind === 'text' || field.kind === 'dropdown' || field.kind === 'list' || !isDrawn(document, field)
}
