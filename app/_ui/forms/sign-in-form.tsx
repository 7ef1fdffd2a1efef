'use client'

import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { forgetKeptForms } from './forget-kept-forms'
import { FailureNote } from './failure-note'
import { LegalNote } from '../frame/legal-pages'
import type { PostResponse } from './post'
import { failureText, fieldText, postJson, postToAuth } from './post'
import { Button } from '../elements/button'
import { TextField } from '../elements/field'
import { PasswordField } from '../elements/password-field'
import forms from './form.module.css'

interface Ways {
  passwordSignUp: boolean
  mail: boolean
  github: boolean
  google: boolean
}

const MISMATCH = 'The email address or password is wrong.'
const NO_SIGN_UP =
  'No account was created with this password. If you have an account with this email address, sign in instead, or ' +
  'choose “Forgot password?” there. If this server requires an invitation, ask its operator for one.'
const HERE_ONLY = 'Open the link in this browser to use the password that you chose.'
const ELSEWHERE_TOO = 'You can open the link in any browser.'

interface Props {
  ways: Ways
  /** URL of the page for forgotten passwords. */
  forgotPage: string
  startNew: boolean
  /** The page that opens after the sign-in. */
  next: string
  initialMessage: string | null
  /** Minimum length of a new account's password. */
  leastCharacters: number
}

/** Signs in with a password, a mailed link or another service. Creates accounts if the server allows it. */
export function SignInForm({ ways, forgotPage, startNew, next, initialMessage, leastCharacters }: Props) {
  const [isNew, setIsNew] = useState(startNew && ways.passwordSignUp)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState(initialMessage)
  const [mailed, setMailed] = useState<Mailed | null>(null)
  const failureBox = useRef<HTMLDivElement>(null)

  useEffect(forgetKeptForms, [])
  useEffect(() => {
    if (failure !== null && failure !== initialMessage) failureBox.current?.focus()
  }, [failure, initialMessage])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const email = fieldText(fields, 'email').trim()
    const password = fieldText(fields, 'password')
    setBusy(true)
    setFailure(null)
    const outcome = isNew ? await signUp(email, password, next) : await signIn(email, password)
    if (outcome === 'in') return window.location.assign(next)
    if (outcome === 'mailed') setMailed({ to: email, isSignUp: true })
    else setFailure(outcome.failure)
    setBusy(false)
  }

  async function mailLink(form: HTMLFormElement | null) {
    const address = form?.elements.namedItem('email')
    if (!(address instanceof HTMLInputElement) || !address.reportValidity()) return
    setBusy(true)
    setFailure(null)
    const response = await postToAuth('signin/email', { email: address.value.trim(), callbackUrl: next })
    const problem = authProblem(response)
    if (problem === null) setMailed({ to: address.value.trim(), isSignUp: false })
    else setFailure(problem)
    setBusy(false)
  }

  async function goTo(provider: string) {
    setBusy(true)
    const response = await postToAuth(`signin/${provider}`, { callbackUrl: next })
    const url = response.body['url']
    if (response.ok && typeof url === 'string') return window.location.assign(url)
    setFailure(failureText(response))
    setBusy(false)
  }

  if (mailed !== null) {
    return (
      <div role="status" className={forms.stack}>
        <p>
          We sent a link to <strong>{mailed.to}</strong>. The link works once and expires after 1 hour.{' '}
          {mailed.isSignUp ? HERE_ONLY : ELSEWHERE_TOO}
        </p>
        <button className={forms.text} type="button" onClick={() => setMailed(null)}>
          Use another email address
        </button>
      </div>
    )
  }

  return (
    <form onSubmit={submit} method="post">
      <div className={forms.stack}>
        {failure !== null && <FailureNote ref={failureBox}>{failure}</FailureNote>}
        <TextField
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          size="large"
          required
          maxLength={254}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          size="large"
          required
          minLength={isNew ? leastCharacters : undefined}
          maxLength={200}
          description={isNew ? `At least ${leastCharacters} characters, and not your email address.` : undefined}
        />
        {!isNew && <a href={forgotPage}>Forgot password?</a>}
        {(isNew || ways.mail || ways.github || ways.google) && <LegalNote />}
        <Button type="submit" size="large" loading={busy}>
          {isNew ? 'Create account' : 'Sign in'}
        </Button>

        {ways.passwordSignUp && (
          <p className={forms.soft}>
            {isNew ? 'Already have an account? ' : 'New here? '}
            <button
              className={forms.text}
              type="button"
              onClick={() => {
                setIsNew(!isNew)
                setFailure(null)
              }}
            >
              {isNew ? 'Sign in instead' : 'Create an account'}
            </button>
          </p>
        )}

        {(ways.mail || ways.github || ways.google) && <p className={forms.or}>or</p>}
        {ways.mail && (
          <Button look="secondary" size="large" disabled={busy} onClick={event => mailLink(event.currentTarget.form)}>
            Send me a sign-in link
          </Button>
        )}
        {ways.github && (
          <Button look="secondary" size="large" disabled={busy} onClick={() => goTo('github')}>
            Continue with GitHub
          </Button>
        )}
        {ways.google && (
          <Button look="secondary" size="large" disabled={busy} onClick={() => goTo('google')}>
            Continue with Google
          </Button>
        )}
      </div>
    </form>
  )
}

/** The address to which a link was sent. */
interface Mailed {
  to: string
  /** Whether it opens a new account. */
  isSignUp: boolean
}

/** The visitor is signed in, or a link was mailed, or there is an error message to show. */
type Outcome = 'in' | 'mailed' | { failure: string }

async function signIn(email: string, password: string): Promise<Outcome> {
  const response = await postToAuth('callback/credentials', { email, password })
  if (!response.ok) return { failure: response.status === 401 ? MISMATCH : failureText(response) }
  const problem = authProblem(response)
  return problem === null ? 'in' : { failure: problem }
}

/**
 * The response is the same for new and existing addresses. If no link is mailed, the sign-in that follows distinguishes
 * them by the password.
 */
async function signUp(email: string, password: string, next: string): Promise<Outcome> {
  const response = await postJson('/api/account/sign-up', { email, password, next })
  if (!response.ok) return { failure: failureText(response) }
  if (response.body['mailed'] === true) return 'mailed'
  const outcome = await signIn(email, password)
  return typeof outcome === 'object' && outcome.failure === MISMATCH ? { failure: NO_SIGN_UP } : outcome
}

/** next-auth responds with 200 even for a failure. The URL of its redirect contains the error. */
function authProblem(response: PostResponse): string | null {
  if (!response.ok) return failureText(response)
  const url = response.body['url']
  if (typeof url !== 'string') return failureText(response)
  const search = new URL(url, window.location.href).searchParams
  return search.has('error') || search.has('csrf') ? 'Sign-in failed. Reload the page and try again.' : null
}
