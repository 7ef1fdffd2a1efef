import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** Bytes of physical memory that a process holds (resident set); undefined when it is gone or can't be asked. */
export async function measureResidentBytes(pid: number): Promise<number | undefined> {
  return pageBytes === undefined ? askPs(pid) : readStatm(pid, pageBytes)
}

/** Read synchronously: the kernel answers from counters, which takes less time than a turn through the thread pool. */
function readStatm(pid: number, bytesPerPage: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1])
    return Number.isFinite(pages) ? pages * bytesPerPage : undefined
  } catch {
    return undefined // the process ended; whoever waits for it is told by its exit
  }
}

async function askPs(pid: number): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    const kibibytes = Number.parseInt(stdout, 10)
    return Number.isNaN(kibibytes) ? undefined : kibibytes * 1024
  } catch {
    return undefined // as above
  }
}

/**
 * Milliseconds of processor time that a process and its threads have had, in steps of a clock tick (10 ms); undefined
 * when it is gone or there is no /proc.
 */
export function measureProcessorMs(pid: number): number | undefined {
  if (ticksPerSecond === undefined) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, may hold anything; behind it stand the fields from the third on, utime being the 14th
    // (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? (ticks * 1000) / ticksPerSecond : undefined
  } catch {
    return undefined // as above
  }
}

/** Entries of the auxiliary vector (getauxval(3)). */
const AT_PAGESZ = 6n
const AT_CLKTCK = 17n

/** What the kernel told this process of itself at its start (proc(5)); undefined where there is no /proc. */
function readAuxiliary(type: bigint): number | undefined {
  try {
    const auxv = readFileSync('/proc/self/auxv')
    for (let offset = 0; offset + 16 <= auxv.length; offset += 16) {
      if (auxv.readBigUInt64LE(offset) === type) return Number(auxv.readBigUInt64LE(offset + 8))
    }
  } catch {
    // not Linux
  }
  return undefined
}

/** 4 KiB on most machines, 16 or 64 KiB on some ARM ones. */
const pageBytes = readAuxiliary(AT_PAGESZ)
const ticksPerSecond = readAuxiliary(AT_CLKTCK)
