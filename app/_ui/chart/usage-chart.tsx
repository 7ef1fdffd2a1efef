import { UsageBars, listRequests } from './usage-bars'
import classes from './usage-chart.module.css'
import { shortDay } from './chart-scale'
import records from '../elements/records.module.css'

/** A named series with one number of requests per day. */
export interface ChartSeries {
  name: string
  requests: number[]
}

/** Maximum number of series. Further series are combined into the last one. */
const MOST_SERIES = 6

const OUTCOME: Record<string, string> = { ok: 'Successful', refused: 'Rejected (4xx)', failed: 'Failed (5xx)' }

/**
 * Requests per day as stacked bars, by operation or by outcome, and as a table. It needs no script: both charts are in
 * the page, and CSS shows the chosen one.
 */
export function UsageChart({
  days,
  byOperation,
  byOutcome,
}: {
  days: string[]
  byOperation: ChartSeries[]
  byOutcome: ChartSeries[]
}) {
  const outcomes = byOutcome.map(({ name, requests }) => ({ name: OUTCOME[name] ?? name, requests }))
  return (
    <div className={classes.chart}>
      <fieldset className={classes.choice}>
        <legend className="visually-hidden">Group by</legend>
        <label>
          <input type="radio" name="grouping" value="operation" defaultChecked /> By endpoint
        </label>
        <label>
          <input type="radio" name="grouping" value="outcome" /> By result
        </label>
      </fieldset>
      <UsageBars
        days={days}
        series={combineRest(byOperation)}
        palette="operation"
        label="Requests per day, by endpoint"
      />
      <UsageBars days={days} series={outcomes} palette="outcome" label="Requests per day, by result" />
      <UsageDays days={days} byOperation={byOperation} byOutcome={outcomes} />
    </div>
  )
}

function combineRest(series: ChartSeries[]): ChartSeries[] {
  if (series.length <= MOST_SERIES) return series
  const otherSeries = series.slice(MOST_SERIES - 1)
  return [
    ...series.slice(0, MOST_SERIES - 1),
    {
      name: `${otherSeries.length} others`,
      requests: (otherSeries[0]?.requests ?? []).map((_, day) =>
        otherSeries.reduce((sum, { requests }) => sum + (requests[day] ?? 0), 0),
      ),
    },
  ]
}

interface Props {
  days: string[]
  byOperation: ChartSeries[]
  byOutcome: ChartSeries[]
}

/** The numbers of the chart as a table, with the latest day first. Days without requests are left out. */
function UsageDays({ days, byOperation, byOutcome }: Props) {
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
