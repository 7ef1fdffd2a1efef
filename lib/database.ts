import type { Database } from '../db/database'
import { findSingleton, placeSingleton } from './registry'
import { telemetry } from './telemetry/telemetry'

/** The database opened at boot. Throws before that. */
export function getDatabase(): Database {
  const database = findDatabase()
  if (database === undefined) throw new Error('The database is not open yet')
  return database
}

/** The database, if it is open. */
export function findDatabase(): Database | undefined {
  return findSingleton<Database>('database')
}

/** Makes an opened database the one that getDatabase gives. */
export function placeDatabase(database: Database): Database {
  return placeSingleton('database', telemetry().watchDatabase?.(database) ?? database)
}
