/**
 * The storage key for a visitor's choice, and the document's attribute that contains the choice. Mantine reads both.
 */
export const STORED_SCHEME = 'mantine-color-scheme-value'
export const SCHEME_ATTRIBUTE = 'data-mantine-color-scheme'

/** A script that runs before the first paint. It applies the stored choice, or else the system's setting. */
export const CHOOSE_COLOR_SCHEME = `{
  let scheme
  try { scheme = localStorage.getItem('${STORED_SCHEME}') } catch {}
  if (scheme !== 'light' && scheme !== 'dark') scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.setAttribute('${SCHEME_ATTRIBUTE}', scheme)
}`
