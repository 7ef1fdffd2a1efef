import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEventLoopProbe } from '../../support/event-loop'

/** Uses 200 ms of CPU time in one turn, and then as much in many turns. */
const SCRIPT = `
const work = ms => {
  const start = process.cpuUsage()
  for (let used = 0; used < ms * 1000; ) {
    const { user, system } = process.cpuUsage(start)
    used = user + system
  }
}
const inTurns = count => {
  if (count === 0) return process.stdout.write('done ')
  work(4)
  setTimeout(() => inTurns(count - 1), 4)
}
process.stdin.on('data', data => {
  if (data.toString() === 'turns') return inTurns(50)
  work(200)
  process.stdout.write('done ')
})
process.stdout.write('ready ')
`

it('the probe measures the work of one turn, and not the sum of many turns', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-probe-'))
  const script = join(folder, 'start.mjs')
  await writeFile(script, SCRIPT)
  const probe = await createEventLoopProbe()
  const child = spawn(process.execPath, [script], { env: { ...process.env, ...probe.env } })
  const say = async (word: string) => {
    const replied = once(child.stdout, 'data')
    child.stdin.write(word)
    await replied
    return probe.readLongestMs()
  }
  try {
    await once(child.stdout, 'data')
    await probe.readLongestMs()
    expect(await say('turn')).toBeGreaterThan(150)
    expect(await say('turns')).toBeLessThan(100)
  } finally {
    child.kill('SIGKILL')
    await probe.close()
    await rm(folder, { recursive: true })
  }
})
