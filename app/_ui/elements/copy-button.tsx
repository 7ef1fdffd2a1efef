'use client'

import { useEffect, useState } from 'react'
import classes from './copy-button.module.css'
import { buttonClass } from './button'
import { copyText } from './copy-text'
import { CheckIcon, CopyIcon } from './icons'

type Outcome = 'idle' | 'copied' | 'failed'

const LABEL: Record<Exclude<Outcome, 'idle'>, string> = { copied: 'Copied', failed: 'Copy manually' }

interface Props {
  text: string
  /** Names the text for screen readers. */
  what: string
  /** The label of the button, if it isn't "Copy". */
  label?: string
}

/** Copies a text to the clipboard and confirms it, also to screen readers. */
export function CopyButton({ text, what, label }: Props) {
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
        className={buttonClass({ look: 'secondary', size: 'small', className: classes.button })}
        data-outcome={outcome}
        aria-label={outcome === 'idle' ? (label ?? `Copy ${what}`) : LABEL[outcome]}
        onClick={async () => setLastCopy({ text, outcome: (await copyText(text)) ? 'copied' : 'failed' })}
      >
        {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
        <span>{outcome === 'idle' ? (label ?? 'Copy') : LABEL[outcome]}</span>
      </button>
      <span className="visually-hidden" role="status">
        {outcome === 'copied' && `Copied ${what}`}
        {outcome === 'failed' && `The browser blocked copying. Select ${what} and copy manually.`}
      </span>
    </>
  )
}
