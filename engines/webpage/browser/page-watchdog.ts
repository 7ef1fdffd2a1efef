import { availableParallelism } from 'node:os'
import { measureBytes } from './process-memory'
import { ProcessTree } from './process-tree'
import { CpuShare } from './cpu-share'

/**
 * Twice what one core fills in a millisecond, as the kernel clears each page before it is written: a look may be late.
 */
const BYTES_PER_CORE_MS = 3 * 2 ** 20
const LEAST_PAUSE_MS = 10
const MOST_PAUSE_MS = 50

interface PageWatchSettings {
  /** Bytes that a process and those below it may hold together. */
  limitBytes: number
  /** Told of a process whose family holds more, and how much; it is watched no longer. */
  onExcess(pid: number, bytes: number): void
}

/**
 * Watches browsers that have a page, with all of their processes: what memory they hold, and that they take no more of
 * the processor than one page may. The closer one is to the limit, the sooner it is looked at again; a pause is never
 * longer than all cores together need to fill what is left.
 */
export class PageWatchdog {
  readonly #settings: PageWatchSettings
  readonly #bytesPerMs = BYTES_PER_CORE_MS * availableParallelism()
  readonly #families = new ProcessTree()
  readonly #share = new CpuShare()
  /** When each page began, and its bytes as of the last look, by the process. */
  readonly #watched = new Map<number, { sinceMs: number; bytes: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(settings: PageWatchSettings) {
    this.#settings = settings
  }

  /** Begins to watch a process and all that it has started or will start. */
  add(pid: number): void {
    if (this.#watched.size === 0) this.#families.forget()
    this.#watched.set(pid, { sinceMs: performance.now(), bytes: 0 })
    this.#schedule(LEAST_PAUSE_MS)
  }

  /** Ends that; gives the bytes that were seen last. */
  remove(pid: number): number {
    const bytes = this.#watched.get(pid)?.bytes ?? 0
    this.#watched.delete(pid)
    this.#share.restore(pid)
    if (this.#watched.size === 0) clearTimeout(this.#timer)
    return bytes
  }

  #schedule(pauseMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), pauseMs)
    this.#timer.unref()
  }

  #look(): void {
    const since = performance.now()
    this.#families.refresh()
    for (const [pid, page] of this.#watched) {
      const pids = this.#families.list(pid)
      const bytes = measureBytes(pids, one => this.#families.parentOf(one))
      page.bytes = bytes
      if (bytes <= this.#settings.limitBytes) this.#share.balance(pid, pids, since - page.sinceMs)
      else this.#end(pid, bytes)
    }
    this.#share.keep(this.#families.all)
    if (this.#watched.size === 0) return
    const most = Math.max(...[...this.#watched.values()].map(({ bytes }) => bytes))
    const elapsed = performance.now() - since
    const fillMs = (this.#settings.limitBytes - most) / this.#bytesPerMs
    this.#schedule(Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, elapsed, fillMs)))
  }

  #end(pid: number, bytes: number): void {
    this.#watched.delete(pid)
    this.#settings.onExcess(pid, bytes)
  }
}
