'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { CodeTabs } from './code-tabs'
import { CopyButton } from './copy-button'
import { firstCallSamples } from './first-call'
import { Modal } from './modal'
import { failureText, postJson } from './post'
import { SampleFiles } from './sample-files'

/** What the page may know of a key. */
export interface ShownKey {
  masked: string
  last4: string
  /** As it is displayed. */
  created: string
}

type Step = { name: 'closed' } | { name: 'asking' } | { name: 'showing'; apiKey: string; isNew: boolean }

const CLOSED: Step = { name: 'closed' }

/**
 * Creating and rotating the account's one key. The key itself lives in this component's state only, while its dialog is
 * open; neither the server's HTML nor an address ever holds it.
 */
export function ApiKeyPanel({ apiKey: current, origin }: { apiKey: ShownKey | null; origin: string }) {
  const router = useRouter()
  const trigger = useRef<HTMLButtonElement>(null)
  const [step, setStep] = useState<Step>(CLOSED)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [reminder, setReminder] = useState(false)
  const wasOpen = useRef(false)

  useEffect(() => {
    if (wasOpen.current && step.name === 'closed') trigger.current?.focus()
    wasOpen.current = step.name !== 'closed'
  }, [step])

  async function obtain(path: string, fields: Record<string, string>, isNew: boolean) {
    if (busy) return
    setBusy(true)
    setFailure(null)
    setReminder(false)
    const answer = await postJson(path, fields)
    const apiKey = answer.body['apiKey']
    if (answer.ok && typeof apiKey === 'string') {
      setStep({ name: 'showing', apiKey, isNew })
    } else {
      setFailure(answer.status === 401 ? 'You have been signed out. Sign in again to continue.' : failureText(answer))
      setStep(CLOSED)
    }
    setBusy(false)
    router.refresh()
  }

  function leave() {
    if (step.name === 'showing') setReminder(true)
    else if (!busy) setStep(CLOSED)
  }

  return (
    <>
      {failure !== null && (
        <p className="failure" role="alert">
          {failure}
        </p>
      )}
      {current === null && <p>You have no API key yet. A key lets your server make calls; it is shown once, when it is created.</p>}
      <div className="key-line">
        {current !== null && (
          <p>
            <code>{current.masked}</code>
            <br />
            <span className="soft">Created {current.created}</span>
          </p>
        )}
        <button
          ref={trigger}
          type="button"
          className={current === null ? 'button primary' : 'button'}
          aria-disabled={busy}
          onClick={() => {
            setFailure(null)
            if (current === null) void obtain('/api/account/key', {}, true)
            else setStep({ name: 'asking' })
          }}
        >
          {current === null ? 'Create API key' : 'Rotate key'}
        </button>
      </div>

      <Modal step={step.name === 'closed' ? null : step.name} title={titleOf(step)} short={step.name === 'asking'} onLeave={leave}>
        {step.name === 'asking' && current !== null && (
          <>
            <p>
              You get a new key, and the one that ends in <code>{current.last4}</code> is refused from that moment on, everywhere. Calls that
              are already running finish. Credits and history stay.
            </p>
            <div className="actions">
              <button type="button" className="button danger" aria-disabled={busy} onClick={() => obtain('/api/account/key/rotate', { last4: current.last4 }, false)}>
                Rotate now
              </button>
              <button type="button" className="button" onClick={leave}>
                Keep the current key
              </button>
            </div>
          </>
        )}
        {step.name === 'showing' && (
          <>
            <p>Store it now, where only your server can read it. It is not shown again{step.isNew ? '' : ', and the old key is already refused'}.</p>
            <div className="secret">
              <code data-testid="api-key">{step.apiKey}</code>
              <CopyButton className="button small" text={step.apiKey} what="the API key" />
            </div>
            <p>
              Try it: download <SampleFiles /> into one folder and run this there.
            </p>
            <CodeTabs label="First call with your key" samples={firstCallSamples(origin, step.apiKey)} />
            <p className={reminder ? 'warning' : 'visually-hidden'} role="status">
              {reminder && 'This is the only time the key is shown. Store it, then choose “I have stored it”.'}
            </p>
            <div className="actions">
              <button type="button" className="button primary" onClick={() => setStep(CLOSED)}>
                I have stored it
              </button>
            </div>
          </>
        )}
      </Modal>

      <div className="samples stack">
        <h3>A first call</h3>
        <p>
          Merges <SampleFiles /> into one PDF of three pages and costs one credit. The samples read the key from the environment variable{' '}
          <code>SHEAF_API_KEY</code>.
        </p>
        <CodeTabs label="First call" samples={firstCallSamples(origin)} />
      </div>
    </>
  )
}

function titleOf(step: Step): string {
  if (step.name === 'asking') return 'Rotate the key?'
  return step.name === 'showing' && !step.isNew ? 'Your new API key' : 'Your API key'
}
