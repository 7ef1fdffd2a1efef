import packageJson from '../package.json'
import type { Engines, WebPrinter } from '../engines/create-engines'
import { getDatabase } from './database'
import { ENGINES, PAGES } from './running-engines'
import { getRequestQueue, getDraining } from './http/limits/process-limits'
import { findSingleton } from './registry'

/** The state of this process, without any account's data. */
export interface Health {
  status: 'ok' | 'draining'
  version: string
  database: 'ok' | 'unavailable'
  browser: ReturnType<WebPrinter['status']> | 'not started'
  engines: ReturnType<Engines['status']> | 'not started'
  calls: { running: number; waiting: number }
}

/** Returns the state of this process. */
export async function describeHealth(): Promise<Health> {
  return {
    status: getDraining().hasBegun ? 'draining' : 'ok',
    version: packageJson.version,
    database: (await isDatabaseReachable()) ? 'ok' : 'unavailable',
    browser: findSingleton<WebPrinter>(PAGES)?.status() ?? 'not started',
    engines: findSingleton<Engines>(ENGINES)?.status() ?? 'not started',
    calls: getRequestQueue().status(),
  }
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
