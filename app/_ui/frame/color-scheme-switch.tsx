'use client'

import { SCHEME_ATTRIBUTE, STORED_SCHEME } from './color-scheme'
import classes from './color-scheme-switch.module.css'
import { MoonIcon, SunIcon } from '../elements/icons'

/** Switches the site between light and dark. The browser stores the choice. */
export function ColorSchemeSwitch() {
  return (
    <button type="button" className={classes.switch} aria-label="Switch between light and dark" onClick={toggleScheme}>
      <SunIcon className={classes.sun} />
      <MoonIcon className={classes.moon} />
    </button>
  )
}

function toggleScheme() {
  const root = document.documentElement
  const scheme = root.getAttribute(SCHEME_ATTRIBUTE) === 'dark' ? 'light' : 'dark'
  root.setAttribute(SCHEME_ATTRIBUTE, scheme)
  try {
    localStorage.setItem(STORED_SCHEME, scheme)
  } catch {
    // Storage is disabled in this browser, so the choice only lasts as long as the page.
  }
}
