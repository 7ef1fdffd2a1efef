import { readFileSync } from 'node:fs'
import { inject } from 'vitest'
import { accountsOf } from './accounts'
import { createDatabase } from './postgres'
import type { RunningService, ServiceOptions } from './service'

const ENV = {
  LOG_LEVEL: 'info',
  ENGINES: '2', // Several files use the service at the same time.
  ACCOUNT_WAITING: '200',
  TRUSTED_PROXIES: '1', // A test can be a network of its own.
  WEBPAGE_ALLOWED_HOSTS: '127.0.0.1', // The sites of tests.
  TOOL_TIMEOUT_MS: '300000', // Tests release what they hold.
}

/** The service of all files that need no settings of their own. It holds documents of `beginHold`. */
export async function usualService(): Promise<RunningService> {
  return sharedService({ env: ENV, enginePath: await holdingEngine() })
}

/** A second service on the Postgres database of the usual one. */
export async function secondService(): Promise<RunningService> {
  const { databaseUrl } = await usualService()
  if (databaseUrl === undefined) throw new Error('only one service can use an embedded database')
  return sharedService({ env: ENV, enginePath: await holdingEngine(), databaseUrl })
}

/** A service whose engines have a millisecond for each request. A hold exceeds it. */
export async function hastyService(): Promise<RunningService> {
  return sharedService({ env: { TOOL_TIMEOUT_MS: '1' }, enginePath: await holdingEngine() })
}

/**
 * The service with these settings. All files of a run that ask for the same settings share it, and the run ends it. So a
 * file may only expect something of its own accounts and requests.
 */
async function sharedService(
  settings: Pick<ServiceOptions, 'env' | 'databaseUrl' | 'enginePath'>,
): Promise<RunningService> {
  const { logPath, ...service } = await ask<RunningService & { logPath: string }>('service', settings)
  return {
    ...service,
    ...accountsOf({ ...service, env: settings.env ?? {} }),
    log: () => readFileSync(logPath, 'utf8'),
  }
}

/** A new, empty database on the Postgres server that all files of a run share. Returns its URL. */
export async function createSharedDatabase(): Promise<string> {
  return createDatabase(await ask<{ url: string }>('postgres'))
}

/** A temporary folder of the run, removed after the last file. */
export function runFolder(): Promise<string> {
  return ask('folder')
}

/** An engine that holds the documents of `beginHold`, as `enginePath` of a service. The default engine can't. */
export function holdingEngine(): Promise<string> {
  return ask('engine')
}

/** Asks the process of Vitest to start something, unless it did. See tests/support/run-wide.ts. */
async function ask<Reply>(path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${inject('runWide')}/${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Reply // The callers above know what it starts.
}
