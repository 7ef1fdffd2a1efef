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
  return <LeaveButton label="Sign out" size="small" send={() => postToAuth('signout', { callbackUrl: '/' })} then="/" />
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

interface Props {
  label: string
  size?: 'small'
  send: () => Promise<PostResponse>
  then: string
}

function LeaveButton({ label, size, send, then }: Props) {
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
      <Button look="secondary" {...(size && { size })} loading={busy} onClick={leave}>
        {label}
      </Button>
      {failure !== null && <FailureNote>{failure}</FailureNote>}
    </div>
  )
}
