import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { chooseNice, CpuShare } from '../../../../engines/webpage/browser/cpu-share'

const children: ReturnType<typeof spawn>[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts an idle process and returns its ID once the process runs. */
async function start(argument: string): Promise<number> {
  const child = spawn(
    process.execPath,
    ['-e', 'process.stdout.write("x"); setInterval(() => {}, 1000)', '--', argument],
    { detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  children.push(child)
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

const hasGroups = () =>
  existsSync('/proc/self/autogroup') && readFileSync('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').startsWith('1')
const readGroupNice = (pid: number) => Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1])

describe('the CPU share of a page', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 3],
    [5, 6],
    [10, 10],
    [30, 15],
    [500, 19],
  ])('with %i renderers equals one process at niceness %i', (renderers, nice) => {
    expect(chooseNice(renderers)).toBe(nice)
  })

  it('is smaller if the page takes long', () => {
    expect([chooseNice(1, 2900), chooseNice(1, 3000), chooseNice(30, 3000)]).toEqual([0, 5, 15])
  })

  it('is divided among all threads of its renderers, and no other process', async () => {
    const own = getPriority()
    const [other, ...renderers] = await Promise.all([
      start('--type=utility'),
      ...Array.from({ length: 5 }, () => start('--type=renderer')),
    ])
    const share = new CpuShare()
    share.balance(other, [other, ...renderers.slice(0, 2)], 0)
    expect(renderers.map(pid => getPriority(pid))).toEqual(Array.from({ length: 5 }, () => own))
    share.balance(other, [other, ...renderers], 0)
    for (const pid of renderers) {
      const threads = readdirSync(`/proc/${pid}/task`).map(Number)
      expect(threads.length).toBeGreaterThan(1)
      expect(new Set(threads.map(thread => getPriority(thread)))).toEqual(new Set([Math.max(own, 6)]))
    }
    expect(getPriority(other)).toBe(own)
    if (!hasGroups()) return
    expect(readGroupNice(other)).toBe(6)
    share.restore(other)
    expect(readGroupNice(other)).toBe(0)
  })
})
