import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process, from /proc. */
export interface SeenProcess {
  pid: number
  parent: number
  command: string
}

/** All descendants of a process, nearest first. Empty if there is no /proc. */
export function listDescendants(pid: number): SeenProcess[] {
  const all = listProcesses()
  const found: SeenProcess[] = []
  const known = new Set([pid])
  for (
    let news = all.filter(({ parent }) => parent === pid);
    news.length > 0;
    news = all.filter(({ pid, parent }) => known.has(parent) && !known.has(pid))
  ) {
    for (const one of news) known.add(one.pid)
    found.push(...news)
  }
  return found
}

/** The engine processes of a service. */
export function listEngines(servicePid: number): SeenProcess[] {
  return listDescendants(servicePid).filter(({ command }) => command.startsWith('sheaf-engine'))
}

/** The process that prints pages for a service. */
export function findPrinter(servicePid: number): SeenProcess | undefined {
  return listDescendants(servicePid).find(({ command }) => command.startsWith('sheaf-pages'))
}

/** The browser's main process, the parent of its page processes. */
export function findBrowser(servicePid: number): SeenProcess | undefined {
  return listDescendants(servicePid).find(
    ({ command }) => command.includes('--headless') && !command.includes('--type='),
  )
}

/** Returns whether a process runs. A zombie process does not run. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** The number of open descriptors of a process for which the test is true. NaN if it is unknown. */
export function countDescriptors(pid: number, isCounted: (target: string) => boolean): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).filter(name => isCounted(readTarget(`/proc/${pid}/fd/${name}`))).length
  } catch {
    return Number.NaN
  }
}

/** The number of system calls for reading that a process has made (proc(5), `syscr`). NaN if it is unknown. */
export function countReads(pid: number): number {
  try {
    return Number(/^syscr: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1])
  } catch {
    return Number.NaN
  }
}

function listProcesses(): SeenProcess[] {
  return readNames('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const parent = Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])
        return [
          { pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') },
        ]
      } catch {
        return [] // The process has ended.
      }
    })
}

function readTarget(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return '' // The descriptor was closed.
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // The system isn't Linux.
  }
}
