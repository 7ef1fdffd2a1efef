import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** One step of niceness changes the weight of a thread by this factor (sched(7)). */
const WEIGHT_STEP = 1.25
const MOST_NICE = 19
/** A page begins with one, and the browser keeps one more ready. */
const USUAL_RENDERERS = 2
/** A page that takes longer than most gives way to pages that began after it, with a third of their weight. */
const LONG_PAGE_MS = 3000
const LONG_PAGE_NICE = 5
/** A tenth of the weight of another session. */
const MOST_GROUP_NICE = 10

/**
 * Keeps the renderers of a page to the share of the processor that one process has, however many they are: a page with
 * 30 cross-site frames has 30 renderers, which would leave little to the other processes of a small machine. A page
 * that takes long gets less, so that pages that compute without end hold up nobody. Renderers end with their page, so
 * nothing has to be given back, which only root may do. Where the system shares the processor by sessions (autogroup in
 * sched(7)), a browser is one of its own, whose weight is lowered while it has such a page.
 */
export class CpuShare {
  readonly #renderers = new Map<number, { isRenderer: boolean; nice: number }>()
  /** Niceness of the sessions of browsers, by their first process. */
  readonly #groups = new Map<number, number>()

  /**
   * Sets the niceness of the renderers among the processes of a browser, whose first process is `root`. `ageMs` is how
   * long its page has been printed.
   */
  balance(root: number, pids: number[], ageMs: number): void {
    const renderers = pids.filter(pid => this.#isRenderer(pid))
    const nice = chooseNice(renderers.length, ageMs)
    if (nice === 0) return
    for (const pid of renderers) this.#lower(pid, nice)
    const groupNice = Math.min(MOST_GROUP_NICE, nice)
    if (groupNice > (this.#groups.get(root) ?? 0) && setGroupNice(root, groupNice)) this.#groups.set(root, groupNice)
  }

  /** Gives a browser its usual weight again, when its page is done. */
  restore(root: number): void {
    if (this.#groups.delete(root)) setGroupNice(root, 0)
  }

  /** Drops what is known of processes that are gone. */
  keep(pids: ReadonlySet<number>): void {
    for (const pid of this.#renderers.keys()) if (!pids.has(pid)) this.#renderers.delete(pid)
  }

  #isRenderer(pid: number): boolean {
    const known = this.#renderers.get(pid) ?? { isRenderer: isRenderer(pid), nice: 0 }
    this.#renderers.set(pid, known)
    return known.isRenderer
  }

  #lower(pid: number, nice: number): void {
    const known = this.#renderers.get(pid)
    if (!known || known.nice >= nice) return
    known.nice = nice
    for (const thread of listThreads(pid)) setNice(thread, nice)
  }
}

/** The niceness at which so many renderers weigh as much as one process, or less if their page takes long. */
export function chooseNice(renderers: number, ageMs = 0): number {
  const least = ageMs < LONG_PAGE_MS ? 0 : LONG_PAGE_NICE
  if (renderers <= USUAL_RENDERERS) return least
  return Math.min(MOST_NICE, Math.max(least, Math.round(Math.log(renderers - 1) / Math.log(WEIGHT_STEP))))
}

/** A thread keeps the niceness of the one that made it, so those that come later need no look. */
function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [] // it ended meanwhile
  }
}

function setNice(thread: number, nice: number): void {
  try {
    if (getPriority(thread) < nice) setPriority(thread, nice)
  } catch {
    // It ended meanwhile, or the system doesn't allow it; the page then only takes more of the processor.
  }
}

/** Whether it was set: the system takes a few changes a second, and none where it has no such groups. */
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
