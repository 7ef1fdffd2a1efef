import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** Returns the resident bytes of a process. Undefined if the process has ended or can't be measured. */
export async function measureResidentBytes(pid: number): Promise<number | undefined> {
  return pageBytes === undefined ? askPs(pid) : readStatm(pid, pageBytes)
}

/**
 * Reads synchronously, because the kernel answers from counters in less time than a round trip through the thread pool.
 */
function readStatm(pid: number, bytesPerPage: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1])
    return Number.isFinite(pages) ? pages * bytesPerPage : undefined
  } catch {
    return undefined // The process has ended. Its exit event notifies the users of the process.
  }
}

async function askPs(pid: number): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    const kibibytes = Number.parseInt(stdout, 10)
    return Number.isNaN(kibibytes) ? undefined : kibibytes * 1024
  } catch {
    return undefined // The process has ended.
  }
}

/**
 * Returns the CPU time of a process and its threads in milliseconds, in steps of a clock tick (10 ms). Undefined if the
 * process has ended or the system has no /proc.
 */
export function measureProcessorMs(pid: number): number | undefined {
  if (ticksPerSecond === undefined) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain any character. The fields from the third on follow it, and utime is field 14
    // (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? (ticks * 1000) / ticksPerSecond : undefined
  } catch {
    return undefined // The process has ended.
  }
}

/** Types of auxiliary vector entries (getauxval(3)). */
const AT_PAGESZ = 6n
const AT_CLKTCK = 17n

/**
 * Reads an entry of the auxiliary vector that the kernel passed to this process (proc(5)). Undefined if the system has
 * no /proc.
 */
function readAuxiliary(type: bigint): number | undefined {
  try {
    const auxv = readFileSync('/proc/self/auxv')
    for (let offset = 0; offset + 16 <= auxv.length; offset += 16) {
      if (auxv.readBigUInt64LE(offset) === type) return Number(auxv.readBigUInt64LE(offset + 8))
    }
  } catch {
    // This isn't Linux.
  }
  return undefined
}

/** 4 KiB on most machines, 16 or 64 KiB on some ARM machines. */
const pageBytes = readAuxiliary(AT_PAGESZ)
const ticksPerSecond = readAuxiliary(AT_CLKTCK)
