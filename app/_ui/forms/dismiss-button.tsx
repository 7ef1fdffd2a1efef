'use client'

import { Button } from '@mantine/core'
import { useState } from 'react'
import { FailureNote } from './failure-note'
import { failureText, postJson } from './post'
import { useRefresh } from './use-refresh'

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
      <Button variant="default" size="compact-md" h="2.125rem" aria-label={label} loading={busy} onClick={dismiss}>
        Dismiss
      </Button>
      {failure !== null && <FailureNote>{failure}</FailureNote>}
    </>
  )
}
