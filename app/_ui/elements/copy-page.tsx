'use client'

import { useState } from 'react'
import { buttonClass } from './button'
import { copyText } from './copy-text'
import { CheckIcon, CopyIcon } from './icons'

const LABEL = { idle: 'Copy page as Markdown', copied: 'Copied', failed: 'Not copied. Open the page instead.' }

/** Copies the text at a URL of this site: a page as Markdown. */
export function CopyPage({ address }: { address: string }) {
  const [outcome, setOutcome] = useState<keyof typeof LABEL>('idle')
  return (
    <button
      type="button"
      className={buttonClass({ look: 'secondary', size: 'small' })}
      aria-live="polite"
      onClick={async () => setOutcome((await copyFrom(address)) ? 'copied' : 'failed')}
    >
      {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      {LABEL[outcome]}
    </button>
  )
}

async function copyFrom(address: string): Promise<boolean> {
  const text = fetch(address).then(response =>
    response.ok ? response.text() : Promise.reject(new Error(String(response.status))),
  )
  try {
    // Some browsers only allow copying directly after the click, but accept a promise.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
    return true
  } catch {
    return text.then(copyText, () => false)
  }
}
