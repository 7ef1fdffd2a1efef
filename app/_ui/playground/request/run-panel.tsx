'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Panel } from '../../elements/panel'
import { writeSize } from '../../elements/byte-size'
import classes from '../playground.module.css'
import type { MoreCredits } from './playground-endpoint'
import type { UploadProgress } from './send-request'
import { Button } from '../../elements/button'

interface Props {
  balance: number
  moreCredits: MoreCredits
  /** Set while a request is in progress. */
  progress: UploadProgress | null
  isRunning: boolean
  /** `performance.now()` at the start of the run. */
  startedAtMs: number
  /** Why the request can't be sent yet. Null if it can. */
  obstacle: string | null
  onRun: () => void
  onCancel: () => void
  /** The result of the latest run. */
  children: ReactNode
}

/** The price of a run, its button, its progress and its result. */
export function RunPanel(props: Props) {
  const { balance, moreCredits, progress, isRunning, startedAtMs, obstacle, onRun, onCancel, children } = props
  const isEmpty = balance === 0
  return (
    <Panel id="run" title="Run">
      <p>
        Costs 1 credit. Your balance is <strong data-testid="balance">{balance.toLocaleString('en')}</strong>. A failed
        request costs nothing.
      </p>
      <div className={classes.runLine}>
        <Button
          size="large"
          onClick={onRun}
          loading={isRunning}
          disabled={isEmpty && !isRunning}
          aria-describedby={isEmpty ? 'run-credits' : 'run-obstacle'}
        >
          Run
        </Button>
        {isRunning && (
          <Button size="large" look="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      {isEmpty && !isRunning && <NoCredits {...moreCredits} />}
      <p id="run-obstacle" role="status" className={classes.problem}>
        {isEmpty ? null : obstacle}
      </p>
      {isRunning && <RunProgress progress={progress} startedAtMs={startedAtMs} />}
      {children}
    </Panel>
  )
}

/** Whole seconds since the start of the run. Screen readers don't hear them count. */
function Elapsed({ startedAtMs }: { startedAtMs: number }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - startedAtMs) / 1000)), 250)
    return () => clearInterval(timer)
  }, [startedAtMs])
  return (
    <span aria-hidden className={classes.soft} data-testid="elapsed">
      {seconds} s
    </span>
  )
}

function NoCredits({ text, action }: MoreCredits) {
  return (
    <p id="run-credits" className={classes.soft}>
      You have no credits left, so you can’t run requests. {text} {action && <a href={action.href}>{action.label}</a>}
    </p>
  )
}

function RunProgress({ progress, startedAtMs }: { progress: UploadProgress | null; startedAtMs: number }) {
  const isSent = progress !== null && progress.sent >= progress.total
  const percent = progress === null || progress.total === 0 ? 0 : Math.floor((progress.sent / progress.total) * 100)
  const words =
    progress === null
      ? 'Starting'
      : isSent
        ? 'Sent. Waiting for the response'
        : `Sending: ${writeSize(progress.sent)} of ${writeSize(progress.total)}`
  return (
    <div className={classes.progress}>
      {/* Without a value while the service works, which takes an unknown time. */}
      <progress aria-label="Upload" max={100} value={isSent ? undefined : percent} />
      <p className={classes.progressLine}>
        <span role="status" data-testid="progress">
          {words}
        </span>
        <Elapsed startedAtMs={startedAtMs} />
      </p>
    </div>
  )
}
