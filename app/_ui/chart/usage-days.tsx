import { listRequests } from './usage-bars'
import { shortDay } from './chart-scale'
import records from '../elements/records.module.css'
import type { ChartSeries } from './usage-chart'
import classes from './usage-chart.module.css'

interface Props {
  days: string[]
  byOperation: ChartSeries[]
  byOutcome: ChartSeries[]
}

/** The numbers of the chart as a table, with the latest day first. Days without requests are left out. */
export function UsageDays({ days, byOperation, byOutcome }: Props) {
  const used = days
    .map((day, at) => ({ day, at, total: byOutcome.reduce((sum, { requests }) => sum + (requests[at] ?? 0), 0) }))
    .filter(({ total }) => total > 0)
    .reverse()
  return (
    <details className={classes.days}>
      <summary>Requests per day as a table</summary>
      <table className={records.table}>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Endpoints</th>
            <th scope="col">Results</th>
            <th scope="col" className={records.number}>
              Requests
            </th>
          </tr>
        </thead>
        <tbody>
          {used.map(({ day, at, total }) => (
            <tr key={day}>
              <th scope="row" data-label="Day (UTC)">
                <time dateTime={day}>{shortDay(day)}</time>
              </th>
              <td data-label="Endpoints">{listRequests(byOperation, at)}</td>
              <td data-label="Results">{listRequests(byOutcome, at)}</td>
              <td data-label="Requests" className={records.number}>
                {total.toLocaleString('en')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
