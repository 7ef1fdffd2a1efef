/** The keys of forms that the playground keeps in the session of the tab begin with this. */
export const KEPT_FORM = 'playground:'

/** Removes all kept forms of this tab, because another account may sign in. */
export function forgetKeptForms(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT_FORM)) sessionStorage.removeItem(key)
  } catch {
    // Without storage, nothing was kept.
  }
}
