import type { ReactNode } from 'react'
import { nameClient } from '../../../lib/requests/client-name'
import type { RequestPage } from '../../../lib/requests/request-list'
import { ERROR_ENTRIES } from '../../../lib/docs/errors'
import { duration } from '../../_server/amounts'
import { operationSlug, operationTitle } from '../../_server/operation-titles'
import { secondOf } from '../../_server/dates'
import { writeSize } from '../../_ui/elements/byte-size'
import { CopyButton } from '../../_ui/elements/copy-button'
import { EscapeLink } from '../../_ui/elements/escape-link'
import { LinkButton } from '../../_ui/elements/link-button'
import { Panel } from '../../_ui/elements/panel'
import records from '../../_ui/elements/records.module.css'
import { RequestPhases } from './request-phases'
import { RequestStatus } from './request-status'
import classes from './requests.module.css'

type LoggedRequest = RequestPage['requests'][number]

/** Everything that the log knows about a request. `listUrl` is the list that the visitor came from. */
export function RequestDetails({ request, listUrl }: { request: LoggedRequest; listUrl: string }) {
  const slug = operationSlug(request.operation)
  return (
    <>
      <p>
        <EscapeLink href={listUrl}>← All requests</EscapeLink>
      </p>
      <h1>{operationTitle(request.operation)}</h1>
      <Panel id="request" title="Request" aside={<RequestStatus status={request.status} />}>
        <p className={classes.requestId}>
          <code className={records.id}>{request.id}</code>
          <CopyButton text={request.id} what="request ID" />
        </p>
        <RequestResult request={request} />
        <dl className={classes.facts}>
          {listFacts(request).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {slug !== null && (
          <div className={records.tools}>
            <LinkButton href={`/account/playground/${slug}`} primary>
              Open this endpoint in the playground
            </LinkButton>
            <a href={`/docs/${slug}`}>Documentation</a>
          </div>
        )}
      </Panel>
      <Panel id="durations" title={`Duration: ${duration(request.ms)}`}>
        {request.phases === null ? (
          <RequestDurations ms={request.ms} engineMs={request.engineMs} />
        ) : (
          <RequestPhases
            phases={request.phases}
            isError={request.error !== null}
            isPlayground={request.via === 'playground'}
          />
        )}
      </Panel>
    </>
  )
}

function RequestResult({ request }: { request: LoggedRequest }) {
  const { error, reason, message, param, status, delivered, credits } = request
  if (error === null) return <p>{describeEnd({ status, delivered, credits })}</p>
  const cause = Object.hasOwn(ERROR_ENTRIES, error) ? ERROR_ENTRIES[error as keyof typeof ERROR_ENTRIES].cause : null
  return (
    <div className={classes.failure}>
      <p>
        <a href={`/docs/errors#${error}`}>
          <code>{error}</code>
        </a>
        {reason !== null && (
          <>
            , reason{' '}
            <a href={`/docs/errors#reason-${reason}`}>
              <code>{reason}</code>
            </a>
          </>
        )}
        {param !== null && (
          <>
            , parameter <code className={records.id}>{param}</code>
          </>
        )}
      </p>
      {message !== null ? <p>{message}</p> : cause !== null && <p>{markCode(cause)}</p>}
    </div>
  )
}

function describeEnd({ status, delivered, credits }: { status: number; delivered: boolean; credits: number }): string {
  if (!delivered) return 'The client closed the connection before the response was complete. You were not charged.'
  if (status >= 400) return 'The API returned an error.'
  return credits === 0 ? 'The API returned a file for free.' : 'The API returned a file.'
}

function listFacts(request: LoggedRequest): [name: string, value: ReactNode][] {
  const { at, steps, via, keyLast4, bytesIn, bytesOut, credits, replayed, browserOrigin, agent, address } = request
  return [
    [
      'Time (UTC)',
      <time key="time" dateTime={at.toISOString()}>
        {secondOf(at)}
      </time>,
    ],
    ...(steps === null ? [] : [['Steps', steps.replaceAll(',', ', ')] as [string, ReactNode]]),
    ['Sent by', via === 'playground' ? 'Playground' : keyLast4 === null ? 'API key' : `API key ending in ${keyLast4}`],
    ['Request size', writeSize(bytesIn)],
    ['Response size', writeSize(bytesOut)],
    ['Credits', replayed ? `${credits} (repeat of a paid request)` : credits],
    ['Client', `${agent === null ? 'Unknown' : nameClient(agent)}${browserOrigin ? ', from a web page' : ''}`],
    ['Network', address ?? 'Unknown'],
  ]
}

/** Shows the parts of a text between backticks as code. */
function markCode(text: string): ReactNode[] {
  // The parts never change, so that their position identifies them.
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}

/**
 * How much of a request's duration was work on its document, as bars on the same scale and in numbers. For requests of
 * versions that didn't log phases.
 */
function RequestDurations({ ms, engineMs }: { ms: number; engineMs: number | null }) {
  if (engineMs === null) return <p>The log has no separate duration of the work on this document.</p>
  const total = Math.max(ms, engineMs)
  const steps = [
    { name: 'Whole request', ms: total },
    { name: 'Work on the document', ms: engineMs },
    { name: 'Upload, checks, queue and download', ms: total - engineMs },
  ]
  return (
    <ul className={classes.durations}>
      {steps.map(step => (
        <li key={step.name}>
          <span>{step.name}</span>
          <span className={classes.time}>{duration(step.ms)}</span>
          <Bar share={total === 0 ? 0 : step.ms / total} />
        </li>
      ))}
    </ul>
  )
}

/** An SVG, because its size is an attribute. The security policy of the pages allows no inline styles. */
function Bar({ share }: { share: number }) {
  return (
    <svg className={classes.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect className={classes.track} width="100" height="1" />
      <rect className={classes.fill} width={Math.max(share * 100, 0.5)} height="1" />
    </svg>
  )
}
