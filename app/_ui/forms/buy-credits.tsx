'use client'

import { Button, Radio, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import classes from './buy-credits.module.css'
import { FailureNote } from './failure-note'
import { failureText, postJson } from './post'

interface Offer {
  /** In whole US dollars, like the bounds. */
  packs: number[]
  leastDollars: number
  mostDollars: number
}

const OTHER = 'other'

/** Lets the visitor choose an amount and opens the payment page. The server decides the price. */
export function BuyCredits({ packs, leastDollars, mostDollars }: Offer) {
  const [choice, setChoice] = useState(String(packs[0] ?? OTHER))
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const dollars = choice === OTHER ? typed : choice

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    const response = await postJson('/api/account/purchases', { dollars })
    const url = response.body['url']
    if (response.ok && typeof url === 'string') return window.location.assign(url)
    setFailure(failureText(response))
    setBusy(false)
  }

  return (
    <form onSubmit={submit} method="post">
      <Stack>
        <Radio.Group
          label="1,000 credits cost $1. Purchased credits don’t expire."
          value={choice}
          onChange={setChoice}
          name="pack"
        >
          <div className={classes.packs}>
            {packs.map(pack => (
              <Radio.Card key={pack} value={String(pack)} className={classes.pack}>
                <Radio.Indicator />
                <span>
                  <strong>${pack}</strong>
                  <br />
                  {(pack * 1000).toLocaleString('en')} credits
                </span>
              </Radio.Card>
            ))}
            <Radio.Card value={OTHER} className={classes.pack}>
              <Radio.Indicator />
              <span>
                <strong>Other</strong>
                <br />${leastDollars} to ${mostDollars.toLocaleString('en')}
              </span>
            </Radio.Card>
          </div>
        </Radio.Group>
        {choice === OTHER && (
          <TextInput
            label="Amount in US dollars"
            description={describeAmount(typed, { leastDollars, mostDollars })}
            inputMode="numeric"
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            required
            withAsterisk={false}
            maxLength={4}
            className={classes.amount}
          />
        )}
        <div>
          <Button type="submit" loading={busy}>
            Continue to payment
          </Button>
        </div>
        <p className={classes.note}>
          Stripe collects the payment, billing address and tax ID on its own page. No card data reaches this server.
        </p>
        {failure !== null && <FailureNote>{failure}</FailureNote>}
      </Stack>
    </form>
  )
}

function describeAmount(
  typed: string,
  { leastDollars, mostDollars }: Pick<Offer, 'leastDollars' | 'mostDollars'>,
): string {
  const dollars = Number(typed)
  const isGood = Number.isInteger(dollars) && dollars >= leastDollars && dollars <= mostDollars
  return isGood
    ? `${(dollars * 1000).toLocaleString('en')} credits`
    : `A whole number from ${leastDollars} to ${mostDollars.toLocaleString('en')}.`
}
