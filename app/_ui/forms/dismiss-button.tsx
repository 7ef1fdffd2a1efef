'use client'

import { useState } from 'react'
import { FailureNote } from './failure-note'
import { failureText, postJson } from './post'
import { useRefresh } from './use-refresh'
import { Button } from '../elements/button'

/** Dismisses a notice. `path` is the route that hides it, and `label` names the notice for screen readers. */
export function DismissButton({ path, label }: { path: string; label: string }) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function dismiss() {
    setBusy(true)
    const response = await postJson(path)
    if (response.ok) return refresh()
    setFailure(failureText(response))
    setBusy(false)
  }

  return (
    <>
      <Button look="secondary" size="small" aria-label={label} loading={busy} onClick={dismiss}>
        Dismiss
      </Button>
      {failure !== null && <FailureNote>{failure}</FailureNote>}
    </>
  )
}
