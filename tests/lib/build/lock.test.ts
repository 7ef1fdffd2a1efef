import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const add =
  `const count = Number(readFileSync(counter, 'utf8')); await new Promise(resolve => setTimeout(resolve, 20)); ` +
  'writeFileSync(counter, String(count + 1))'

test('processes that request the lock at once get it one after another', async () => {
  await writeFile(join(folder, 'counter'), '0')
  await Promise.all(Array.from({ length: 6 }, () => run(add)))
  expect(await readFile(join(folder, 'counter'), 'utf8')).toBe('6')
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('a lock whose owner is dead is removed, also if another process has the same PID', async () => {
  await writeFile(join(folder, 'counter'), '0')
  await leaveLock({ pid: process.pid, born: 'another time' })
  await Promise.all(Array.from({ length: 4 }, () => run(add)))
  expect(await readFile(join(folder, 'counter'), 'utf8')).toBe('4')
})

test('a process that is ended while it holds the lock releases it', async () => {
  const { child, ended } = start(`console.log('held'); await new Promise(resolve => setTimeout(resolve, 60_000))`)
  await once(child.stdout, 'data')
  expect(existsSync(join(folder, 'lock'))).toBe(true)
  child.kill('SIGTERM')
  await ended
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('a waiting process learns who holds the lock', async () => {
  const holder = start(`console.log('held'); await once(process.stdin, 'data')`)
  await once(holder.child.stdout, 'data')
  const waiting = start(`console.log('held too')`)
  const [told] = (await once(waiting.child.stdout, 'data')) as [Buffer]
  expect(String(told)).toContain(`waiting for process ${holder.child.pid}, which is installing or building here`)
  holder.child.stdin.end('go')
  expect(await waiting.ended).toBe(0)
})

async function leaveLock(owner: { pid: number; born: string }): Promise<void> {
  await mkdir(join(folder, 'lock'))
  await writeFile(join(folder, 'lock/owner.json'), JSON.stringify(owner))
}

async function run(work: string): Promise<void> {
  expect(await start(work).ended).toBe(0)
}

function start(work: string) {
  const script = `
    import { once } from 'node:events'
    import { readFileSync, writeFileSync } from 'node:fs'
    import { withLock } from './lib/build/lock.mjs'
    const counter = ${JSON.stringify(join(folder, 'counter'))}
    await withLock(${JSON.stringify(join(folder, 'lock'))}, console.log, async () => { ${work} })
    process.stdin.destroy()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  // A ChildProcess reports this on exit.
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null) }
}
