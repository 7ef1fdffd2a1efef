'use client'

import type { FormEvent } from 'react'
import { useState } from 'react'
import { FailureNote } from './failure-note'
import { failureText, fieldText, postJson } from './post'
import { useRefresh } from './use-refresh'
import { Button } from '../elements/button'
import { Notice } from '../elements/notice'
import { TextField } from '../elements/field'
import forms from './form.module.css'

/** Sets the balance below which the owner is notified: in the account area, and by email if the server can send it. */
export function LowBalanceForm({ lowBalanceAt, sendsMail }: { lowBalanceAt: number; sendsMail: boolean }) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    const response = await postJson('/api/account/low-balance', { threshold: fieldText(fields, 'threshold') })
    setOutcome(response.ok ? { ok: true, text: 'Saved.' } : { ok: false, text: failureText(response) })
    setBusy(false)
    void refresh()
  }

  return (
    <form onSubmit={submit} method="post">
      <div className={forms.stack}>
        <TextField
          label={sendsMail ? 'Email me below' : 'Notify me below'}
          description={
            sendsMail
              ? 'Credits. You get an email each time your balance falls below this number. 0 turns emails off.'
              : 'Credits. Below this number, the account area shows a notice. This server sends no email. 0 turns the notice off.'
          }
          name="threshold"
          inputMode="numeric"
          defaultValue={String(lowBalanceAt)}
          required
          maxLength={7}
        />
        <div>
          <Button type="submit" look="secondary" loading={busy}>
            Save
          </Button>
        </div>
        {outcome?.ok === false && <FailureNote>{outcome.text}</FailureNote>}
        <div role="status">{outcome?.ok === true && <Notice>{outcome.text}</Notice>}</div>
      </div>
    </form>
  )
}
