import packageJson from '../package.json'
import type { Engines, WebPrinter } from '../engines/run'
import { getDatabase } from './database'
import { ENGINES, PAGES } from './engines'
import { getRequestQueue, getDraining } from './http/limits/instances'
import { findSingleton } from './registry'

/** What can be said about this process without looking at anybody's data. */
export interface Health {
  status: 'ok' | 'draining'
  version: string
  database: 'ok' | 'unavailable'
  browser: ReturnType<WebPrinter['status']> | 'not started'
  engines: ReturnType<Engines['status']> | 'not started'
  calls: { running: number; waiting: number }
}

/** The state of this process. */
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

/** Why this process should get no calls at the moment; undefined when it should. */
export async function findUnreadiness(): Promise<'starting' | 'draining' | 'database' | undefined> {
  if (getDraining().hasBegun) return 'draining'
  if (!findSingleton(ENGINES)) return 'starting'
  return (await isDatabaseReachable()) ? undefined : 'database'
}

/** Whether the database answers; takes as long as its statements may, where it does not. */
export async function isDatabaseReachable(): Promise<boolean> {
  try {
    await getDatabase().ping()
    return true
  } catch {
    return false // away, or not open yet: both are told as such
  }
}
