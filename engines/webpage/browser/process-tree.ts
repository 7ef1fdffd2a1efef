import { readdirSync, readFileSync } from 'node:fs'

/**
 * Tells which processes descend from another one, from /proc (proc(5)); on other systems there are none. The parent of
 * a process is read once, because looks come many times a second. `forget` must be called after a time without looks,
 * in which numbers may have been given out anew.
 */
export class ProcessTree {
  readonly #parents = new Map<number, number>()

  /** Takes note of processes that began or ended since the last look. */
  refresh(): void {
    const running = new Set(listProcessNumbers())
    for (const pid of this.#parents.keys()) if (!running.has(pid)) this.#parents.delete(pid)
    for (const pid of running) {
      const parent = this.#parents.has(pid) ? undefined : readParent(pid)
      if (parent !== undefined) this.#parents.set(pid, parent)
    }
  }

  /** Process ids of a process and its descendants at the last `refresh`; empty if it has ended. */
  list(pid: number): number[] {
    if (!this.#parents.has(pid)) return []
    const family = new Set([pid])
    // Parents mostly have smaller numbers, but numbers begin anew: passes until nothing is added.
    for (let size = 0; size !== family.size;) {
      size = family.size
      for (const [own, parent] of this.#parents) if (family.has(parent)) family.add(own)
    }
    return [...family]
  }

  /** The process that started another one, as of the last `refresh`. */
  parentOf(pid: number): number | undefined {
    return this.#parents.get(pid)
  }

  /** All processes of the last `refresh`. */
  get all(): ReadonlySet<number> {
    return new Set(this.#parents.keys())
  }

  /** Drops what is known. */
  forget(): void {
    this.#parents.clear()
  }
}

/** Process ids of a process and its descendants; empty if it has ended or this isn't Linux. */
export function listProcessTree(pid: number): number[] {
  const families = new ProcessTree()
  families.refresh()
  return families.list(pid)
}

/** Ends a process and those below it at once. */
export function killProcessTree(pid: number): void {
  for (const one of listProcessTree(pid)) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // it ended meanwhile
    }
  }
}

function listProcessNumbers(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return [] // this isn't Linux
  }
}

function readParent(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, may hold anything; the parent is the second field behind it (proc(5)).
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined // it ended meanwhile
  }
}
