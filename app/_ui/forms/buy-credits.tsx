'use client'

import type { FormEvent } from 'react'
import { useState } from 'react'
import classes from './buy-credits.module.css'
import { FailureNote } from './failure-note'
import { failureText, postJson } from './post'
import { Button } from '../elements/button'
import { TextField } from '../elements/field'
import forms from './form.module.css'

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
      <div className={forms.stack}>
        <fieldset className={classes.choice}>
          <legend>1,000 credits cost $1. Purchased credits don’t expire.</legend>
          <div className={classes.packs}>
            {packs.map(pack => (
              <Pack
                key={pack}
                value={String(pack)}
                choice={choice}
                onChoose={setChoice}
                title={`$${pack}`}
                text={`${(pack * 1000).toLocaleString('en')} credits`}
              />
            ))}
            <Pack
              value={OTHER}
              choice={choice}
              onChoose={setChoice}
              title="Other"
              text={`$${leastDollars} to $${mostDollars.toLocaleString('en')}`}
            />
          </div>
        </fieldset>
        {choice === OTHER && (
          <TextField
            label="Amount in US dollars"
            description={describeAmount(typed, { leastDollars, mostDollars })}
            inputMode="numeric"
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            required
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
      </div>
    </form>
  )
}

interface PackProps {
  value: string
  /** The chosen value. */
  choice: string
  onChoose: (value: string) => void
  title: string
  text: string
}

function Pack({ value, choice, onChoose, title, text }: PackProps) {
  return (
    <label className={classes.pack}>
      <input type="radio" name="pack" value={value} checked={choice === value} onChange={() => onChoose(value)} />
      <span>
        <strong>{title}</strong>
        <br />
        {text}
      </span>
    </label>
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
