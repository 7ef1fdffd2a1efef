import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProcess, readPidSpace } from '../../../db/process-identity'
import { createSpoolFolder } from '../../../lib/start/spool-folder'

let dataDir: string
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'sheaf-data-'))))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Creates what a process leaves behind: its folder with a file, and the lock that names the process. */
function leave(pid: number, startedAt: string): string {
  const path = join(dataDir, 'spool', randomUUID())
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, '1.out'), 'a document')
  const holder = { token: randomUUID(), pid, startedAt, pidSpace: readPidSpace(), purpose: 'service' }
  writeFileSync(`${path}.lock`, JSON.stringify(holder))
  return path
}

describe('the folder for large outputs', () => {
  it('belongs to one process and one user, and is removed at the end', async () => {
    const folder = await createSpoolFolder(dataDir)
    expect([join(dataDir, 'spool'), folder.path].map(path => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
    writeFileSync(join(folder.path, '1.out'), 'a document')
    folder.remove()
    expect(readdirSync(join(dataDir, 'spool'))).toEqual([])
  })

  it('of a process that has ended is removed at the next start', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    const startedAt = findProcess(child.pid ?? 0)?.startedAt ?? ''
    await once(child, 'exit')
    const path = leave(child.pid ?? 0, startedAt)
    const reused = leave(process.pid, 'another start')
    const folder = await createSpoolFolder(dataDir)
    expect([existsSync(path), existsSync(`${path}.lock`), existsSync(reused)]).toEqual([false, false, false])
    folder.remove()
  })

  it('of a running process stays, and so do files of other programs', async () => {
    const path = leave(process.pid, findProcess(process.pid)?.startedAt ?? '')
    writeFileSync(join(dataDir, 'spool', 'notes.txt'), '')
    const folder = await createSpoolFolder(dataDir)
    expect(existsSync(join(path, '1.out'))).toBe(true)
    expect(existsSync(join(dataDir, 'spool', 'notes.txt'))).toBe(true)
    folder.remove()
  })

  it('that cannot be written stops the start with an error that names it', async () => {
    writeFileSync(join(dataDir, 'spool'), '')
    await expect(createSpoolFolder(dataDir)).rejects.toThrow(/spool.* can't be written.*Set DATA_DIR/)
  })
})
