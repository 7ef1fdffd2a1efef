import { chooseTicks, shortDay } from './chart-scale'
import type { ChartSeries } from './usage-chart'
import classes from './usage-chart.module.css'

/** Part of a day's width that its bar takes. */
const BAR_WIDTH = 0.7
const LABEL_EVERY_DAYS = 7

interface Props {
  days: string[]
  series: ChartSeries[]
  palette: 'operation' | 'outcome'
  label: string
}

/** Stacked bars with a legend. Positions are percentages, so that the text keeps its size at every width. */
export function UsageBars({ days, series, palette, label }: Props) {
  const totals = days.map((_, day) => series.reduce((sum, { requests }) => sum + (requests[day] ?? 0), 0))
  const ticks = chooseTicks(Math.max(...totals))
  const most = ticks.at(-1) ?? 1
  const percent = (part: number, whole: number) => `${Number(((100 * part) / whole).toFixed(3))}%`
  const height = (requests: number) => percent(requests, most)
  const top = (requests: number) => percent(most - requests, most)
  return (
    <div className={`${classes.graph} ${classes[palette]}`}>
      {/* The table of days below the chart has the numbers as text. */}
      <svg className={classes.bars} role="img" aria-label={label} data-testid={`bars-${palette}`}>
        {ticks.map(tick => (
          <g key={tick}>
            <line x1="0" x2="100%" y1={top(tick)} y2={top(tick)} />
            <text x="-8" y={top(tick)} dy="4" textAnchor="end">
              {tick.toLocaleString('en')}
            </text>
          </g>
        ))}
        {days.map((day, at) => (
          <g key={day} className={classes.day}>
            {(totals[at] ?? 0) > 0 && <title>{writeDay(day, at, series)}</title>}
            <rect
              className={classes.space}
              x={percent(at, days.length)}
              y="0"
              width={percent(1, days.length)}
              height="100%"
            />
            {series.map(({ name, requests }, index) => {
              const below = series.slice(0, index).reduce((sum, one) => sum + (one.requests[at] ?? 0), 0)
              const here = requests[at] ?? 0
              if (here === 0) return null
              return (
                <rect
                  key={name}
                  className={classes[`${palette}${index + 1}`]}
                  x={percent(at + (1 - BAR_WIDTH) / 2, days.length)}
                  y={top(below + here)}
                  width={percent(BAR_WIDTH, days.length)}
                  height={height(here)}
                />
              )
            })}
          </g>
        ))}
        {days.map((day, at) => {
          const before = days.length - 1 - at
          if (before % LABEL_EVERY_DAYS !== 0) return null
          return (
            <text
              key={day}
              className={before % (2 * LABEL_EVERY_DAYS) === 0 ? undefined : classes.minor}
              x={before === 0 ? '100%' : percent(at + 0.5, days.length)}
              y="100%"
              dy="20"
              textAnchor={before === 0 ? 'end' : 'middle'}
            >
              {shortDay(day)}
            </text>
          )
        })}
      </svg>
      <ul className={classes.legend}>
        {series.map(({ name }, index) => (
          <li key={name}>
            <svg width="10" height="10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" className={classes[`${palette}${index + 1}`]} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the tooltip of a day, such as "20 Nov: Merge 3, Rotate 1". */
function writeDay(day: string, at: number, series: ChartSeries[]): string {
  return `${shortDay(day)}: ${listRequests(series, at)}`
}

/** Returns the numbers of a day, such as "Merge 3, Rotate 1". */
export function listRequests(series: ChartSeries[], at: number): string {
  return series
    .flatMap(({ name, requests }) =>
      (requests[at] ?? 0) > 0 ? `${name} ${(requests[at] ?? 0).toLocaleString('en')}` : [],
    )
    .join(', ')
}
