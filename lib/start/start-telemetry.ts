import type { Config } from '../config'
import { describeError, getLog } from '../log'
import { createMetrics } from '../metrics/metrics'
import { openMetricsServer } from '../metrics/metrics-server'
import { telemetry } from '../telemetry/telemetry'
import { startTracing } from '../telemetry/tracing'

/** The running metrics server and tracing. */
export interface RunningTelemetry {
  /** URL of the metrics, if they are configured. */
  metricsAddress: string | undefined
  close(): Promise<void>
}

/**
 * Starts the configured telemetry before the parts that it observes. Rejects with an Error that names the wrong
 * variable.
 */
export async function startTelemetry(config: Config): Promise<RunningTelemetry> {
  const server = config.METRICS_PORT === undefined ? undefined : await startMetrics(config, config.METRICS_PORT)
  const tracing = config.hasTraces
    ? await startTracing(error =>
        getLog().warn({ cause: describeError(error) }, 'failed to send traces, they were dropped'),
      )
    : undefined
  if (tracing) Object.assign(telemetry(), { traceRequest: tracing.traceRequest })
  return {
    metricsAddress: server?.address,
    async close() {
      await tracing?.close()
      await server?.close()
    },
  }
}

async function startMetrics(config: Config, port: number) {
  const { registry, telemetry: counters } = await createMetrics(config)
  const server = await openMetricsServer({
    host: config.METRICS_HOST,
    port,
    contentType: registry.contentType,
    read: () => registry.metrics(),
    onError: error => getLog().error({ cause: describeError(error) }, 'failed to read metrics'),
  })
  Object.assign(telemetry(), counters)
  return server
}
