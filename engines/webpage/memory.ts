import { readdirSync, readFileSync } from 'node:fs'

/** Memory of one renderer above which its page is ended. */
const MOST_RENDERER_BYTES = 1.5 * 2 ** 30

interface ProcessFacts {
  pid: number
  parent: number
  residentBytes: number
}

/** Resident bytes of a process and of all below it, such as those of a browser; 0 where the system does not tell. */
export function measureFamilyBytes(pid: number): number {
  return listFamily(pid).reduce((sum, { residentBytes }) => sum + residentBytes, 0)
}

/** Kills the renderers of a browser that hold more than a page may; their pages crash, the browser goes on. */
export function killLargeRenderers(pid: number): void {
  for (const process of listFamily(pid)) {
    if (process.pid !== pid && process.residentBytes > MOST_RENDERER_BYTES && isRenderer(process.pid)) kill(process.pid)
  }
}

/** A process and those below it, from what Linux tells in /proc (proc(5)); none on other systems. */
function listFamily(pid: number): ProcessFacts[] {
  const all = listNumbers().flatMap(readFacts)
  const family = new Set([pid])
  // Parents mostly have smaller numbers, but numbers begin anew: passes until nothing is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const { pid: own, parent } of all) if (family.has(parent)) family.add(own)
  }
  return all.filter(process => family.has(process.pid))
}

function listNumbers(): number[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(Number)
  } catch {
    return [] // no /proc: not Linux
  }
}

function readFacts(pid: number): ProcessFacts[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const read = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return [{ pid, parent: read('PPid'), residentBytes: read('VmRSS') * 1024 }]
  } catch {
    return [] // it ended meanwhile
  }
}

function isRenderer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer')
  } catch {
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended meanwhile
  }
}
