'use client'

import type { ReactNode, Ref } from 'react'
import { Panel } from '../../elements/panel'
import { CopyButton } from '../../elements/copy-button'
import type { ResponseFacts, ErrorOutcome, FileOutcome } from './response-details'
import { writeSize } from '../../elements/byte-size'
import { useBlobUrl } from '../../elements/use-blob-url'
import { useLoaded } from '../../elements/use-loaded'
import { describeResult } from './headline'
import { Code } from '../form/hint'
import { keyOf, type PlacedProblem } from '../form/field-path'
import classes from '../playground.module.css'
import type { PlaygroundTerms } from './playground-endpoint'

interface SuccessProps {
  facts: ResponseFacts
  outcome: FileOutcome
  terms: Pick<PlaygroundTerms, 'warnings'>
  /** The request of this response. */
  request?: ReactNode
  ref: Ref<HTMLDivElement>
  /** The pages or the text of the file. */
  children?: ReactNode
}

/** JSON of at most this size is read for the headline. */
const MOST_REPORT_BYTES = 5_000_000

/** A successful response: what it achieved, the file, warnings, and folded details. */
export function ResultPanel({ facts, outcome, terms, request, ref, children }: SuccessProps) {
  const report = useLoaded(outcome.blob, async blob =>
    outcome.contentType === 'application/json' && blob.size <= MOST_REPORT_BYTES
      ? (JSON.parse(await blob.text()) as unknown)
      : undefined,
  )
  return (
    <div ref={ref} tabIndex={-1} className={classes.result} data-testid="result" data-outcome="file">
      <Panel id="result" title={describeResult(facts, outcome, report)}>
        <Download outcome={outcome}>
          <Credits facts={facts} />
        </Download>
        <Warnings facts={facts} terms={terms} />
        {children}
        {request}
        <Details facts={facts} />
      </Panel>
    </div>
  )
}

interface ErrorProps {
  facts: ResponseFacts
  outcome: ErrorOutcome
  terms: Pick<PlaygroundTerms, 'warnings'>
  /** Whether the request was free, as in the trial. */
  isFree?: boolean
  /** Shows a field and moves the focus to it. */
  onShowField: (key: string) => void
  request?: ReactNode
  ref: Ref<HTMLDivElement>
}

/** An error response: the message, the fields that caused it, and folded details. */
export function ErrorPanel({ facts, outcome, terms, isFree = false, onShowField, request, ref }: ErrorProps) {
  return (
    <div ref={ref} tabIndex={-1} className={classes.error} data-testid="result" data-outcome="error">
      <h3 className={classes.resultTitle}>Error</h3>
      <Failure facts={facts} outcome={outcome} isFree={isFree} onShowField={onShowField} />
      <Warnings facts={facts} terms={terms} />
      {request}
      <Details facts={facts} />
    </div>
  )
}

function Download({ outcome: { name, blob }, children }: { outcome: FileOutcome; children: ReactNode }) {
  const link = useBlobUrl<HTMLAnchorElement>(blob)
  return (
    <p className={classes.download}>
      <a ref={link} href="#result" download={name} className={classes.primary}>
        Download {name}
      </a>
      <span className={classes.soft}>{writeSize(blob.size)}</span>
      {children}
    </p>
  )
}

function Credits({ facts: { balance, charged } }: { facts: ResponseFacts }) {
  if (balance === undefined) return null
  return (
    <span className={classes.soft} data-testid="credits">
      {charged === 1 ? '1 credit charged' : '0 credits charged'}, {balance.toLocaleString('en')} left
    </span>
  )
}

/** Status, time and headers, which few visitors need. */
function Details({ facts }: { facts: ResponseFacts }) {
  return (
    <details className={classes.headers}>
      <summary>Time and response headers</summary>
      <Facts facts={facts} />
      <dl>
        {facts.headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Facts({ facts: { status, totalMs, phases } }: { facts: ResponseFacts }) {
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Status</dt>
        <dd>{status}</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>{writeMs(totalMs)}</dd>
      </div>
      {phases.length > 0 && (
        <div className={classes.phases}>
          <dt>On the server</dt>
          <dd>
            {phases.map(({ name, ms }) => (
              <span key={name}>
                {name} {writeMs(ms)}
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Warnings({ facts: { warnings, unknownFields }, terms }: Pick<SuccessProps, 'facts' | 'terms'>) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.warnings}>
      {warnings.map(code => (
        <li key={code}>
          <code>{code}</code> <Code text={terms.warnings[code] ?? 'See the documentation.'} />
          {code === 'unknown-field' && unknownFields.length > 0 && ` Unknown fields: ${unknownFields.join(', ')}.`}
        </li>
      ))}
    </ul>
  )
}

function Failure({
  facts,
  outcome,
  isFree,
  onShowField,
}: Pick<ErrorProps, 'facts' | 'outcome' | 'onShowField'> & { isFree: boolean }) {
  const { code, reason, message, requestId, problems } = outcome
  const isSignedOut = facts.status === 401
  return (
    <div role="alert" className={classes.failure}>
      <p className={classes.failureWords}>
        {isSignedOut ? 'You are signed out. Your files and options are still here.' : message}
      </p>
      {isSignedOut && (
        <p>
          <a href="/sign-in" target="_blank" rel="noreferrer">
            Sign in in another tab
          </a>
          . Then run again in this tab.
        </p>
      )}
      <Problems problems={problems} onShowField={onShowField} />
      {!isFree && <p>You were not charged.</p>}
      {requestId !== undefined && (
        <p className={classes.requestId}>
          <span>
            <span className={classes.soft}>
              {code}
              {reason !== undefined && ` (${reason})`}, request{' '}
            </span>
            <code>{requestId}</code>
          </span>
          <CopyButton text={requestId} what="the request ID" />
        </p>
      )}
    </div>
  )
}

/** The problems with links to their fields. A single problem's message is already above, so only its link is here. */
function Problems({ problems, onShowField }: { problems: PlacedProblem[] } & Pick<ErrorProps, 'onShowField'>) {
  const renderFieldLink = ({ path, param }: PlacedProblem) =>
    path === undefined ? (
      <code>{param ?? 'request'}</code>
    ) : (
      <button type="button" className={classes.unfold} onClick={() => onShowField(keyOf(path))}>
        Show <code>{param}</code>
      </button>
    )
  const [first] = problems
  if (problems.length < 2) return first?.path === undefined ? null : <p>{renderFieldLink(first)}</p>
  return (
    <ul className={classes.problems}>
      {problems.map(problem => (
        <li key={`${problem.param} ${problem.message}`}>
          {renderFieldLink(problem)}: {problem.message}
        </li>
      ))}
    </ul>
  )
}

function writeMs(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toLocaleString('en', { maximumFractionDigits: 2 })} s`
  return `${ms.toLocaleString('en', { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`
}
