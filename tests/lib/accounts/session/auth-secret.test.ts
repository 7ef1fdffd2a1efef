import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireAuthSecret } from '../../../../lib/accounts/session/auth-secret'
import { placeSingleton } from '../../../../lib/registry'

const KEY = Symbol.for('sheaf.registry')
let dataDir = ''

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sheaf-secret-'))
  forget()
})
afterEach(() => rmSync(dataDir, { recursive: true }))

/** Starts as a new process does. */
function forget() {
  placeSingleton('auth-secret', undefined)
  ;(globalThis as { [KEY]?: Map<string, unknown> })[KEY]?.delete('auth-secret')
}

describe('the secret of the sessions', () => {
  it('is the configured secret', () => {
    const secret = 'x'.repeat(40)
    expect(requireAuthSecret({ NEXTAUTH_SECRET: secret, DATABASE_URL: 'postgres://a/b', dataDir })).toBe(secret)
  })

  it('must be configured with DATABASE_URL, and the message explains how', () => {
    expect(() => requireAuthSecret({ DATABASE_URL: 'postgres://a/b', dataDir })).toThrow(
      /NEXTAUTH_SECRET.*openssl rand/,
    )
  })

  it('is created once with the embedded database and survives a restart', () => {
    const first = requireAuthSecret({ dataDir })
    forget()
    expect(requireAuthSecret({ dataDir })).toBe(first)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
  })

  it('may have 32 characters, and no fewer', () => {
    const path = join(dataDir, 'auth-secret')
    writeFileSync(path, `${'x'.repeat(32)}\n`)
    expect(requireAuthSecret({ dataDir })).toBe('x'.repeat(32))
    forget()
    writeFileSync(path, 'x'.repeat(31))
    expect(() => requireAuthSecret({ dataDir })).toThrow(/doesn't contain a secret/)
  })

  it('is readable by its owner only', () => {
    requireAuthSecret({ dataDir })
    expect(statSync(join(dataDir, 'auth-secret')).mode & 0o777).toBe(0o600)
  })

  it('is not replaced if the file is damaged, because nobody would notice', () => {
    writeFileSync(join(dataDir, 'auth-secret'), 'short')
    expect(() => requireAuthSecret({ dataDir })).toThrow(/auth-secret doesn't contain a secret/)
    expect(readFileSync(join(dataDir, 'auth-secret'), 'utf8')).toBe('short')
  })
})
