import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Each step of niceness changes the weight of a thread by this factor (sched(7)). */
const WEIGHT_STEP = 1.25
const MOST_NICE = 19
/** A page starts with one renderer, and the browser keeps a spare one ready. */
const USUAL_RENDERERS = 2
/** After this time, a page gets a third of the weight of pages that started later. */
const LONG_PAGE_MS = 3000
const LONG_PAGE_NICE = 5
/** A session with this niceness has a tenth of the weight of another session. */
const MOST_GROUP_NICE = 10

/**
 * Limits all renderers of a page together to the CPU share of one process. A page with 30 cross-site frames has 30
 * renderers, which would leave little CPU time to the other processes of a small machine. A long-running page gets
 * less, so that endless computations don't delay other pages. Renderers end with their page, so their niceness never
 * needs to be restored, which only root may do. If the system distributes CPU time by session (autogroup in sched(7)),
 * each browser is a session. Its weight is lowered while it has such a page.
 */
export class CpuShare {
  readonly #renderers = new Map<number, { isRenderer: boolean; nice: number }>()
  /** Niceness of browser sessions, by the ID of the main process. */
  readonly #groups = new Map<number, number>()

  /**
   * Sets the niceness of the renderers of a browser. `root` is the ID of its main process, `pids` are all of its
   * processes. `ageMs` is the time since its page started.
   */
  balance(root: number, pids: number[], ageMs: number): void {
    const renderers = pids.filter(pid => this.#isRenderer(pid))
    const nice = chooseNice(renderers.length, ageMs)
    if (nice === 0) return
    for (const pid of renderers) this.#lower(pid, nice)
    const groupNice = Math.min(MOST_GROUP_NICE, nice)
    if (groupNice > (this.#groups.get(root) ?? 0) && setGroupNice(root, groupNice)) this.#groups.set(root, groupNice)
  }

  /** Restores the usual weight of a browser after its page has ended. */
  restore(root: number): void {
    if (this.#groups.delete(root)) setGroupNice(root, 0)
  }

  /** Removes entries of processes that have ended. */
  keep(pids: ReadonlySet<number>): void {
    for (const pid of this.#renderers.keys()) if (!pids.has(pid)) this.#renderers.delete(pid)
  }

  #isRenderer(pid: number): boolean {
    const renderer = this.#renderers.get(pid) ?? { isRenderer: isRenderer(pid), nice: 0 }
    this.#renderers.set(pid, renderer)
    return renderer.isRenderer
  }

  #lower(pid: number, nice: number): void {
    const renderer = this.#renderers.get(pid)
    if (!renderer || renderer.nice >= nice) return
    renderer.nice = nice
    for (const thread of listThreads(pid)) setNice(thread, nice)
  }
}

/**
 * Returns the niceness at which all renderers together weigh as much as one process, or less if their page takes long.
 */
export function chooseNice(renderers: number, ageMs = 0): number {
  const minNice = ageMs < LONG_PAGE_MS ? 0 : LONG_PAGE_NICE
  if (renderers <= USUAL_RENDERERS) return minNice
  return Math.min(MOST_NICE, Math.max(minNice, Math.round(Math.log(renderers - 1) / Math.log(WEIGHT_STEP))))
}

/**
 * Lists the current threads of a process. A new thread inherits the niceness of its creator, so later threads need no
 * update.
 */
function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [] // The process has ended.
  }
}

function setNice(thread: number, nice: number): void {
  try {
    if (getPriority(thread) < nice) setPriority(thread, nice)
  } catch {
    // The thread has ended, or the system doesn't allow the change. The page then only uses more CPU time.
  }
}

/** Returns whether the niceness was set. The system allows a few changes a second, and none if it has no autogroups. */
function setGroupNice(pid: number, nice: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice))
    return true
  } catch {
    return false
  }
}

function isRenderer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer')
  } catch {
    return false
  }
}
