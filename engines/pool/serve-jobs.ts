import { writeFileSync } from 'node:fs'
import type { RunJob } from '../jobs'
import { RESPONSES_FD, JOBS_FD, countBytes, readBytes, readFrameFront, writeFrames } from './blocking-pipe'
import { describeError } from './describe-error'
import type { JobMessage } from './messages'
import { dieWithParent } from './watchdog'

/**
 * The life of an engine process: warms up, then takes jobs one after another until the pool closes the pipe or dies.
 * Reads and writes block on purpose: there is nothing else to do meanwhile, and it is the fastest way through a pipe.
 */
export async function serveJobs(runJob: RunJob, warmUp: () => Promise<void>): Promise<never> {
  standApart()
  await warmUp()
  writeFrames(RESPONSES_FD, { kind: 'ready' })
  for (;;) {
    const front = readFrameFront(JOBS_FD)
    if (front === undefined) process.exit(0)
    const since = performance.now()
    // Written by the pool from a value of this type.
    const { isLast, ...response } = await doJob(runJob, front.message as JobMessage)
    const isHeavy = front.rawBytes + countBytes(response.chunks) > HEAVY_BYTES || performance.now() - since > HEAVY_MS
    if (!isHeavy && !isLast) {
      writeFrames(RESPONSES_FD, response, { kind: 'idle', message: { residentBytes: process.memoryUsage.rss() } })
      continue
    }
    writeFrames(RESPONSES_FD, response)
    if (isLast) process.exit(1)
    response.chunks.length = 0
    globalThis.gc?.()
    writeFrames(RESPONSES_FD, { kind: 'idle', message: { residentBytes: process.memoryUsage.rss() } })
  }
}

interface ApiResponse {
  kind: 'result' | 'error'
  message: unknown
  chunks: Uint8Array[]
  /** Whether the process is in an unknown state and has to end. */
  isLast: boolean
}

async function doJob(runJob: RunJob, { tool, options, limits, files: announced }: JobMessage): Promise<ApiResponse> {
  const files = announced.map(({ name, byteLength }) => ({ name, bytes: readBytes(JOBS_FD, byteLength) }))
  try {
    const work = runJob({ tool, options, files, limits }, () => writeFrames(RESPONSES_FD, { kind: 'opened' }))
    const { chunks, ...message } = await orStray(work)
    return { kind: 'result', message, chunks, isLast: false }
  } catch (thrown) {
    return { kind: 'error', message: describeError(thrown), chunks: [], isLast: thrown instanceof StrayError }
  }
}

/** Something thrown outside the awaited work. */
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

/**
 * Lets neither the terminal's or the system's signals, nor stray output or errors, nor the end of the parent surprise
 * the work.
 */
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

/**
 * A job above either, in bytes in and out or in time, may leave garbage that is worth collecting before the next one
 * comes.
 */
const HEAVY_BYTES = 16 * 2 ** 20
const HEAVY_MS = 100
