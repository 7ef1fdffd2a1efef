import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleScript } from '../../support/bundled-script'

let script: Awaited<ReturnType<typeof bundleScript>>
beforeAll(async () => {
  script = await bundleScript('lib/start/start-telemetry.ts')
})
afterAll(() => script.remove())

it('Prometheus and OpenTelemetry are loaded only if they are configured', () => {
  const code = readFileSync(script.path, 'utf8')
  const loaded = [...code.matchAll(/^import [^;]*?["']([^"'.][^"']*)["'];?$/gm)].map(([, name = '']) => name)
  expect(loaded).toContain('pino')
  expect(loaded.filter(name => /^(prom-client|@opentelemetry\/)/.test(name))).toEqual([])
  for (const name of [
    'prom-client',
    '@opentelemetry/api',
    '@opentelemetry/sdk-trace-node',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
  ])
    expect(code).toContain(`import("${name}")`)
})
