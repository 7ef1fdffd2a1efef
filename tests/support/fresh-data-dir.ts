import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDatabase } from '../../db/client'
import { migrateDatabase } from '../../db/migrate'
import { withLock } from '../../lib/build/lock.mjs'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache')

/**
 * A temporary data folder with a migrated, empty embedded database. PGlite needs several seconds to create one, so the
 * first database is cached, per version of PGlite and of the migrations, and copied. The folder is made in `parent`.
 */
export async function makeDataDir(parent = tmpdir()): Promise<string> {
  const template = join(CACHE, `sheaf-test-database-${fingerprint()}`)
  if (!existsSync(template)) await makeTemplate(template)
  const dataDir = mkdtempSync(join(parent, 'sheaf-test-'))
  cpSync(template, dataDir, { recursive: true })
  return dataDir
}

/** Only one process makes the template, because that takes seconds of processor time. The others wait for it. */
function makeTemplate(template: string): Promise<void> {
  mkdirSync(dirname(template), { recursive: true })
  return withLock(
    `${template}.lock`,
    () => {},
    async () => {
      if (existsSync(template)) return
      const temporary = `${template}.${randomBytes(4).toString('hex')}`
      const database = await openDatabase({ dataDir: temporary })
      await migrateDatabase(database)
      await database.close()
      renameSync(temporary, template)
    },
  )
}

function fingerprint(): string {
  const migrations = join(ROOT, 'db/migrations')
  const files = [
    createRequire(import.meta.url).resolve('@electric-sql/pglite'),
    ...readdirSync(migrations)
      .filter(name => name.endsWith('.sql'))
      .map(name => join(migrations, name)),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
