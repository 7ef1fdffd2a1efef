'use client'

import { useState } from 'react'
import { forgetKeptForms } from './forget-kept-forms'
import { FailureNote } from './failure-note'
import type { PostResponse } from './post'
import { failureText, postJson, postToAuth } from './post'
import { Button } from '../elements/button'
import forms from './form.module.css'

/** Ends the session of this browser. */
export function SignOutButton() {
  return <LeaveButton label="Sign out" send={() => postToAuth('signout', { callbackUrl: '/' })} then="/" />
}

/** Ends every session of the account, including this one. */
export function SignOutEverywhereButton() {
  return (
    <LeaveButton
      label="Sign out everywhere"
      send={() => postJson('/api/account/sign-out-everywhere')}
      then="/sign-in"
    />
  )
}

function LeaveButton({ label, send, then }: { label: string; send: () => Promise<PostResponse>; then: string }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function leave() {
    setBusy(true)
    const response = await send()
    if (response.ok || response.status === 401) {
      forgetKeptForms()
      return window.location.assign(then)
    }
    setFailure(failureText(response))
    setBusy(false)
  }

  return (
    <div className={`${forms.stack} ${forms.tight}`}>
      <Button look="secondary" size="small" loading={busy} onClick={leave}>
        {label}
      </Button>
      {failure !== null && <FailureNote>{failure}</FailureNote>}
    </div>
  )
}
