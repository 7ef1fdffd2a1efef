import type * as Prom from 'prom-client'
import type { Config } from '../config'
import { createRequestMetrics } from './request-metrics'
import { createDatabaseMetrics } from './database-metrics'
import { registerProcessMetrics } from './process-metrics'
import type { Telemetry } from '../telemetry/telemetry'

/** All metrics of this process. */
export interface Metrics {
  registry: Prom.Registry
  telemetry: Required<Omit<Telemetry, 'traceRequest'>>
}

/** Registers all metrics. The metrics package is loaded here, so a service without metrics doesn't load it. */
export async function createMetrics(config: Config): Promise<Metrics> {
  const prom = await import('prom-client')
  const registry = new prom.Registry()
  registerProcessMetrics(prom, registry, config)
  return { registry, telemetry: { ...createRequestMetrics(prom, registry), ...createDatabaseMetrics(prom, registry) } }
}
