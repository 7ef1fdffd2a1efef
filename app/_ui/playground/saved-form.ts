import type { JsonObject } from './form/field-shapes'

/** What somebody has chosen and typed for a call. */
export interface SavedForm {
  options: JsonObject
  files: File[]
}

/** By the page of the call. In the memory of this tab only: leaving it, or signing out, forgets files and secrets. */
const kept = new Map<string, SavedForm>()

/** What was there when the page was left for another one of the site, such as by the browser's "back". */
export function findSavedForm(slug: string): SavedForm | undefined {
  return kept.get(slug)
}

export function saveForm(slug: string, form: SavedForm): void {
  kept.set(slug, form)
}
