'use client'

import { useEffect, useState } from 'react'
import classes from './copy-button.module.css'
import { copyText } from './copy-text'
import { CheckIcon, CopyIcon } from './icons'

type Outcome = 'idle' | 'copied' | 'failed'

const LABEL: Record<Outcome, string> = { idle: 'Copy', copied: 'Copied', failed: 'Copy manually' }

/** Copies a text to the clipboard and confirms it, also to screen readers. `what` names the text for them. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [lastCopy, setLastCopy] = useState<{ text: string; outcome: Outcome }>({ text, outcome: 'idle' })
  const outcome = lastCopy.text === text ? lastCopy.outcome : 'idle'

  useEffect(() => {
    if (lastCopy.outcome === 'idle') return
    const timer = setTimeout(() => setLastCopy({ text: lastCopy.text, outcome: 'idle' }), 4000)
    return () => clearTimeout(timer)
  }, [lastCopy])

  return (
    <>
      <button
        type="button"
        className={classes.button}
        data-outcome={outcome}
        aria-label={outcome === 'idle' ? `Copy ${what}` : LABEL[outcome]}
        onClick={async () => setLastCopy({ text, outcome: (await copyText(text)) ? 'copied' : 'failed' })}
      >
        {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
        <span>{LABEL[outcome]}</span>
      </button>
      <span className="visually-hidden" role="status">
        {outcome === 'copied' && `Copied ${what}`}
        {outcome === 'failed' && `The browser blocked copying. Select ${what} and copy manually.`}
      </span>
    </>
  )
}
