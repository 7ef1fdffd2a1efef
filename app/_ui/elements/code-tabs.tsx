'use client'

import type { KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import classes from './code-tabs.module.css'
import { CopyButton } from './copy-button'

/** A code sample in one language: the tab's name, the text to copy, and the highlighted text as HTML. */
export interface CodeSample {
  id: string
  name: string
  text: string
  /** From our own highlighter, which escapes all text. */
  html: string
}

const STEP: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Code samples in tabs, with a copy button for the visible sample. */
export function CodeTabs({ samples, label }: { samples: CodeSample[]; label: string }) {
  const prefix = useId()
  const tabs = useRef(new Map<string, HTMLButtonElement>())
  const [chosenId, setChosenId] = useState(samples[0]?.id)
  const shownSample = samples.find(sample => sample.id === chosenId) ?? samples[0]
  if (shownSample === undefined) return null

  function move(event: KeyboardEvent) {
    const step = STEP[event.key]
    if (step === undefined || shownSample === undefined) return
    event.preventDefault()
    const next = samples[(samples.indexOf(shownSample) + step + samples.length) % samples.length]
    if (next === undefined) return
    setChosenId(next.id)
    tabs.current.get(next.id)?.focus()
  }

  return (
    <div className={classes.box}>
      <div className={classes.bar}>
        <div role="tablist" aria-label={label} className={classes.list} onKeyDown={move}>
          {samples.map(sample => (
            <button
              key={sample.id}
              ref={element => {
                if (element) tabs.current.set(sample.id, element)
                else tabs.current.delete(sample.id)
              }}
              type="button"
              role="tab"
              className={classes.tab}
              id={`${prefix}-${sample.id}`}
              aria-selected={sample === shownSample}
              aria-controls={`${prefix}-panel`}
              tabIndex={sample === shownSample ? 0 : -1}
              onClick={() => setChosenId(sample.id)}
            >
              {sample.name}
            </button>
          ))}
        </div>
        <CopyButton text={shownSample.text} what={`the ${shownSample.name} sample`} />
      </div>
      <pre
        id={`${prefix}-panel`}
        role="tabpanel"
        aria-labelledby={`${prefix}-${shownSample.id}`}
        tabIndex={0}
        data-sample={shownSample.id}
        className={classes.panel}
        // oxlint-disable-next-line react/no-danger -- made on the server by our highlighter, which escapes all text
        dangerouslySetInnerHTML={{ __html: shownSample.html }}
      />
    </div>
  )
}
