import packageJson from '../package.json' with { type: 'json' }
import type { Engines, WebPrinter } from '../engines/create-engines'
import { isBrowserOutdated } from './browser-age'
import { getConfig } from './config'
import { getLedger } from './credits/ledger'
import { getDatabase } from './database'
import { ENGINES, PAGES } from './running-engines'
import { getRequestQueue, getDraining } from './http/limits/process-limits'
import { findSingleton } from './registry'

/** The state of this process, without any account's data. */
export interface Health {
  status: 'ok' | 'draining'
  version: string
  database: 'ok' | 'unavailable'
  browser: BrowserHealth | 'not started'
  engines: EngineHealth | 'not started'
  calls: { running: number; waiting: number }
  /** Free credits given today, and the most for a day. Only with a cap, and while the database responds. */
  grants?: { today: number; cap: number }
}

/**
 * The state of the browser that prints web pages. Its version and its process are only in the log, because anybody can
 * read this state.
 */
type BrowserHealth = Pick<ReturnType<WebPrinter['status']>, 'state' | 'sandbox' | 'running'> & {
  /** Whether the browser is older than 90 days. Undefined until a browser runs, and if its version says nothing. */
  outdated?: boolean
}

/** The state of the engine processes. What happened so far is in the metrics, which aren't public. */
type EngineHealth = Pick<ReturnType<Engines['status']>, 'processes' | 'busy' | 'waiting'>

/** Returns the state of this process. It is public, so every member is listed here on purpose. */
export async function describeHealth(): Promise<Health> {
  return {
    status: getDraining().hasBegun ? 'draining' : 'ok',
    version: packageJson.version,
    database: (await isDatabaseReachable()) ? 'ok' : 'unavailable',
    browser: describeBrowser(),
    engines: describeEngines(),
    calls: getRequestQueue().status(),
    ...(await describeGrants()),
  }
}

async function describeGrants(): Promise<Pick<Health, 'grants'>> {
  const cap = getConfig().GRANT_CAP_PER_DAY
  if (cap === undefined) return {}
  try {
    return { grants: { today: await getLedger().grantedToday(), cap } }
  } catch {
    return {} // The state of the database is a separate member.
  }
}

function describeBrowser(): Health['browser'] {
  const status = findSingleton<WebPrinter>(PAGES)?.status()
  if (!status) return 'not started'
  const { state, sandbox, running, version } = status
  const outdated = version === undefined ? undefined : isBrowserOutdated(version, Date.now())
  return {
    state,
    ...(sandbox !== undefined && { sandbox }),
    ...(outdated !== undefined && { outdated }),
    running,
  }
}

function describeEngines(): Health['engines'] {
  const status = findSingleton<Engines>(ENGINES)?.status()
  if (!status) return 'not started'
  const { processes, busy, waiting } = status
  return { processes, busy, waiting }
}

/** Returns why this process should get no requests now. Undefined if it is ready. */
export async function findUnreadiness(): Promise<'starting' | 'draining' | 'database' | undefined> {
  if (getDraining().hasBegun) return 'draining'
  if (!findSingleton(ENGINES)) return 'starting'
  return (await isDatabaseReachable()) ? undefined : 'database'
}

/** Returns whether the database responds. If it doesn't, this takes as long as the statement timeout. */
export async function isDatabaseReachable(): Promise<boolean> {
  try {
    await getDatabase().ping()
    return true
  } catch {
    return false // An unavailable database and one that isn't open yet are reported alike.
  }
}
