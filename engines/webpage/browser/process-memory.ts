import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { listProcessTree } from './process-tree'

const KIB = 1024
const REST_MS = 2000
const REST_LOOK_MS = 50

/**
 * Pages of the program's own files that a process of the browser maps, at most 180 MB, are the same memory in all of
 * them. What a process maps of files beyond that is taken for data: shared memory lies in files where /dev/shm isn't
 * used.
 */
const PROGRAM_BYTES = 256 * 2 ** 20

/** Renderers are forked from a process that holds some 15 MB and hands them on. */
const INHERITED_BYTES = 32 * 2 ** 20

/** Resident bytes of a process and of all below it, such as those of a browser; 0 where the system does not tell. */
export function measureTreeBytes(pid: number): number {
  return sum(listProcessTree(pid).map(one => readStatus(one).resident))
}

/**
 * Bytes of physical memory that some processes hold together, the program's files left out. They come from counters,
 * which the kernel tells at once. The exact number (PSS in smaps_rollup) waits for each process to change none of its
 * mappings: for a page with 30 busy frames that took over a second, in which they filled gigabytes. What a process
 * inherited from its parent counts once; shared memory counts for each that maps it, two as a rule.
 */
export function measureBytes(pids: number[], parentOf: (pid: number) => number | undefined): number {
  const known = new Map(pids.map(pid => [pid, readStatus(pid)]))
  return sum(
    [...known].map(([pid, { anonymous, shared, file }]) => {
      const inherited = Math.min(INHERITED_BYTES, known.get(parentOf(pid) ?? 0)?.anonymous ?? 0)
      return Math.max(0, anonymous - inherited) + shared + Math.max(0, file - PROGRAM_BYTES)
    }),
  )
}

/**
 * Waits a moment until a process and those below it hold no more than so much, because processes that were told to end
 * need some time for it. Gives whether they do.
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
  const status = readProc(pid, 'status') ?? '' // it ended meanwhile
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
  return numbers.reduce((total, one) => total + one, 0)
}
