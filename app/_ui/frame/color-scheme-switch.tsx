'use client'

import { useState } from 'react'
import { CHOICE_ATTRIBUTE, SCHEME_ATTRIBUTE, STORED_SCHEME } from './color-scheme'
import classes from './color-scheme-switch.module.css'
import { MoonIcon, SunIcon, SystemIcon } from '../elements/icons'

type Choice = 'light' | 'dark' | 'auto'

const WORDS: Record<Choice, string> = { light: 'Light', dark: 'Dark', auto: 'System' }

/** Switches the site between the system's color scheme, light and dark. The browser stores the choice. */
export function ColorSchemeSwitch() {
  const [choice, setChoice] = useState<Choice | null>(null)
  return (
    <>
      <button
        type="button"
        className={classes.switch}
        aria-label="Change color scheme"
        onClick={() => setChoice(changeScheme())}
      >
        <SunIcon className={classes.sun} />
        <MoonIcon className={classes.moon} />
        <SystemIcon className={classes.system} />
      </button>
      <span className="visually-hidden" role="status">
        {choice !== null && `Color scheme: ${WORDS[choice]}`}
      </span>
    </>
  )
}

/** Applies and stores the next choice. The first click always changes the colors. */
function changeScheme(): Choice {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const other = system === 'dark' ? 'light' : 'dark'
  const current = root.getAttribute(CHOICE_ATTRIBUTE)
  const choice = current === other ? system : current === system ? 'auto' : other
  root.setAttribute(CHOICE_ATTRIBUTE, choice)
  root.setAttribute(SCHEME_ATTRIBUTE, choice === 'auto' ? system : choice)
  try {
    localStorage.setItem(STORED_SCHEME, choice)
  } catch {
    // Storage is disabled in this browser, so the choice only lasts as long as the page.
  }
  return choice
}
