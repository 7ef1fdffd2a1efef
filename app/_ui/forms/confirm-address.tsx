'use client'

import { useState } from 'react'
import { FailureNote } from './failure-note'
import { failureText, postToAuth } from './post'
import { Button } from '../elements/button'
import forms from './form.module.css'

const AFTER = '/account/settings#address'

interface Props {
  email: string
  ways: { mail: boolean; github: boolean; google: boolean }
}

/** Ways to verify the address of the account that this browser is signed in to. Nothing ends by this verification. */
export function ConfirmAddress({ email, ways }: Props) {
  const [busy, setBusy] = useState(false)
  const [isMailed, setIsMailed] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function prove(provider: 'email' | 'github' | 'google') {
    setBusy(true)
    setFailure(null)
    const response = await postToAuth(`signin/${provider}`, {
      callbackUrl: AFTER,
      ...(provider === 'email' ? { email } : {}),
    })
    const url = response.body['url']
    if (!response.ok || typeof url !== 'string') setFailure(failureText(response))
    else if (provider === 'email') setIsMailed(true)
    else return window.location.assign(url)
    setBusy(false)
  }

  return (
    <div className={`${forms.stack} ${forms.tight}`}>
      <div className={forms.row}>
        {ways.mail && (
          <Button look="secondary" disabled={busy} onClick={() => prove('email')}>
            Send me a link
          </Button>
        )}
        {ways.github && (
          <Button look="secondary" disabled={busy} onClick={() => prove('github')}>
            Confirm with GitHub
          </Button>
        )}
        {ways.google && (
          <Button look="secondary" disabled={busy} onClick={() => prove('google')}>
            Confirm with Google
          </Button>
        )}
      </div>
      <div role="status">
        {isMailed && <p>We sent a link to {email}. Open the link in this browser within 1 hour.</p>}
      </div>
      {failure !== null && <FailureNote>{failure}</FailureNote>}
    </div>
  )
}
