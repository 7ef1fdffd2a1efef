import { readFileSync } from 'node:fs'
import { listDescendants } from './processes'

const LOOK_MS = 500
const KIB = 1024

/** Samples of the memory of a service and its descendants. */
export interface MemoryWatch {
  /** The total bytes, one entry per sample. Empty if there is no /proc. */
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
 * Samples the memory of a process and its descendants, all of them by default, twice a second by default. By default,
 * each process gets its share of shared memory (PSS).
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

/** The largest sample, in bytes. */
export function findPeak({ looks }: MemoryWatch): number {
  return looks.reduce((peak, { bytes }) => Math.max(peak, bytes), 0)
}

/** Bytes in human units. */
export function describeBytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

/**
 * Bytes of a process without file mappings, from counters. Shared memory counts fully for each process. The kernel need
 * not walk the page tables, which takes a second for the processes of a large page and would delay clients here.
 */
export function readCountedBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].reduce((sum, [, kib]) => sum + Number(kib) * KIB, 0)
  } catch {
    return 0 // The process has ended, or the system isn't Linux.
  }
}

function readOwnBytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) * KIB
  } catch {
    return 0 // The process has ended or belongs to another user, or the system isn't Linux.
  }
}
