import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database, MigrationReport } from './database'

/** Applies `db/migrations`. Safe when several instances start at once. */
export function migrateDatabase(database: Database): Promise<MigrationReport> {
  return database.migrate(findMigrations())
}

/**
 * Returns the migrations folder of the running project. Searches upwards from the working folder and from the started
 * script, because the location of a bundle says nothing about the project's folder.
 */
export function findMigrations(startFolders: string[] = [process.cwd(), dirname(process.argv[1] ?? '.')]): string {
  for (const start of startFolders) {
    for (let folder = start; ; folder = dirname(folder)) {
      const migrations = join(folder, 'db', 'migrations')
      if (existsSync(join(migrations, 'meta', '_journal.json'))) return migrations
      if (dirname(folder) === folder) break
    }
  }
  throw new Error(`No db/migrations in ${startFolders.join(' or ')} or above. Start the service in the project folder.`)
}
