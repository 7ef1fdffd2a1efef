import { readFileSync } from 'node:fs'
import { listDescendants } from './processes'

const LOOK_MS = 500
const KIB = 1024

/** Memory of a service and of all that it started, as it was looked at. */
export interface MemoryWatch {
  /** Bytes that they take together, one entry for each look; empty where there is no /proc. */
  readonly looks: { atMs: number; bytes: number }[]
  stop(): void
}

interface WatchSettings {
  listOthers?: typeof listDescendants
  lookMs?: number
  /** Bytes of one process. */
  measure?: (pid: number) => number
}

/**
 * Looks at the memory of a process and of others that it started, all of them when not told which, twice a second when
 * not told how often; of what several share each has its part (PSS), unless another measure is given.
 */
export function watchMemory(
  pid: number,
  { listOthers = listDescendants, lookMs = LOOK_MS, measure = readOwnBytes }: WatchSettings = {},
): MemoryWatch {
  const looks: MemoryWatch['looks'] = []
  const look = () => {
    const bytes = [pid, ...listOthers(pid).map(one => one.pid)].reduce((sum, one) => sum + measure(one), 0)
    if (bytes > 0) looks.push({ atMs: performance.now(), bytes })
  }
  look()
  const timer = setInterval(look, lookMs)
  return { looks, stop: () => clearInterval(timer) }
}

/** The most that was seen, in bytes. */
export function findPeak({ looks }: MemoryWatch): number {
  return looks.reduce((peak, { bytes }) => Math.max(peak, bytes), 0)
}

/** Bytes as people read them. */
export function describeBytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

/**
 * Bytes of a process without its files, from counters: what it shares with others counts for each, and the kernel need
 * not walk through its memory, which takes a second for the processes of a large page and would hold up clients here.
 */
export function readCountedBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].reduce((sum, [, kib]) => sum + Number(kib) * KIB, 0)
  } catch {
    return 0 // ended meanwhile, or not Linux
  }
}

function readOwnBytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) * KIB
  } catch {
    return 0 // ended meanwhile, of another user, or not Linux
  }
}
