import { createDatabase, startPostgres } from '../support/postgres'
import { startService, type Service } from '../support/service'

/** The built service on a separate Postgres server, with an account that never runs out of credits. */
export interface RunningService {
  base: string
  pid: number
  apiKey: string
  stop(): Promise<void>
}

/** Starts database and service as an operator does. Builds first if the build is stale. */
export async function startOnPostgres(): Promise<RunningService> {
  const server = await startPostgres()
  let service: Service | undefined
  const stop = async () => {
    await service?.stop()
    await server.stop()
  }
  try {
    service = await startService({ databaseUrl: await createDatabase(server), env: { ENGINES: undefined } })
    const apiKey = await service.createKey('bench@example.com', { credits: 1_000_000 })
    return { base: service.base, pid: service.pid, apiKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
