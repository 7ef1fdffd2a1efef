import type { JsonObject } from './form/field-shapes'
import type { FinishedRun } from './request/use-run'

/** The files that the visitor chose, the options that they typed for an operation, and the latest run. */
export interface SavedForm {
  options: JsonObject
  files: File[]
  run?: FinishedRun | undefined
}

/**
 * Keyed by the page of the operation. Only in the memory of this tab, so leaving the site or signing out removes files
 * and secrets.
 */
const savedForms = new Map<string, SavedForm>()

/** Returns the form as it was when the visitor left its page, for example with the browser's back button. */
export function findSavedForm(slug: string): SavedForm | undefined {
  return savedForms.get(slug)
}

/** Keeps the form for the browser's back button. Only the latest form keeps its run, because outputs may be large. */
export function saveForm(slug: string, form: SavedForm): void {
  for (const [other, saved] of savedForms)
    if (other !== slug && saved.run) savedForms.set(other, { ...saved, run: undefined })
  savedForms.set(slug, form)
}
