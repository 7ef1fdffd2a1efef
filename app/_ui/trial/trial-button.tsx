'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../elements/button'

/** The button that opens the trial. The trial itself, with its PDF renderer, loads on the first click. */
export function TrialButton({ origin, children }: { origin: string; children: ReactNode }) {
  const [content, setContent] = useState<ReactNode>(null)

  async function open() {
    setContent(<p role="status">Loading the trial</p>)
    try {
      const { TrialPanel } = await import('./trial-panel')
      setContent(<TrialPanel origin={origin} />)
    } catch {
      setContent(<p role="alert">The trial did not load. Check your connection and reload the page.</p>)
    }
  }

  return (
    content ?? (
      <Button size="large" onClick={open}>
        {children}
      </Button>
    )
  )
}
