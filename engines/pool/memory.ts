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

const AT_PAGESZ = 6n

/** The kernel's page size, from the auxiliary vector (proc(5)): 4 KiB on most machines, 16 or 64 KiB on some ARM ones. */
function findPageBytes(): number | undefined {
  try {
    const auxv = readFileSync('/proc/self/auxv')
    for (let offset = 0; offset + 16 <= auxv.length; offset += 16) {
      if (auxv.readBigUInt64LE(offset) === AT_PAGESZ) return Number(auxv.readBigUInt64LE(offset + 8))
    }
  } catch {
    // no /proc: not Linux
  }
  return undefined
}

const pageBytes = findPageBytes()
