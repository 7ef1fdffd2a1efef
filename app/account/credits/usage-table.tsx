import type { Usage } from '../../../lib/requests/usage'
import { count, duration } from '../../_server/amounts'
import { operationTitle } from '../../_server/operation-titles'
import records from '../../_ui/elements/records.module.css'

/** The numbers of the chart above. */
export function UsageTable({ usage }: { usage: Usage }) {
  const [ok, refused, failed] = usage.byOutcome
  return (
    <>
      <p>
        {count(usage.totalRequests)} {usage.totalRequests === 1 ? 'request' : 'requests'}, {count(usage.totalCredits)}{' '}
        {usage.totalCredits === 1 ? 'credit' : 'credits'}: {count(ok?.totalRequests ?? 0)} successful,{' '}
        {count(refused?.totalRequests ?? 0)} rejected (4xx), {count(failed?.totalRequests ?? 0)} failed (5xx).
      </p>
      <table className={records.table}>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" className={records.number}>
              Requests
            </th>
            <th scope="col" className={records.number}>
              Credits
            </th>
            <th scope="col" className={records.number}>
              Average duration
            </th>
          </tr>
        </thead>
        <tbody>
          {usage.byOperation.map(({ name, totalRequests, totalCredits, averageMs }) => (
            <tr key={name}>
              <th scope="row" data-label="Endpoint">
                {operationTitle(name)}
              </th>
              <td data-label="Requests" className={records.number}>
                {count(totalRequests)}
              </td>
              <td data-label="Credits" className={records.number}>
                {count(totalCredits)}
              </td>
              <td data-label="Average duration" className={records.number}>
                {duration(averageMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
