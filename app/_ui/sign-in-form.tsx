'use client'

import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { PostAnswer } from './post'
import { failureText, fieldText, postJson, postToAuth } from './post'

interface Ways {
  passwordSignUp: boolean
  mail: boolean
  github: boolean
  google: boolean
}

const MISMATCH = 'That address and password do not go together.'
const AFTER = '/account'

interface Props {
  ways: Ways
  startNew: boolean
  initialMessage: string | null
  /** Of the password of a new account. */
  leastCharacters: number
}

/** Sign-in with a password, a mailed link or another service; creates accounts where the server allows it. */
export function SignInForm({ ways, startNew, initialMessage, leastCharacters }: Props) {
  const [isNew, setIsNew] = useState(startNew && ways.passwordSignUp)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState(initialMessage)
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const failureBox = useRef<HTMLParagraphElement>(null)

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
    const message = isNew ? await signUp(email, password) : await signIn(email, password)
    if (message === null) return window.location.assign(AFTER)
    setFailure(message)
    setBusy(false)
  }

  async function mailLink(form: HTMLFormElement | null) {
    const address = form?.elements.namedItem('email')
    if (!(address instanceof HTMLInputElement) || !address.reportValidity()) return
    setBusy(true)
    setFailure(null)
    const answer = await postToAuth('signin/email', { email: address.value.trim(), callbackUrl: AFTER })
    const problem = authProblem(answer)
    if (problem === null) setMailedTo(address.value.trim())
    else setFailure(problem)
    setBusy(false)
  }

  async function goTo(provider: string) {
    setBusy(true)
    const answer = await postToAuth(`signin/${provider}`, { callbackUrl: AFTER })
    const url = answer.body['url']
    if (answer.ok && typeof url === 'string') return window.location.assign(url)
    setFailure(failureText(answer))
    setBusy(false)
  }

  if (mailedTo !== null) {
    return (
      <div className="stack" role="status">
        <p>
          A link was sent to <strong>{mailedTo}</strong>. It works once, within an hour, in this browser or another.
        </p>
        <p>
          <button type="button" className="link-button" onClick={() => setMailedTo(null)}>
            Use another address
          </button>
        </p>
      </div>
    )
  }

  return (
    <form className="stack" onSubmit={submit} method="post">
      {failure !== null && (
        <p className="failure" role="alert" tabIndex={-1} ref={failureBox}>
          {failure}
        </p>
      )}
      <div className="field">
        <label htmlFor="email">E-mail address</label>
        <input id="email" name="email" type="email" autoComplete="username" required maxLength={254} />
      </div>
      <div className="field">
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          minLength={isNew ? leastCharacters : undefined}
          maxLength={200}
          aria-describedby={isNew ? 'password-hint' : undefined}
        />
        {isNew && (
          <p className="hint" id="password-hint">
            At least {leastCharacters} characters, and not the address itself.
          </p>
        )}
      </div>
      <button className="button primary" disabled={busy}>
        {isNew ? 'Create account' : 'Sign in'}
      </button>

      {ways.passwordSignUp && (
        <p className="soft">
          {isNew ? 'Already have an account? ' : 'New here? '}
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setIsNew(!isNew)
              setFailure(null)
            }}
          >
            {isNew ? 'Sign in instead' : 'Create an account'}
          </button>
        </p>
      )}

      {(ways.mail || ways.github || ways.google) && <p className="divider">or</p>}
      {ways.mail && (
        <button type="button" className="button" disabled={busy} onClick={event => mailLink(event.currentTarget.form)}>
          Send me a sign-in link
        </button>
      )}
      {ways.github && (
        <button type="button" className="button" disabled={busy} onClick={() => goTo('github')}>
          Continue with GitHub
        </button>
      )}
      {ways.google && (
        <button type="button" className="button" disabled={busy} onClick={() => goTo('google')}>
          Continue with Google
        </button>
      )}
    </form>
  )
}

/** Null when signed in, else the sentence to show. */
async function signIn(email: string, password: string): Promise<string | null> {
  const answer = await postToAuth('callback/credentials', { email, password })
  if (answer.ok) return authProblem(answer)
  return answer.status === 401 ? MISMATCH : failureText(answer)
}

/** The answer to a new address and to one that exists is the same; only the sign-in after it tells them apart, by the password. */
async function signUp(email: string, password: string): Promise<string | null> {
  const answer = await postJson('/api/account/sign-up', { email, password })
  return answer.ok ? signIn(email, password) : failureText(answer)
}

/** next-auth answers 200 also when it means a failure; the address that it sends the visitor to says so. */
function authProblem(answer: PostAnswer): string | null {
  if (!answer.ok) return failureText(answer)
  const url = answer.body['url']
  if (typeof url !== 'string') return failureText(answer)
  const search = new URL(url, window.location.href).searchParams
  return search.has('error') || search.has('csrf') ? 'That did not work. Load the page again and retry.' : null
}
