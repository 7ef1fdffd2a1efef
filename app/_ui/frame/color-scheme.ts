/**
 * Where a visitor's choice stays in the browser, and the attribute of the document that holds it; Mantine reads both.
 */
export const STORED_SCHEME = 'mantine-color-scheme-value'
export const SCHEME_ATTRIBUTE = 'data-mantine-color-scheme'

/** Runs before the first paint: the stored choice, else what the system asks for. */
export const CHOOSE_COLOR_SCHEME = `{
  let scheme
  try { scheme = localStorage.getItem('${STORED_SCHEME}') } catch {}
  if (scheme !== 'light' && scheme !== 'dark') scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.setAttribute('${SCHEME_ATTRIBUTE}', scheme)
}`
