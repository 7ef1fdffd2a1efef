'use client'

import { SegmentedControl, Skeleton } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import classes from './usage-chart.module.css'

/** A named series with one number of calls per day. */
export interface ChartSeries {
  name: string
  calls: number[]
}

const Bars = dynamic(() => import('./usage-bars').then(({ UsageBars }) => UsageBars), {
  ssr: false,
  loading: () => <Skeleton height="100%" />,
})

/** Maximum number of series. Further series are combined into the last one. */
const MOST_SERIES = 6

const OUTCOME: Record<string, string> = { ok: 'Successful', refused: 'Rejected (4xx)', failed: 'Failed (5xx)' }

/** Calls per day as stacked bars. A table on the same page has the totals as text. */
export function UsageChart({
  days,
  byOperation,
  byOutcome,
}: {
  days: string[]
  byOperation: ChartSeries[]
  byOutcome: ChartSeries[]
}) {
  const [grouping, setGrouping] = useState('operation')
  const series =
    grouping === 'operation'
      ? combineRest(byOperation)
      : byOutcome.map(({ name, calls }) => ({ name: OUTCOME[name] ?? name, calls }))
  return (
    <div className={classes.chart}>
      <SegmentedControl
        value={grouping}
        onChange={setGrouping}
        aria-label="Group by"
        data={[
          { value: 'operation', label: 'By endpoint' },
          { value: 'outcome', label: 'By result' },
        ]}
      />
      <div className={classes.bars} aria-hidden="true">
        <Bars days={days} series={series} palette={grouping === 'operation' ? 'series' : 'outcome'} />
      </div>
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
      calls: (otherSeries[0]?.calls ?? []).map((_, day) =>
        otherSeries.reduce((sum, { calls }) => sum + (calls[day] ?? 0), 0),
      ),
    },
  ]
}
