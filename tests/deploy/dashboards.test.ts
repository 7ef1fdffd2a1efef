import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../lib/config'
import { placeSingleton } from '../../lib/registry'
import { createMetrics } from '../../lib/metrics/metrics'

interface Rule {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}

const read = (path: string) => readFileSync(path, 'utf8')
const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as unknown as {
  groups: { name: string; rules: Rule[] }[]
} // The format of Prometheus's rule files, checked below.
const rules = groups.flatMap(({ rules }) => rules)
const dashboard = JSON.parse(read('deploy/grafana/sheaf.json')) as {
  schemaVersion: number
  uid: string
  panels: Panel[]
  templating: { list: { name: string }[] }
} // The format of Grafana's export.
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** Metrics that PromQL text names. The series of a histogram have its base name. */
function listNames(text: string): string[] {
  const words = [...text.replaceAll(/"[^"]*"/g, '').matchAll(/\b(?:sheaf|process|nodejs)_[a-z0-9_]+/g)].map(
    ([word]) => word,
  )
  return [...new Set(words.map(word => (word.startsWith('sheaf_') ? word.replace(/_(bucket|sum|count)$/, '') : word)))]
}

let known: { name: string; type: string; labels: string[] }[]
beforeAll(async () => {
  const config = readConfig({})
  placeSingleton('config', config)
  const { registry } = await createMetrics(config)
  known = registry.getMetricsAsArray().map(metric => ({
    name: metric.name,
    type: String(metric.type),
    labels: (metric as unknown as { labelNames: string[] }).labelNames,
  })) // prom-client stores the metrics there.
})

describe('the metrics', () => {
  it('are named in base units, and counters as totals', () => {
    const ours = known.filter(({ name }) => name.startsWith('sheaf_'))
    expect(ours.length).toBeGreaterThan(30)
    for (const { name, type } of ours) {
      expect(name).not.toMatch(/_(ms|milliseconds|kb|mb|kilobytes|percent)\b/)
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    }
  })

  it('are all shown or watched', () => {
    const named = listNames(
      [
        ...expressions,
        ...rules.map(({ expr }) => expr),
        JSON.stringify(dashboard.templating).replaceAll('"', ' '),
      ].join(' '),
    )
    expect(
      known.filter(({ name }) => name.startsWith('sheaf_') && !named.includes(name)).map(({ name }) => name),
    ).toEqual([])
  })
})

/** Names of labels in selectors and groupings. */
function listLabels(text: string): string[] {
  const selected = [...text.matchAll(/([a-z_]+)(?:=|=~|!=|!~)"/g)].map(([, name = '']) => name)
  const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map(name => name.trim()),
  )
  return [...selected, ...grouped].filter(name => name !== '' && !['le', 'instance', 'job'].includes(name))
}

const queries = () => [...expressions, ...rules.map(({ expr }) => expr)]

describe('queries', () => {
  it('use existing metrics, with their labels', () => {
    for (const query of queries()) {
      const names = listNames(query)
      const metrics = names.map(name => known.find(metric => metric.name === name))
      expect(metrics.map((metric, i) => metric?.name ?? `${names[i]} is no metric`)).toEqual(names)
      const labels = metrics.flatMap(metric => metric?.labels ?? [])
      for (const label of listLabels(query)) expect(labels, `${label} in ${query}`).toContain(label)
      expect([...query].filter(one => one === '(').length, query).toBe([...query].filter(one => one === ')').length)
    }
  })

  it('use rates of counters and quantiles of histograms', () => {
    for (const query of queries()) {
      for (const [, name = ''] of query.matchAll(/(?:rate|increase)\(([a-z0-9_]+)/g)) {
        const { type } = known.find(metric => metric.name === name.replace(/_bucket$/, '')) ?? {}
        expect([name, type]).toEqual([name, name.endsWith('_bucket') ? 'histogram' : 'counter'])
      }
      if (query.includes('histogram_quantile')) expect(query).toMatch(/sum by \(le[,)]/)
    }
  })
})

describe('the alert rules', () => {
  it('have a summary, a severity and a next step', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(Object.keys(rule)).toEqual(['alert', 'expr', 'for', 'labels', 'annotations'])
      expect(rule.alert).toMatch(/^Sheaf[A-Z][A-Za-z]+$/)
      expect(rule.for).toMatch(/^\d+m$/)
      expect(['critical', 'warning', 'info']).toContain(rule.labels.severity)
      expect(rule.annotations.summary.length).toBeGreaterThan(10)
      expect(rule.annotations.runbook.length, rule.alert).toBeGreaterThan(120)
    }
  })

  it('watch errors, waits, engines, browser, database, refunds, disk, memory and readiness', () => {
    const watched = listNames(rules.map(({ expr }) => expr).join(' '))
    for (const name of [
      'sheaf_calls_total',
      'sheaf_call_phase_duration_seconds',
      'sheaf_engine_kills_total',
      'sheaf_browser_up',
      'sheaf_database_up',
      'sheaf_credits_total',
      'sheaf_disk_free_bytes',
      'sheaf_body_memory_bytes',
      'sheaf_ready',
    ])
      expect(watched).toContain(name)
  })

  it('name only variables that the service reads', () => {
    const variables = Object.keys(readConfig({ TEST_MODE: '1' }))
    const source = read('lib/config.ts')
    for (const [name] of rules
      .map(({ annotations }) => annotations.runbook)
      .join(' ')
      .matchAll(/\b[A-Z]{2,}_[A-Z_]+\b/g))
      expect(variables.includes(name) || source.includes(`  ${name}:`), name).toBe(true)
  })
})

describe('the dashboard', () => {
  it('is of Grafana 10 or newer, with panels that do not overlap', () => {
    expect(dashboard).toMatchObject({ uid: 'sheaf', schemaVersion: 39 })
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance', 'operation'])
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const {
      gridPos: { x, w },
    } of dashboard.panels)
      expect(x + w).toBeLessThanOrEqual(24)
    for (const { type, targets } of dashboard.panels) expect((targets ?? []).length > 0).toBe(type !== 'row')
  })
})

it('Prometheus is configured with the targets and the rule files', () => {
  const { rule_files: files, scrape_configs: jobs } = parse(read('deploy/prometheus/prometheus.yaml')) as unknown as {
    rule_files: string[]
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
  } // This is how Prometheus reads them.
  for (const file of files) expect(read(`deploy/prometheus/${file}`)).not.toBe('')
  expect(jobs.map(job => [job.job_name, job.static_configs[0]?.targets])).toEqual([['sheaf', ['127.0.0.1:9464']]])
})
