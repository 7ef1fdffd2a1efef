import type { Database } from '../db/database'
import { findSingleton, placeSingleton } from './registry'

/** The database opened at boot. Throws before that. */
export function getDatabase(): Database {
  const database = findSingleton<Database>('database')
  if (database === undefined) throw new Error('The database is not open yet')
  return database
}

/** Makes an opened database the one that getDatabase gives. */
export function placeDatabase(database: Database): Database {
  return placeSingleton('database', database)
}
