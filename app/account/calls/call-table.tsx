import type { CallPage } from '../../../lib/calls/call-list'
import { writeSize } from '../../_ui/elements/byte-size'
import { duration } from '../../_server/amounts'
import { callTitle } from '../../_server/call-titles'
import { moment } from '../../_server/dates'
import records from '../../_ui/elements/records.module.css'
import classes from './calls.module.css'

type LoggedCall = CallPage['calls'][number]

/** Calls, newest first. `empty` is the text to show if there are none. */
export function CallTable({ calls, empty }: { calls: LoggedCall[]; empty: string }) {
  if (calls.length === 0) return <p role="status">{empty}</p>
  return (
    <table className={records.table}>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Endpoint</th>
          <th scope="col">Status</th>
          <th scope="col" className={records.number}>
            Duration
          </th>
          <th scope="col" className={records.number}>
            In → out
          </th>
          <th scope="col" className={records.number}>
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map(call => (
          <CallRow key={call.id} call={call} />
        ))}
      </tbody>
    </table>
  )
}

function CallRow({ call }: { call: LoggedCall }) {
  const {
    id,
    at,
    operation,
    via,
    status,
    error,
    param,
    ms,
    bytesIn,
    bytesOut,
    credits,
    replayed,
    delivered,
    browserOrigin,
    agent,
    address,
  } = call
  const notes = [
    via === 'playground' && 'playground',
    replayed && 'replayed',
    !delivered && 'not delivered',
    browserOrigin && 'sent by a browser',
    agent,
    address,
  ].filter(Boolean)
  return (
    <tr>
      <td data-label="Time (UTC)">
        <time dateTime={at.toISOString()}>{moment(at)}</time>
      </td>
      <td data-label="Endpoint">
        <span>
          {callTitle(operation)}
          <br />
          <code className={records.id}>{id}</code>
          {notes.length > 0 && <span className={`${records.soft} ${classes.notes}`}> {notes.join(' · ')}</span>}
        </span>
      </td>
      <td data-label="Status">
        <span>
          <span className={`${classes.status} ${status < 400 ? classes.ok : classes.bad}`}>{status}</span>
          {error !== null && (
            <>
              {' '}
              <a href={`/docs/errors#${error}`}>
                <code>{error}</code>
              </a>
            </>
          )}
          {param !== null && (
            <>
              <br />
              <code className={records.id}>{param}</code>
            </>
          )}
        </span>
      </td>
      <td data-label="Duration" className={records.number}>
        {duration(ms)}
      </td>
      <td data-label="In → out" className={records.number}>
        {writeSize(bytesIn)} → {writeSize(bytesOut)}
      </td>
      <td data-label="Credits" className={records.number}>
        {credits}
      </td>
    </tr>
  )
}
