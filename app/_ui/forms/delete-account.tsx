'use client'

import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { Dialog } from '../elements/dialog'
import { FailureNote } from './failure-note'
import { failureText, fieldText, postJson } from './post'
import { Button } from '../elements/button'
import { TextField } from '../elements/field'
import { PasswordField } from '../elements/password-field'
import forms from './form.module.css'

/** Deletes the account after the owner has typed its password, or its address if it has no password. */
export function DeleteAccount({ hasPassword, balance }: { hasPassword: boolean; balance: number }) {
  const [opened, setOpened] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(null)
    const response = await postJson('/api/account/delete', {
      password: fieldText(fields, 'password'),
      email: fieldText(fields, 'email'),
    })
    if (response.ok) return window.location.assign('/sign-in/deleted')
    setFailure(failureText(response))
    setBusy(false)
  }

  return (
    <>
      <div>
        <Button ref={trigger} look="secondary" onClick={() => setOpened(true)}>
          Delete account
        </Button>
      </div>
      <Dialog
        opened={opened}
        title="Delete this account?"
        onLeave={() => !busy && setOpened(false)}
        onGone={() => trigger.current?.focus()}
      >
        <form onSubmit={submit} method="post">
          <div className={forms.stack}>
            <p>
              This immediately deletes your email address, API key, request log and sessions. Requests with your key
              return 401.
              {balance > 0 && ` You lose ${balance.toLocaleString('en')} credits.`} You can’t undo this.
            </p>
            {hasPassword ? (
              <PasswordField
                label="Password"
                name="password"
                autoComplete="current-password"
                required
                maxLength={200}
              />
            ) : (
              <TextField
                label="Your email address"
                name="email"
                type="email"
                autoComplete="off"
                required
                maxLength={254}
              />
            )}
            {failure !== null && <FailureNote>{failure}</FailureNote>}
            <div className={forms.row}>
              <Button type="submit" look="danger" loading={busy}>
                Delete permanently
              </Button>
              <Button look="secondary" onClick={() => setOpened(false)}>
                Keep account
              </Button>
            </div>
          </div>
        </form>
      </Dialog>
    </>
  )
}
