/** The storage key for a visitor's choice. Its name is from an earlier version, so that choices stay. */
export const STORED_SCHEME = 'mantine-color-scheme-value'
/** The document's attribute that contains the scheme in use. */
export const SCHEME_ATTRIBUTE = 'data-color-scheme'
/** The document's attribute that contains the choice: `light`, `dark` or `auto`, which follows the system. */
export const CHOICE_ATTRIBUTE = 'data-scheme-choice'

/** A script that runs before the first paint. It applies the stored choice, or else the system's setting. */
export const CHOOSE_COLOR_SCHEME = `{
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  let choice
  try { choice = localStorage.getItem('${STORED_SCHEME}') } catch {}
  if (choice !== 'light' && choice !== 'dark') choice = 'auto'
  const apply = () => {
    if (choice === 'auto') root.setAttribute('${SCHEME_ATTRIBUTE}', system.matches ? 'dark' : 'light')
  }
  root.setAttribute('${CHOICE_ATTRIBUTE}', choice)
  root.setAttribute('${SCHEME_ATTRIBUTE}', choice)
  apply()
  system.addEventListener('change', () => {
    choice = root.getAttribute('${CHOICE_ATTRIBUTE}')
    apply()
  })
}`
