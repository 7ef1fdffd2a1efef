import type { JsonObject } from './form/shape'

/** What somebody has chosen and typed for a call. */
export interface KeptForm {
  options: JsonObject
  files: File[]
}

/** By the page of the call. In the memory of this tab only: leaving it, or signing out, forgets files and secrets. */
const kept = new Map<string, KeptForm>()

/** What was there when the page was left for another one of the site, such as by the browser's "back". */
export function findKept(slug: string): KeptForm | undefined {
  return kept.get(slug)
}

export function keep(slug: string, form: KeptForm): void {
  kept.set(slug, form)
}
