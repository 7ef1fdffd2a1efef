'use client'

import type { FormEvent } from 'react'
import { useState } from 'react'
import { failureText, fieldText, postJson } from './post'

/** Sets the first password of an account, or replaces the one it has. */
export function PasswordForm({ hasPassword, email, leastCharacters }: { hasPassword: boolean; email: string; leastCharacters: number }) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    setBusy(true)
    const answer = await postJson('/api/account/password', {
      current: fieldText(fields, 'current'),
      password: fieldText(fields, 'password'),
    })
    setOutcome(answer.ok ? { ok: true, text: 'The password is set. Other browsers have been signed out.' } : { ok: false, text: failureText(answer) })
    if (answer.ok) form.reset()
    setBusy(false)
  }

  return (
    <form className="stack" onSubmit={submit} method="post">
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <div className="field">
          <label htmlFor="current">Current password</label>
          <input id="current" name="current" type="password" autoComplete="current-password" required maxLength={200} />
        </div>
      )}
      <div className="field">
        <label htmlFor="new-password">New password</label>
        <input id="new-password" name="password" type="password" autoComplete="new-password" required minLength={leastCharacters} maxLength={200} aria-describedby="new-password-hint" />
        <p className="hint" id="new-password-hint">
          At least {leastCharacters} characters, and not the address itself.
        </p>
      </div>
      <div>
        <button className="button" disabled={busy}>
          {hasPassword ? 'Change password' : 'Set password'}
        </button>
      </div>
      <p className={outcome === null ? 'visually-hidden' : outcome.ok ? 'notice' : 'failure'} role="status">
        {outcome?.text}
      </p>
    </form>
  )
}
