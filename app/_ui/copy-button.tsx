'use client'

import { useEffect, useState } from 'react'

type Outcome = 'idle' | 'copied' | 'failed'

const LABEL: Record<Outcome, string> = { idle: 'Copy', copied: 'Copied', failed: 'Copy by hand' }

/** Copies a text to the clipboard and says so, also to screen readers. `what` names the text for them. */
export function CopyButton({ text, what, className }: { text: string; what: string; className: string }) {
  const [last, setLast] = useState<{ text: string; outcome: Outcome }>({ text, outcome: 'idle' })
  const outcome = last.text === text ? last.outcome : 'idle'

  useEffect(() => {
    if (last.outcome === 'idle') return
    const timer = setTimeout(() => setLast({ text: last.text, outcome: 'idle' }), 4000)
    return () => clearTimeout(timer)
  }, [last])

  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={outcome === 'idle' ? `Copy ${what}` : LABEL[outcome]}
        onClick={async () => setLast({ text, outcome: (await copy(text)) ? 'copied' : 'failed' })}
      >
        {LABEL[outcome]}
      </button>
      <span className="visually-hidden" role="status">
        {outcome === 'copied' && `Copied ${what}`}
        {outcome === 'failed' && `The browser did not allow copying. Select ${what} and copy it by hand.`}
      </span>
    </>
  )
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text) // no clipboard API on plain http away from localhost
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  const before = document.activeElement
  // Inside an open modal dialog everything outside of it cannot be focused.
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
