'use client'

import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { ChartSeries } from './usage-chart'
import classes from './usage-chart.module.css'

interface Props {
  days: string[]
  series: ChartSeries[]
  palette: 'series' | 'outcome'
}

/** The bars of the chart. They are in a separate file, so that their library is only loaded for a page with a chart. */
export function UsageBars({ days, series, palette }: Props) {
  const data = days.map((day, index) => ({
    day: shortDay(day),
    ...Object.fromEntries(series.map(({ calls }, at) => [`calls${at}`, calls[index] ?? 0])),
  }))
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={data} accessibilityLayer={false} margin={{ top: 8, right: 0, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="day"
          tick={{ fill: 'var(--soft)', fontSize: 12 }}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          minTickGap={24}
        />
        <YAxis
          allowDecimals={false}
          width={36}
          tick={{ fill: 'var(--soft)', fontSize: 12 }}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip cursor={{ fill: 'var(--line)', opacity: 0.5 }} isAnimationActive={false} content={Tip} />
        <Legend iconType="circle" iconSize={9} formatter={writeName} />
        {series.map(({ name }, at) => (
          <Bar
            key={name}
            dataKey={`calls${at}`}
            name={name}
            stackId="calls"
            fill={`var(--${palette}-${at + 1})`}
            isAnimationActive={false}
            maxBarSize={28}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}

/** Writes a name in the text color. The library would use the color of its bar, which not everybody can read. */
function writeName(name: unknown) {
  return <span className={classes.name}>{String(name)}</span>
}

interface TipProps {
  active?: boolean
  label?: string | number
  payload?: readonly { name?: string | number; value?: unknown; color?: string }[]
}

function Tip({ active = false, label, payload = [] }: TipProps) {
  if (!active) return null
  return (
    <div className={classes.tip}>
      <p>{label}</p>
      {payload
        .filter(({ value }) => Number(value) > 0)
        .map(({ name, value }) => (
          <span key={name}>
            {name} <b>{Number(value).toLocaleString('en')}</b>
          </span>
        ))}
    </div>
  )
}

/** Returns "20 Nov" for "2026-11-20". */
function shortDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
