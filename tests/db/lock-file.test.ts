import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/client'
import { isFolderLocked, takeLock } from '../../db/lock-file'
import { bundleScript } from '../support/bundled-script'

let folder: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-lock-'))
  lock = join(folder, 'db.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the lock of a folder', () => {
  it('names the process, is accessible to its owner only, and is removed after the release', async () => {
    const held = await takeLock(lock, 'service')
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({
      pid: process.pid,
      startedAt: expect.stringMatching(/./),
    })
    expect(statSync(lock).mode & 0o777).toBe(0o600)
    held.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses a second holder in the same process, with the next step', async () => {
    const held = await takeLock(lock, 'service')
    const refusal = await takeLock(lock, 'service').catch((error: unknown) => error)
    expect(isFolderLocked(refusal)).toBe(true)
    expect(String(refusal)).toMatch(
      new RegExp(`${folder}/db is in use by process ${process.pid}.*DATA_DIR.*DATABASE_URL`),
    )
    held.release()
  })

  it("goes to exactly one of many processes that find a dead holder's lock", async () => {
    for (let round = 0; round < 10; round += 1) {
      writeFileSync(lock, JSON.stringify({ ...JSON.parse(await describeSelf()), pid: 2 ** 22 + round, token: 'dead' }))
      const taken = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(lock, 'service')))
      const held = taken.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
      expect(held).toHaveLength(1)
      held[0]?.release()
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('counts as dead if another process got the PID', async () => {
    writeFileSync(
      lock,
      JSON.stringify({ ...JSON.parse(await describeSelf()), startedAt: 'another boot:1', token: 'dead' }),
    )
    const held = await takeLock(lock, 'service')
    expect(readFileSync(lock, 'utf8')).not.toContain('another boot')
    held.release()
  })

  it('of another container is valid as long as its file is touched', async () => {
    writeFileSync(
      lock,
      JSON.stringify({ ...JSON.parse(await describeSelf()), pidSpace: 'pid:[1]', token: 'elsewhere' }),
    )
    await expect(takeLock(lock, 'service')).rejects.toThrow('in use')
    const old = new Date(Date.now() - 60_000)
    utimesSync(lock, old, old)
    const held = await takeLock(lock, 'service')
    held.release()
  })

  it('with unreadable content counts as missing', async () => {
    writeFileSync(lock, '{"pid":')
    const held = await takeLock(lock, 'service')
    held.release()
    expect(existsSync(lock)).toBe(false)
  })

  it('of a command makes others wait', async () => {
    const command = await takeLock(lock, 'command')
    const waiting = takeLock(lock, 'service')
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ purpose: 'command' })
    command.release()
    const held = await waiting
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ purpose: 'service' })
    held.release()
  })

  async function describeSelf(): Promise<string> {
    const held = await takeLock(join(folder, 'self.lock'), 'service')
    const content = readFileSync(join(folder, 'self.lock'), 'utf8')
    held.release()
    return content
  }
})

describe('an embedded database', () => {
  let script: Awaited<ReturnType<typeof bundleScript>>
  const children: ChildProcess[] = []
  beforeAll(async () => {
    script = await bundleScript('tests/support/hold-database.ts')
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    script.remove()
  })

  const startHolder = async (dataDir: string) => {
    const child = spawn(process.execPath, [script.path, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  it('is created for its owner only, with its folders, and opens for one process at a time, also after a kill', async () => {
    const dataDir = join(folder, 'a', 'b', 'data')
    const first = await startHolder(dataDir)
    await expect(openDatabase({ dataDir })).rejects.toThrow(`in use by process ${first.pid}`)

    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(existsSync(join(dataDir, 'db.lock'))).toBe(true)
    const database = await openDatabase({ dataDir })
    await database.ping()
    for (const owned of [dataDir, join(dataDir, 'db')]) expect(statSync(owned).mode & 0o777).toBe(0o700)
    await expect(openDatabase({ dataDir })).rejects.toThrow(`in use by process ${process.pid}`)
    await database.close()
    expect(readdirSync(dataDir)).toEqual(['db'])
  })
})
