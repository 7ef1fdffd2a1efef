import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config'
import { singleton } from '../../registry'

type Settings = Pick<Config, 'NEXTAUTH_SECRET' | 'DATABASE_URL' | 'dataDir'>

/**
 * Returns the secret that encrypts sessions: NEXTAUTH_SECRET. With the embedded database, the secret can instead be
 * generated once and kept in `auth-secret` in the data folder, readable only by its owner. Throws an Error that names
 * the fix when DATABASE_URL is set without NEXTAUTH_SECRET, because several instances must share one secret.
 */
export function requireAuthSecret(config: Settings): string {
  if (config.NEXTAUTH_SECRET !== undefined) return config.NEXTAUTH_SECRET
  if (config.DATABASE_URL !== undefined) {
    throw new Error(
      'NEXTAUTH_SECRET is required with DATABASE_URL and must have at least 32 characters. Use the same secret on ' +
        'every instance. Create one with `openssl rand -hex 32`.',
    )
  }
  return singleton('auth-secret', () => readOrMakeSecret(config.dataDir))
}

function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, 'auth-secret')
  return readSecret(path) ?? makeSecret(dataDir, path)
}

/** The file is written under another name and then linked. So two processes that start at once read the same secret. */
function makeSecret(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  const secret = readSecret(path)
  if (secret === undefined) throw new Error(`${path} doesn't contain a secret. Delete the file to create a new secret.`)
  return secret
}

function readSecret(path: string): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim()
    return secret.length >= 32 ? secret : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
