'use client'

import type { ReactNode, Ref } from 'react'
import { CopyButton } from '../../elements/copy-button'
import type { ResponseFacts, ErrorOutcome, FileOutcome } from './response-details'
import { writeSize } from '../../elements/byte-size'
import { Code } from '../form/hint'
import { keyOf, type PlacedProblem } from '../form/field-path'
import classes from '../playground.module.css'
import type { PlaygroundTerms } from './playground-endpoint'

interface Props {
  facts: ResponseFacts
  outcome: FileOutcome | ErrorOutcome
  terms: Pick<PlaygroundTerms, 'warnings'>
  /** Shows a field and moves the focus to it. */
  onShowField: (key: string) => void
  ref: Ref<HTMLDivElement>
  /** The request of this response. */
  children?: ReactNode
}

/** The response in the panel of the run: the file or the error, then time, warnings and headers. */
export function ResultPanel({ facts, outcome, terms, onShowField, ref, children }: Props) {
  return (
    <div ref={ref} tabIndex={-1} className={classes.result} data-testid="result" data-outcome={outcome.kind}>
      <h3 className={classes.resultTitle}>{outcome.kind === 'file' ? 'Success' : 'Error'}</h3>
      {outcome.kind === 'file' ? (
        <Download outcome={outcome} />
      ) : (
        <Failure facts={facts} outcome={outcome} onShowField={onShowField} />
      )}
      <Facts facts={facts} />
      <Warnings facts={facts} terms={terms} />
      {children}
      <details className={classes.headers}>
        <summary>Response headers</summary>
        <dl>
          {facts.headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}

function Download({ outcome: { name, blob, url } }: { outcome: FileOutcome }) {
  return (
    <p className={classes.download}>
      <a href={url} download={name} className={classes.primary}>
        Download {name}
      </a>
      <span className={classes.soft}>{writeSize(blob.size)}</span>
    </p>
  )
}

function Facts({ facts: { status, totalMs, phases, balance, charged } }: { facts: ResponseFacts }) {
  const credits =
    balance === undefined
      ? undefined
      : `${charged === 1 ? '1 credit charged' : '0 credits charged'}, ${balance.toLocaleString('en')} left`
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
      {credits !== undefined && (
        <div>
          <dt>Credits</dt>
          <dd data-testid="credits">{credits}</dd>
        </div>
      )}
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

function Warnings({ facts: { warnings, unknownFields }, terms }: Pick<Props, 'facts' | 'terms'>) {
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

function Failure({ facts, outcome, onShowField }: Pick<Props, 'facts' | 'onShowField'> & { outcome: ErrorOutcome }) {
  const { code, message, requestId, problems } = outcome
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
      <p>You were not charged.</p>
      {requestId !== undefined && (
        <p className={classes.requestId}>
          <span>
            <span className={classes.soft}>{code}, request </span>
            <code>{requestId}</code>
          </span>
          <CopyButton text={requestId} what="the request ID" />
        </p>
      )}
    </div>
  )
}

/** The problems with links to their fields. A single problem's message is already above, so only its link is here. */
function Problems({ problems, onShowField }: { problems: PlacedProblem[] } & Pick<Props, 'onShowField'>) {
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
