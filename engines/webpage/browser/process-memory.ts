import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { listProcessTree } from './process-tree'

const KIB = 1024
const REST_MS = 2000
const REST_LOOK_MS = 50

/**
 * All browser processes share the pages of the program's files that they map, at most 180 MB. File mappings beyond this
 * limit count as data, because shared memory uses files if /dev/shm isn't available.
 */
const PROGRAM_BYTES = 256 * 2 ** 20

/** Renderers are forked from a process that holds about 15 MB, and inherit this memory. */
const INHERITED_BYTES = 32 * 2 ** 20

/** Returns the resident bytes of a process and its descendants. 0 if the system doesn't report memory. */
export function measureTreeBytes(pid: number): number {
  return sum(listProcessTree(pid).map(id => readStatus(id).resident))
}

/**
 * Returns the bytes of physical memory that processes hold together, without the program's files. The numbers come from
 * counters that the kernel returns at once. The exact number (PSS in smaps_rollup) needs a lock on the mappings of each
 * process. For a page with 30 busy frames, reading it took over a second, in which the frames filled gigabytes. Memory
 * inherited from a parent counts once. Shared memory counts for each process that maps it, usually two.
 */
export function measureBytes(pids: number[], parentOf: (pid: number) => number | undefined): number {
  const statuses = new Map(pids.map(pid => [pid, readStatus(pid)]))
  return sum(
    [...statuses].map(([pid, { anonymous, shared, file }]) => {
      const inherited = Math.min(INHERITED_BYTES, statuses.get(parentOf(pid) ?? 0)?.anonymous ?? 0)
      return Math.max(0, anonymous - inherited) + shared + Math.max(0, file - PROGRAM_BYTES)
    }),
  )
}

/**
 * Waits a moment until a process and its descendants hold at most `mostBytes`, because ending processes takes some
 * time. Returns whether they do.
 */
export async function comesToRest(pid: number, mostBytes: number): Promise<boolean> {
  for (const until = performance.now() + REST_MS; performance.now() < until; await wait(REST_LOOK_MS)) {
    if (measureBytes(listProcessTree(pid), () => undefined) <= mostBytes) return true
  }
  return false
}

interface StatusBytes {
  resident: number
  anonymous: number
  file: number
  shared: number
}

function readStatus(pid: number): StatusBytes {
  const status = readProc(pid, 'status') ?? '' // Empty if the process has ended.
  const read = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) * KIB
  return { resident: read('VmRSS'), anonymous: read('RssAnon'), file: read('RssFile'), shared: read('RssShmem') }
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return undefined // the process has ended, or this isn't Linux
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
