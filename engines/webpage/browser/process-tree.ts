import { readdirSync, readFileSync } from 'node:fs'

/**
 * Lists the descendants of a process from /proc (proc(5)). On other systems the tree is empty. The parent of a process
 * is read only once, because the tree is refreshed many times a second. Call `forget` after a period without refreshes,
 * because the system may have reused process IDs in the meantime.
 */
export class ProcessTree {
  readonly #parents = new Map<number, number>()

  /** Adds processes that started and removes processes that ended since the last refresh. */
  refresh(): void {
    const running = new Set(listProcessNumbers())
    for (const pid of this.#parents.keys()) if (!running.has(pid)) this.#parents.delete(pid)
    for (const pid of running) {
      const parent = this.#parents.has(pid) ? undefined : readParent(pid)
      if (parent !== undefined) this.#parents.set(pid, parent)
    }
  }

  /** Returns the process IDs of a process and its descendants at the last `refresh`. Empty if the process has ended. */
  list(pid: number): number[] {
    if (!this.#parents.has(pid)) return []
    const family = new Set([pid])
    // Parents usually have smaller IDs, but IDs wrap around. The loop repeats until a pass adds nothing.
    for (let size = 0; size !== family.size;) {
      size = family.size
      for (const [child, parent] of this.#parents) if (family.has(parent)) family.add(child)
    }
    return [...family]
  }

  /** Returns the parent of a process, as of the last `refresh`. */
  parentOf(pid: number): number | undefined {
    return this.#parents.get(pid)
  }

  /** All processes as of the last `refresh`. */
  get all(): ReadonlySet<number> {
    return new Set(this.#parents.keys())
  }

  /** Removes all entries. */
  forget(): void {
    this.#parents.clear()
  }
}

/** Returns the process IDs of a process and its descendants. Empty if the process has ended or this isn't Linux. */
export function listProcessTree(pid: number): number[] {
  const families = new ProcessTree()
  families.refresh()
  return families.list(pid)
}

/** Ends a process and its descendants at once. */
export function killProcessTree(pid: number): void {
  for (const id of listProcessTree(pid)) {
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // The process has ended.
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
    // The name in parentheses may contain any character. The parent is the second field after the name (proc(5)).
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined // The process has ended.
  }
}
