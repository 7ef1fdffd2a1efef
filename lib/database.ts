import type { Database } from '../db/database'
import { findSingleton, placeSingleton } from './registry'
import { telemetry } from './telemetry/telemetry'

/** Returns the database that was opened at boot. Throws before that. */
export function getDatabase(): Database {
  const database = findDatabase()
  if (database === undefined) throw new Error('The database is not open yet')
  return database
}

/** Returns the database, if it is open. */
export function findDatabase(): Database | undefined {
  return findSingleton<Database>('database')
}

/** Registers an opened database for getDatabase. */
export function placeDatabase(database: Database): Database {
  return placeSingleton('database', telemetry().watchDatabase?.(database) ?? database)
}
