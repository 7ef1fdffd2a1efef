'use client'

import { useRef, useState } from 'react'
import classes from './api-key-panel.module.css'
import { CodeTabs, type CodeSample } from '../elements/code-tabs'
import { CopyButton } from '../elements/copy-button'
import { Dialog } from '../elements/dialog'
import { FailureNote } from '../forms/failure-note'
import { FirstRequestLine } from './first-request-line'
import { KEY_PLACE } from './key-place'
import { failureText, postJson } from '../forms/post'
import { SampleFiles } from './sample-files'
import { useRefresh } from '../forms/use-refresh'
import { Button } from '../elements/button'
import { Notice } from '../elements/notice'
import forms from '../forms/form.module.css'

/** The public details of a key. */
export interface ShownKey {
  masked: string
  last4: string
  /** This and the following members are display texts. */
  created: string
  /** Null before the first request. */
  lastUse: string | null
  requestsInLastDay: string
}

type Step = { name: 'closed' } | { name: 'asking' } | { name: 'showing'; apiKey: string; isNew: boolean }

const CLOSED: Step = { name: 'closed' }

interface Props {
  apiKey: ShownKey | null
  /** Samples of a first request, with `KEY_PLACE` in place of the key. */
  samples: CodeSample[]
  /** The time of the page (ISO 8601). The dialog shows the first request after it. */
  since: string
}

/**
 * Creates and rotates the account's key. The key is only in this component's state, while its dialog is open. Neither
 * the server's HTML nor a URL ever contains the key.
 */
export function ApiKeyPanel({ apiKey: current, samples, since }: Props) {
  const refresh = useRefresh()
  const [step, setStep] = useState<Step>(CLOSED)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /**
   * Stays true while a new key is shown. An error of another request would close its dialog, and the key would be lost.
   */
  const isBusy = useRef(false)
  const trigger = useRef<HTMLButtonElement>(null)
  // If a key was created, another button has replaced the one that opened the dialog.
  const restoreFocus = () => trigger.current?.focus()

  async function requestKey(path: string, fields: Record<string, string>, { isNew }: { isNew: boolean }) {
    if (isBusy.current) return // Ignore double clicks, also if the first click already has its response.
    isBusy.current = true
    setBusy(true)
    setFailure(null)
    const response = await postJson(path, fields)
    const apiKey = response.body['apiKey']
    if (response.ok && typeof apiKey === 'string') {
      setStep({ name: 'showing', apiKey, isNew })
    } else {
      isBusy.current = false
      setFailure(
        response.status === 401
          ? 'You are signed out. Nothing was changed. Sign in again to continue.'
          : failureText(response),
      )
      setStep(CLOSED)
    }
    setBusy(false)
    // Otherwise the sign-in page would replace this page before the sentence was read.
    if (response.status !== 401) void refresh()
  }

  return (
    <>
      {failure !== null && <FailureNote>{failure}</FailureNote>}
      {current === null ? (
        <div className={classes.empty}>
          <p>
            You have no API key yet. Your server sends the key with each request. You see the key only once, so store it
            in your secret manager.
          </p>
          <Button
            ref={trigger}
            size="large"
            loading={busy}
            onClick={() => requestKey('/api/account/key', {}, { isNew: true })}
          >
            Create API key
          </Button>
        </div>
      ) : (
        <div className={classes.line}>
          <div>
            <code className={classes.masked}>{current.masked}</code>
            <p className={classes.facts}>
              Created {current.created}
              <br />
              {current.lastUse === null
                ? 'No request with this key yet. The playground doesn’t use the key.'
                : `Last used ${current.lastUse}`}
            </p>
          </div>
          <Button
            ref={trigger}
            look="secondary"
            onClick={() => {
              setFailure(null)
              setStep({ name: 'asking' })
            }}
          >
            Rotate key
          </Button>
        </div>
      )}

      <Dialog
        opened={step.name === 'asking' && current !== null}
        title="Rotate API key?"
        onLeave={() => !busy && setStep(CLOSED)}
        onGone={() => step.name === 'closed' && restoreFocus()}
      >
        <p>
          You get a new key. The key that ends in <code>{current?.last4}</code> stops working at once on every server.
          Running requests finish. Your credits and history stay.
        </p>
        <p>
          {current?.lastUse
            ? `Last used: ${current.lastUse}. Your account sent ${current.requestsInLastDay} in the last 24 hours.`
            : 'No request was sent with this key.'}
        </p>
        <div className={forms.row}>
          <Button
            look="danger"
            loading={busy}
            onClick={() =>
              current !== null && requestKey('/api/account/key/rotate', { last4: current.last4 }, { isNew: false })
            }
          >
            Rotate now
          </Button>
          <Button look="secondary" data-autofocus onClick={() => setStep(CLOSED)}>
            Keep current key
          </Button>
        </div>
      </Dialog>
      <KeyDialog
        newKey={step.name === 'showing' ? step : null}
        samples={samples}
        since={since}
        onStored={() => {
          isBusy.current = false
          setStep(CLOSED)
        }}
        onGone={restoreFocus}
      />
    </>
  )
}

interface KeyDialogProps {
  newKey: { apiKey: string; isNew: boolean } | null
  samples: CodeSample[]
  since: string
  onStored: () => void
  onGone: () => void
}

/** Shows a new key, which can't be shown again. Only the button that confirms its storage closes the dialog. */
function KeyDialog({ newKey, samples, since, onStored, onGone }: KeyDialogProps) {
  const [reminder, setReminder] = useState(false)
  const close = () => {
    setReminder(false)
    onStored()
  }
  return (
    <Dialog
      opened={newKey !== null}
      wide
      title={newKey?.isNew === false ? 'Your new API key' : 'Your API key'}
      onLeave={() => setReminder(true)}
      onGone={onGone}
    >
      {newKey !== null && (
        <>
          <p>
            Store the key now where only your server can read it. You can’t see the key again.
            {newKey.isNew ? '' : ' The old key no longer works.'}
          </p>
          <div className={classes.secret}>
            <code data-testid="api-key">{newKey.apiKey}</code>
            <CopyButton text={newKey.apiKey} what="the API key" />
          </div>
          <p>
            To try the key, run this command. It merges two sample files in a new folder. For another language, download{' '}
            <SampleFiles /> first, and run the code in their folder.
          </p>
          <CodeTabs
            label="First request with your key"
            samples={samples.map(sample => insertKey(sample, newKey.apiKey))}
          />
          {newKey.isNew && <FirstRequestLine since={since} />}
          <div role="status">
            {reminder && (
              <Notice kind="warning">
                You can’t see this key again. Store the key, then choose “I stored the key”.
              </Notice>
            )}
          </div>
          <div className={forms.row}>
            <Button onClick={close}>I stored the key</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

/** A key consists of letters, digits and underscores, so it needs no escaping in any of the languages or in HTML. */
function insertKey({ text, html, ...sample }: CodeSample, apiKey: string): CodeSample {
  return { ...sample, text: text.replaceAll(KEY_PLACE, apiKey), html: html.replaceAll(KEY_PLACE, apiKey) }
}
