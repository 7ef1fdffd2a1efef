import { writeFileSync } from 'node:fs'
import type { EngineLimits, Warning } from '../types'
import { ANSWERS_FD, JOBS_FD, readBytes, readFrameFront, writeFrame } from './blocking-pipe'
import { describeFault } from './faults'
import type { JobMessage } from './messages'
import { dieWithParent } from './watchdog'

/** Does one job in an engine process; calls `onOpened` when the documents are open and inspected. */
export type RunTool = (
  job: { tool: string; options: unknown; files: { name: string; bytes: Uint8Array }[]; limits: EngineLimits },
  onOpened: () => void,
) => Promise<ToolResult>

interface ToolResult {
  name: string
  contentType: string
  chunks: Uint8Array[]
  warnings: Warning[]
  headers: Record<string, string>
  timings: Record<string, number>
}

/**
 * The life of an engine process: warms up, then takes jobs one after another until the pool closes the pipe or dies.
 * Reads and writes block on purpose: there is nothing else to do meanwhile, and it is the fastest way through a pipe.
 */
export async function answerJobs(runTool: RunTool, warmUp: () => Promise<void>): Promise<never> {
  standApart()
  await warmUp()
  writeFrame(ANSWERS_FD, 'ready')
  for (;;) {
    const front = readFrameFront(JOBS_FD)
    if (front === undefined) process.exit(0)
    const message = front.message as JobMessage // written by the pool from a value of this type
    const workedBytes = front.rawBytes + (await answerJob(runTool, message))
    if (workedBytes > TIDY_ABOVE_BYTES) globalThis.gc?.()
    writeFrame(ANSWERS_FD, 'idle', { residentBytes: process.memoryUsage.rss() })
  }
}

/** Gives the number of bytes answered. */
async function answerJob(runTool: RunTool, { tool, options, limits, files: announced }: JobMessage): Promise<number> {
  const files = announced.map(({ name, byteLength }) => ({ name, bytes: readBytes(JOBS_FD, byteLength) }))
  try {
    const { chunks, ...message } = await orStray(runTool({ tool, options, files, limits }, () => writeFrame(ANSWERS_FD, 'opened')))
    writeFrame(ANSWERS_FD, 'result', message, chunks)
    return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  } catch (thrown) {
    writeFrame(ANSWERS_FD, 'error', describeFault(thrown))
    if (thrown instanceof StrayError) process.exit(1)
    return 0
  }
}

/** Something thrown outside the awaited work; the process is in an unknown state and ends after it has answered. */
class StrayError extends Error {}

let rejectStray: (error: StrayError) => void = () => process.exit(1)

async function orStray<T>(work: Promise<T>): Promise<T> {
  const between = rejectStray
  try {
    return await Promise.race([work, new Promise<never>((_, reject) => (rejectStray = reject))])
  } finally {
    rejectStray = between
  }
}

/** Lets neither the terminal's or the system's signals, nor stray output or errors, nor the end of the parent surprise the work. */
function standApart(): void {
  dieWithParent()
  // Signals go to a whole group: the service drains first and ends its engines itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (cause: unknown) => rejectStray(new StrayError('thrown outside the awaited work', { cause })))
  }
  // A library's warning may hold the document's text.
  for (const level of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) console[level] = () => undefined
  offerToOomKiller()
}

/** When the machine itself runs out of memory, an engine should go before the service does (proc(5), oom_score_adj). */
function offerToOomKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // not Linux, or not allowed: the pool's own limit still holds
  }
}

/** Jobs above this leave so much garbage that it is collected before the next one; in bytes in and out. */
const TIDY_ABOVE_BYTES = 16 * 2 ** 20
