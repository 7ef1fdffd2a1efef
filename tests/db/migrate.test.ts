import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findMigrations } from '../../db/migrate'

const ROOT = join(import.meta.dirname, '../..')

describe('the migrations', () => {
  it("are found from the project folder, from a folder below, and from the start script's folder", () => {
    const folder = join(ROOT, 'db', 'migrations')
    expect(findMigrations()).toBe(folder)
    expect(findMigrations([join(ROOT, '.next', 'builds', 'x')])).toBe(folder)
    expect(findMigrations([tmpdir(), join(ROOT, 'lib', 'start')])).toBe(folder)
    expect(() => findMigrations([tmpdir()])).toThrow('No db/migrations in')
  })

  it('only add, so that instances of the previous version continue beside them', () => {
    const folder = findMigrations()
    const later = readdirSync(folder).filter(name => name.endsWith('.sql') && name >= '0003')
    expect(later.length).toBeGreaterThan(0)
    for (const name of later) {
      const text = readFileSync(join(folder, name), 'utf8').replaceAll(/--.*/g, '')
      expect(text, name).not.toMatch(
        /drop (table|column|type|schema)|rename |set not null|alter column|alter type|add column (?!.*default)[^;]*not null/i,
      )
    }
  })

  it('create the tables of the schema', () => {
    const out = mkdtempSync(join(tmpdir(), 'sheaf-migrations-'))
    mkdirSync(out, { recursive: true })
    execFileSync('cp', ['-R', `${join(ROOT, 'db', 'migrations')}/.`, out])
    const said = execFileSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/drizzle-kit/bin.cjs'),
        'generate',
        '--dialect',
        'postgresql',
        '--schema',
        './db/schema.ts',
        '--out',
        relativeTo(out),
      ],
      { cwd: ROOT, encoding: 'utf8' },
    )
    rmSync(out, { recursive: true, force: true })
    expect(said).toContain('No schema changes')
  })
})

/** drizzle-kit expects a folder relative to its working folder. */
function relativeTo(folder: string): string {
  return `${'../'.repeat(ROOT.split('/').length - 1)}${folder.slice(1)}`
}
