'use client'

import { Alert, Button, Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import classes from './api-key-panel.module.css'
import { CodeTabs, type CodeSample } from '../elements/code-tabs'
import { CopyButton } from '../elements/copy-button'
import { Dialog } from '../elements/dialog'
import { FailureNote } from '../forms/failure-note'
import { KEY_PLACE } from './key-place'
import { failureText, postJson } from '../forms/post'
import { SampleFiles } from './sample-files'
import { useRefresh } from '../forms/use-refresh'

/** The public details of a key. */
export interface ShownKey {
  masked: string
  last4: string
  /** This and the following members are display texts. */
  created: string
  /** Null before the first call. */
  lastUse: string | null
  callsInLastDay: string
}

type Step = { name: 'closed' } | { name: 'asking' } | { name: 'showing'; apiKey: string; isNew: boolean }

const CLOSED: Step = { name: 'closed' }

interface Props {
  apiKey: ShownKey | null
  samples: { withVariable: CodeSample[]; withKey: CodeSample[] }
}

/**
 * Creates and rotates the account's key. The key is only in this component's state, while its dialog is open. Neither
 * the server's HTML nor a URL ever contains the key.
 */
export function ApiKeyPanel({ apiKey: current, samples }: Props) {
  const refresh = useRefresh()
  const [step, setStep] = useState<Step>(CLOSED)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const isBusy = useRef(false)
  const trigger = useRef<HTMLButtonElement>(null)
  // If a key was created, another button has replaced the one that opened the dialog.
  const restoreFocus = () => trigger.current?.focus()

  async function requestKey(path: string, fields: Record<string, string>, isNew: boolean) {
    if (isBusy.current) return // Ignore double clicks.
    isBusy.current = true
    setBusy(true)
    setFailure(null)
    const response = await postJson(path, fields)
    const apiKey = response.body['apiKey']
    if (response.ok && typeof apiKey === 'string') {
      setStep({ name: 'showing', apiKey, isNew })
    } else {
      setFailure(
        response.status === 401
          ? 'You have been signed out, and nothing was changed. Sign in again to continue.'
          : failureText(response),
      )
      setStep(CLOSED)
    }
    isBusy.current = false
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
            You have no API key yet. A key lets your server make calls. It is shown once, when it is created, so have
            the place ready where you keep secrets.
          </p>
          <Button ref={trigger} size="md" loading={busy} onClick={() => requestKey('/api/account/key', {}, true)}>
            Create API key
          </Button>
        </div>
      ) : (
        <div className={classes.line}>
          <div>
            <code className={classes.masked}>{current.masked}</code>
            <Text size="sm" c="dimmed">
              Created {current.created}
              <br />
              {current.lastUse === null ? 'Not used yet' : `Last used ${current.lastUse}`}
            </Text>
          </div>
          <Button
            ref={trigger}
            variant="default"
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
        title="Rotate the key?"
        onLeave={() => !busy && setStep(CLOSED)}
        onGone={() => step.name === 'closed' && restoreFocus()}
      >
        <p>
          You get a new key, and the one that ends in <code>{current?.last4}</code> is refused from that moment on,
          everywhere. Calls that are already running finish. Credits and history stay.
        </p>
        <p>
          {current?.lastUse
            ? `It was last used ${current.lastUse}; your account made ${current.callsInLastDay} in the last 24 hours.`
            : 'It has not been used yet.'}
        </p>
        <Group>
          <Button
            color="red"
            loading={busy}
            onClick={() => current !== null && requestKey('/api/account/key/rotate', { last4: current.last4 }, false)}
          >
            Rotate now
          </Button>
          <Button variant="default" onClick={() => setStep(CLOSED)}>
            Keep the current key
          </Button>
        </Group>
      </Dialog>
      <KeyDialog
        newKey={step.name === 'showing' ? step : null}
        samples={samples.withKey}
        onStored={() => setStep(CLOSED)}
        onGone={restoreFocus}
      />

      <div className={classes.samples}>
        <h3>A first call</h3>
        <p>
          Merges <SampleFiles /> into one PDF of three pages and costs one credit. The samples read the key from the
          environment variable <code>SHEAF_API_KEY</code>; keys belong on servers, never in a browser or an app.
        </p>
        <CodeTabs label="First call" samples={samples.withVariable} />
      </div>
    </>
  )
}

interface KeyDialogProps {
  newKey: { apiKey: string; isNew: boolean } | null
  samples: CodeSample[]
  onStored: () => void
  onGone: () => void
}

/** Shows a new key, which can't be shown again. Only the button that confirms its storage closes the dialog. */
function KeyDialog({ newKey, samples, onStored, onGone }: KeyDialogProps) {
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
            Store it now, where only your server can read it. It is not shown again
            {newKey.isNew ? '' : ', and the old key is already refused'}.
          </p>
          <div className={classes.secret}>
            <code data-testid="api-key">{newKey.apiKey}</code>
            <CopyButton text={newKey.apiKey} what="the API key" />
          </div>
          <p>
            Try it: download <SampleFiles /> into one folder and run this there.
          </p>
          <CodeTabs
            label="First call with your key"
            samples={samples.map(sample => insertKey(sample, newKey.apiKey))}
          />
          <div role="status">
            {reminder && (
              <Alert color="yellow">
                This is the only time the key is shown. Store it, then choose “I have stored it”.
              </Alert>
            )}
          </div>
          <Group>
            <Button onClick={close}>I have stored it</Button>
          </Group>
        </>
      )}
    </Dialog>
  )
}

/** A key consists of letters, digits and underscores, so it needs no escaping in any of the languages or in HTML. */
function insertKey({ text, html, ...sample }: CodeSample, apiKey: string): CodeSample {
  return { ...sample, text: text.replaceAll(KEY_PLACE, apiKey), html: html.replaceAll(KEY_PLACE, apiKey) }
}
