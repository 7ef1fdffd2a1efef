import type { RequestPage } from '../../../lib/requests/request-list'
import { duration } from '../../_server/amounts'
import { operationTitle } from '../../_server/operation-titles'
import { daySecondOf } from '../../_server/dates'
import records from '../../_ui/elements/records.module.css'
import { type RequestFilters, writeRequestsUrl } from './request-filters'
import { RequestStatus } from './request-status'
import classes from './requests.module.css'

type LoggedRequest = RequestPage['requests'][number]

/**
 * Requests, newest first. `query` is kept in the links to their details. `empty` is the text to show if there are none.
 */
export function RequestTable({
  requests,
  query,
  empty,
}: {
  requests: LoggedRequest[]
  query: RequestFilters & { before: string | undefined }
  empty: string
}) {
  if (requests.length === 0) return <p role="status">{empty}</p>
  return (
    <table className={`${records.table} ${classes.requests}`}>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Endpoint</th>
          <th scope="col">Status</th>
          <th scope="col" className={classes.detail}>
            Request ID
          </th>
          <th scope="col" className={records.number}>
            Duration
          </th>
          <th scope="col" className={records.number}>
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {requests.map(request => (
          <RequestRow
            key={request.id}
            request={request}
            detailsUrl={writeRequestsUrl({ ...query, request: request.id })}
          />
        ))}
      </tbody>
    </table>
  )
}

function RequestRow({ request, detailsUrl }: { request: LoggedRequest; detailsUrl: string }) {
  const { id, at, operation, via, status, error, reason, ms, credits } = request
  const { replayed, delivered, browserOrigin } = request
  const notes = [
    via === 'playground' && 'playground',
    replayed && 'replayed',
    !delivered && 'not delivered',
    browserOrigin && 'sent by a web page',
  ].filter(Boolean)
  return (
    <tr className={classes.row}>
      <td data-label="Time (UTC)">
        <time dateTime={at.toISOString()}>{daySecondOf(at)}</time>
      </td>
      <td data-label="Endpoint">
        <span>
          <a href={detailsUrl} className={classes.open} aria-label={`${operationTitle(operation)}, details of ${id}`}>
            {operationTitle(operation)}
          </a>
          {notes.length > 0 && <span className={records.soft}> {notes.join(' · ')}</span>}
        </span>
      </td>
      <td data-label="Status">
        <span>
          <RequestStatus status={status} />
          {error !== null && (
            <>
              {' '}
              <a
                href={reason === null ? `/docs/errors#${error}` : `/docs/errors#reason-${reason}`}
                className={classes.above}
              >
                <code>{reason ?? error}</code>
              </a>
            </>
          )}
        </span>
      </td>
      <td data-label="Request ID" className={classes.detail}>
        <code className={classes.rowId}>{id}</code>
      </td>
      <td data-label="Duration" className={records.number}>
        {duration(ms)}
      </td>
      <td data-label="Credits" className={records.number}>
        {credits}
      </td>
    </tr>
  )
}
