import { readFileSync, writeFileSync } from 'node:fs'
import { inject } from 'vitest'
import { accountsOf } from './accounts'
import type { MailServer, ReceivedMail } from './mail-server'
import { createDatabase } from './postgres'
import type { RunningService, ServiceOptions } from './service'
import { waitFor } from './wait-for'

const ENV = {
  LOG_LEVEL: 'info',
  ENGINES: '2', // Several files use the service at the same time.
  ACCOUNT_WAITING: '200',
  TRUSTED_PROXIES: '1', // A test can be a network of its own.
  WEBPAGE_ALLOWED_HOSTS: '127.0.0.1', // The sites of tests.
  TOOL_TIMEOUT_MS: '300000', // Tests release what they hold.
}

/** The name and the terms of `fullService`. Visitors from this machine can use it without its name. */
export const PUBLIC_URL = 'http://pdf.example.com'
export const TERMS_URL = 'https://example.com/terms?version=2'

/** Without a mail server, a service would remove the notices of `fullService`, which uses the same Postgres database. */
const WITHOUT_NOTICES =
  process.env['TEST_DATABASE'] === 'postgres' ? { TEST_MODE: '1', NOTICES_EVERY_MS: '86400000' } : {}

/** The service of all files that need no settings of their own. It holds documents of `beginHold`. */
export async function usualService(): Promise<RunningService> {
  return sharedService({ env: { ...ENV, ...WITHOUT_NOTICES }, enginePath: await holdingEngine() })
}

/**
 * The usual service with mail, metrics, a public name, terms and purchases from `sellTo`. With TEST_DATABASE=postgres,
 * both use one database.
 */
export async function fullService(): Promise<RunningService> {
  const [{ sellThrough }, proxy, { databaseUrl }] = await Promise.all([
    import('./stripe-double'),
    ask<StripeProxy>('stripe-proxy'),
    process.env['TEST_DATABASE'] === 'postgres' ? usualService() : { databaseUrl: undefined },
  ])
  const own = { ENGINES: '1', METRICS_PORT: '0', PUBLIC_URL, TERMS_URL, TEST_MODE: '1', NOTICES_EVERY_MS: '250' }
  return sharedService({
    env: { ...ENV, ...own, ...sellThrough(proxy.url), ...(await mailSettings()) },
    enginePath: await holdingEngine(),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  })
}

/**
 * A service whose accounts need an invitation, and whose engines have a millisecond for each request. A hold exceeds
 * it.
 */
export async function strictService(): Promise<RunningService> {
  const own = { TOOL_TIMEOUT_MS: '1', SIGN_UP: 'invited', TRUSTED_PROXIES: '1' }
  return sharedService({ env: { ...own, ...(await mailSettings()) }, enginePath: await holdingEngine() })
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

interface StripeProxy {
  url: string
  path: string
}

/** Makes `fullService` sell through a Stripe double. Only one file can do this. */
export async function sellTo({ base }: { base: string }): Promise<void> {
  writeFileSync((await ask<StripeProxy>('stripe-proxy')).path, new URL(base).port)
}

async function mailSettings(): Promise<Record<string, string>> {
  const { url } = await ask<{ url: string }>('mail')
  return { SMTP_URL: url, SMTP_TLS: 'off', MAIL_FROM: 'Sheaf <sheaf@example.test>' }
}

/** The emails of all services of this run that can send mail. */
export async function sharedMail(): Promise<Pick<MailServer, 'received'>> {
  const { path } = await ask<{ path: string }>('mail')
  const readLines = () => readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean)
  return {
    get received() {
      return readLines().map(line => JSON.parse(line) as ReceivedMail) // As run-wide.ts writes them.
    },
  }
}

/** The address of the metrics of a service, which prints it a moment after it is ready. */
export function metricsOf(service: Pick<RunningService, 'log'>): Promise<string> {
  return waitFor(() => {
    const [, address] = /metrics on (http:\S+)/.exec(service.log()) ?? []
    if (address === undefined) throw new Error('the service has printed no address of metrics')
    return address
  })
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
