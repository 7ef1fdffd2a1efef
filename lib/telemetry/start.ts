import type { Config } from '../config'
import { describeError, getLog } from '../log'
import { createMetrics } from './metrics'
import { openMetricsServer } from './metrics-server'
import { telemetry } from './telemetry'

/** What tells of this process to the outside. */
export interface RunningTelemetry {
  /** Address of the metrics, where they were asked for. */
  metricsAddress?: string
  close(): Promise<void>
}

/** Starts what the configuration asks for, before anything that it is to see. Rejects with an Error that names the variable that is wrong. */
export async function startTelemetry(config: Config): Promise<RunningTelemetry> {
  const { METRICS_PORT, METRICS_HOST } = config
  if (METRICS_PORT === undefined) return { close: () => Promise.resolve() }
  const metrics = await createMetrics(config)
  const server = await openMetricsServer({
    host: METRICS_HOST,
    port: METRICS_PORT,
    contentType: metrics.registry.contentType,
    read: () => metrics.registry.metrics(),
    onError: error => getLog().error({ cause: describeError(error) }, 'metrics could not be read'),
  })
  Object.assign(telemetry(), metrics.telemetry)
  return { metricsAddress: server.address, close: server.close }
}
