const WIDTH = 24
const EVERY_MS = 200
/** Shorter requests show nothing. */
const AFTER_MS = 1000

/** A line on the terminal while a request runs. Shows nothing if standard error isn't a terminal. */
export class Progress {
  readonly #isShown: boolean
  readonly #startedMs = performance.now()
  #text = 'Sending'
  readonly #timer: NodeJS.Timeout | undefined

  constructor(isQuiet: boolean) {
    this.#isShown = !isQuiet && process.stderr.isTTY
    if (this.#isShown) this.#timer = setInterval(() => this.#draw(), EVERY_MS).unref()
  }

  /** The request has sent so many bytes. */
  noteSent(sentBytes: number, totalBytes: number): void {
    const share = totalBytes === 0 ? 1 : sentBytes / totalBytes
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    this.#text =
      share < 1 ? `Sending ${bar} ${Math.round(share * 100)} % of ${formatBytes(totalBytes)}` : 'Waiting for the file'
  }

  end(): void {
    clearInterval(this.#timer)
    if (this.#isShown) process.stderr.write('\r\u001b[K')
  }

  #draw(): void {
    const ms = performance.now() - this.#startedMs
    if (ms > AFTER_MS) process.stderr.write(`\r\u001b[K${this.#text} · ${Math.round(ms / 1000)} s`)
  }
}

/** Writes a size, such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}
