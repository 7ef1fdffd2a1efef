import type { JsonObject } from './form/field-shapes'

/** The files that the visitor chose and the options that they typed for an operation. */
export interface SavedForm {
  options: JsonObject
  files: File[]
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

export function saveForm(slug: string, form: SavedForm): void {
  savedForms.set(slug, form)
}
