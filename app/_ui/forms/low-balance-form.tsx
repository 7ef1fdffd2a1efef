'use client'

import { Alert, Button, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { FailureNote } from './failure-note'
import { failureText, fieldText, postJson } from './post'
import { useRefresh } from './use-refresh'

/** Sets the balance below which the owner is notified, in the account area and by mail. */
export function LowBalanceForm({ lowBalanceAt }: { lowBalanceAt: number }) {
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
      <Stack>
        <TextInput
          label="Email me below"
          description="Credits. You get an email each time your balance falls below this number. 0 turns emails off."
          name="threshold"
          inputMode="numeric"
          defaultValue={String(lowBalanceAt)}
          required
          withAsterisk={false}
          maxLength={7}
        />
        <div>
          <Button type="submit" variant="default" loading={busy}>
            Save
          </Button>
        </div>
        {outcome?.ok === false && <FailureNote>{outcome.text}</FailureNote>}
        <div role="status">{outcome?.ok === true && <Alert>{outcome.text}</Alert>}</div>
      </Stack>
    </form>
  )
}
