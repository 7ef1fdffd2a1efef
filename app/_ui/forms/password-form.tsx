'use client'

import type { FormEvent } from 'react'
import { useState } from 'react'
import { FailureNote } from './failure-note'
import { failureText, fieldText, postJson } from './post'
import { Button } from '../elements/button'
import { Notice } from '../elements/notice'
import { PasswordField } from '../elements/password-field'
import forms from './form.module.css'

interface Props {
  hasPassword: boolean
  /** Whether the current password is required. */
  needsPassword: boolean
  email: string
  leastCharacters: number
}

/** Sets the first password of an account, or replaces its password. */
export function PasswordForm({ hasPassword, needsPassword, email, leastCharacters }: Props) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    setBusy(true)
    const response = await postJson('/api/account/password', {
      current: fieldText(fields, 'current'),
      password: fieldText(fields, 'password'),
    })
    setOutcome(
      response.ok
        ? { ok: true, text: 'Your password is set. Other browsers are signed out.' }
        : { ok: false, text: failureText(response) },
    )
    if (response.ok) form.reset()
    setBusy(false)
  }

  return (
    <form onSubmit={submit} method="post">
      <div className={`${forms.stack} ${forms.narrow}`}>
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        {needsPassword && (
          <PasswordField
            label="Current password"
            name="current"
            autoComplete="current-password"
            required
            maxLength={200}
          />
        )}
        <PasswordField
          label="New password"
          description={`At least ${leastCharacters} characters, and not your email address.`}
          name="password"
          autoComplete="new-password"
          required
          minLength={leastCharacters}
          maxLength={200}
        />
        <div>
          <Button type="submit" look="secondary" loading={busy}>
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
        </div>
        {outcome?.ok === false && <FailureNote>{outcome.text}</FailureNote>}
        <div role="status">{outcome?.ok === true && <Notice>{outcome.text}</Notice>}</div>
      </div>
    </form>
  )
}
