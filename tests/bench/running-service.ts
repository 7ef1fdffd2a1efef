import { createDatabase, startPostgres } from '../support/postgres'
import { startService, type Service } from '../support/service'

/** The built service with an account that never runs out of credits. */
export interface RunningService {
  base: string
  pid: number
  apiKey: string
  stop(): Promise<void>
}

/** Starts the service on the embedded database. Builds first if the build is stale. */
export async function startEmbedded(): Promise<RunningService> {
  return describeRunning(await startService({ env: SERVICE_ENV }))
}

/** Starts the service on a separate Postgres server. Builds first if the build is stale. */
export async function startOnPostgres(): Promise<RunningService> {
  const server = await startPostgres()
  let service: Service | undefined
  const stop = async () => {
    await service?.stop()
    await server.stop()
  }
  try {
    service = await startService({ databaseUrl: await createDatabase(server), env: SERVICE_ENV })
    return { ...(await describeRunning(service)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function describeRunning(service: Service): Promise<RunningService> {
  try {
    const apiKey = await service.createKey('bench@example.com', { credits: 1_000_000 })
    return { base: service.base, pid: service.pid, apiKey, stop: async () => void (await service.stop()) }
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** As many engines as a server has by default. */
const SERVICE_ENV = { ENGINES: undefined }
