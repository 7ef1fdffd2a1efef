'use client'

import type { FormEvent } from 'react'
import { useState } from 'react'
import type { TopUp } from '../../../lib/purchases/top-up-settings'
import classes from './buy-credits.module.css'
import { FailureNote } from './failure-note'
import { failureText, fieldText, postJson } from './post'
import { RefreshWhileVisible } from './refresh-while-visible'
import { useRefresh } from './use-refresh'
import { Button } from '../elements/button'
import { Notice } from '../elements/notice'
import { TextField } from '../elements/field'
import forms from './form.module.css'

interface TopUpFormProps {
  /** Null before it was ever set up. */
  topUp: TopUp | null
  lowBalanceAt: number
  /** Whether the owner has just entered a card that Stripe hasn't reported yet. */
  isCardAwaited: boolean
  /** Whether the server can send email. */
  sendsMail: boolean
}

const USUAL_DOLLARS = 10
const USUAL_LIMIT = 50
const LOOK_EVERY_MS = 2000

/**
 * Sets up automatic top-up, which buys credits when the balance is low. It is off until the owner turns it on and
 * enters a card at Stripe.
 */
export function TopUpForm({ topUp, lowBalanceAt, isCardAwaited, sendsMail }: TopUpFormProps) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null)

  async function send(path: string, fields: Record<string, string>, successText: string) {
    setBusy(path)
    setOutcome(null)
    const response = await postJson(path, fields)
    const url = response.body['url']
    if (response.ok && typeof url === 'string') return window.location.assign(url)
    setOutcome(response.ok ? { ok: true, text: successText } : { ok: false, text: failureText(response) })
    setBusy(null)
    await refresh()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const { submitter } = event.nativeEvent as SubmitEvent // The type of the event that React passes on.
    const card = submitter instanceof HTMLButtonElement ? submitter.value : ''
    void send(
      '/api/account/top-up',
      { dollars: fieldText(fields, 'dollars'), monthlyLimit: fieldText(fields, 'monthlyLimit'), card },
      'Saved.',
    )
  }

  const isOn = topUp?.isOn ?? false
  return (
    <form onSubmit={submit} method="post">
      <div className={forms.stack}>
        {isCardAwaited && (
          <>
            <RefreshWhileVisible everyMs={LOOK_EVERY_MS} />
            <Notice title="The card is being confirmed" role="status">
              Automatic top-up turns on after that.
            </Notice>
          </>
        )}
        {topUp?.stoppedBy !== undefined && (
          <Notice kind="warning" title={`Automatic top-up was turned off after a ${topUp.stoppedBy}`}>
            {topUp.stoppedBy === 'refund'
              ? 'A purchase was refunded'
              : "A purchase was disputed with the cardholder's bank"}
            . Sheaf removed the credits of this purchase. You can turn automatic top-up on again.
          </Notice>
        )}
        {topUp?.lastFailure !== undefined && (
          <Notice
            color={topUp.hasGivenUp ? 'red' : 'yellow'}
            title={
              topUp.hasGivenUp
                ? 'Automatic top-up was turned off after three failed payments'
                : 'The last payment failed'
            }
          >
            {topUp.lastFailure}
          </Notice>
        )}
        <p className={classes.note} data-testid="top-up-state">
          {isOn && topUp !== null
            ? `On. If your balance falls below ${lowBalanceAt.toLocaleString('en')} credits, Sheaf buys ` +
              `$${topUp.dollars.toLocaleString('en')} of credits with the ${topUp.card ?? 'card'}. The limit is ` +
              `$${topUp.monthlyLimitDollars.toLocaleString('en')} a month.`
            : 'Off. If you turn on automatic top-up, Sheaf buys credits when your balance falls below the low-balance ' +
              'threshold. Stripe stores your card.' +
              (sendsMail ? ' You get an email for each purchase.' : '')}
        </p>
        <div className={classes.fields}>
          <TextField
            label="Amount per top-up, in US dollars"
            name="dollars"
            inputMode="numeric"
            defaultValue={String(topUp?.dollars ?? USUAL_DOLLARS)}
            required
            maxLength={4}
          />
          <TextField
            label="Monthly limit, in US dollars"
            name="monthlyLimit"
            inputMode="numeric"
            defaultValue={String(topUp?.monthlyLimitDollars ?? USUAL_LIMIT)}
            required
            maxLength={5}
          />
        </div>
        <div className={forms.row}>
          <Button type="submit" look="secondary" loading={busy === '/api/account/top-up'}>
            {isOn
              ? 'Save amounts'
              : topUp?.card === undefined
                ? 'Turn on and add a card'
                : `Turn on with the ${topUp.card}`}
          </Button>
          {topUp?.card !== undefined && (
            <Button type="submit" look="quiet" value="other">
              Use another card
            </Button>
          )}
          {isOn && (
            <Button
              type="button"
              look="quiet"
              loading={busy === '/api/account/top-up/off'}
              onClick={() => void send('/api/account/top-up/off', {}, 'Automatic top-up is off.')}
            >
              Turn off
            </Button>
          )}
        </div>
        {outcome?.ok === false && <FailureNote>{outcome.text}</FailureNote>}
        <div role="status">{outcome?.ok === true && <Notice>{outcome.text}</Notice>}</div>
      </div>
    </form>
  )
}
