import { availableParallelism } from 'node:os'
import { measureBytes } from './process-memory'
import { ProcessTree } from './process-tree'
import { CpuShare } from './cpu-share'

/**
 * Twice the number of bytes that one core fills in a millisecond, because a check may be late. The kernel clears each
 * memory page before its first write.
 */
const BYTES_PER_CORE_MS = 3 * 2 ** 20
const LEAST_PAUSE_MS = 10
const MOST_PAUSE_MS = 50

interface PageWatchSettings {
  /** Bytes that a process and its descendants may hold together. */
  limitBytes: number
  /**
   * Called with a process whose tree holds more than the limit, and with its memory in bytes. The watchdog then stops
   * watching it.
   */
  onExcess(pid: number, bytes: number): void
}

/**
 * Watches the memory and CPU time of browsers with a page, including all of their processes. The closer a browser is to
 * the limit, the sooner the next check follows. A pause never exceeds the time in which all cores together could fill
 * the remaining memory.
 */
export class PageWatchdog {
  readonly #settings: PageWatchSettings
  readonly #bytesPerMs = BYTES_PER_CORE_MS * availableParallelism()
  readonly #processes = new ProcessTree()
  readonly #share = new CpuShare()
  /** Start time of each page and its bytes at the last check, by process ID. */
  readonly #watched = new Map<number, { sinceMs: number; bytes: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(settings: PageWatchSettings) {
    this.#settings = settings
  }

  /** Starts watching a process and all of its current and future descendants. */
  add(pid: number): void {
    if (this.#watched.size === 0) this.#processes.forget()
    this.#watched.set(pid, { sinceMs: performance.now(), bytes: 0 })
    this.#schedule(LEAST_PAUSE_MS)
  }

  /** Stops watching a process. Returns its bytes at the last check. */
  remove(pid: number): number {
    const bytes = this.#watched.get(pid)?.bytes ?? 0
    this.#watched.delete(pid)
    this.#share.restore(pid)
    if (this.#watched.size === 0) clearTimeout(this.#timer)
    return bytes
  }

  #schedule(pauseMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#check(), pauseMs)
    this.#timer.unref()
  }

  #check(): void {
    const since = performance.now()
    this.#processes.refresh()
    for (const [pid, page] of this.#watched) {
      const pids = this.#processes.list(pid)
      const bytes = measureBytes(pids, id => this.#processes.parentOf(id))
      page.bytes = bytes
      if (bytes <= this.#settings.limitBytes) this.#share.balance(pid, pids, since - page.sinceMs)
      else this.#end(pid, bytes)
    }
    this.#share.keep(this.#processes.all)
    if (this.#watched.size === 0) return
    const maxBytes = Math.max(...[...this.#watched.values()].map(({ bytes }) => bytes))
    const elapsed = performance.now() - since
    const fillMs = (this.#settings.limitBytes - maxBytes) / this.#bytesPerMs
    this.#schedule(Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, elapsed, fillMs)))
  }

  #end(pid: number, bytes: number): void {
    this.#watched.delete(pid)
    this.#settings.onExcess(pid, bytes)
  }
}
