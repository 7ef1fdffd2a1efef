import { readFileSync, writeFileSync } from 'node:fs'
import type { EngineLimits, RunJob } from '../types'
import { RESPONSES_FD, JOBS_FD, countBytes, readBytes, readFrameFront, writeFrames } from './blocking-pipe'
import { outputTooLarge } from '../errors'
import { describeError } from './describe-error'
import type { JobMessage, SpoolTarget } from './messages'
import { spoolOutput } from './spool-output'
import { Worker } from 'node:worker_threads'

/**
 * Main loop of an engine process. It warms up, then runs jobs one after another until the pool closes the pipe or ends.
 * Reads and writes block on purpose: the process has no other work, and blocking is the fastest way to use a pipe.
 */
export async function serveJobs(runJob: RunJob, warmUp: () => Promise<void>): Promise<never> {
  isolateProcess()
  await warmUp()
  writeFrames(RESPONSES_FD, { kind: 'ready' })
  for (;;) {
    const front = readFrameFront(JOBS_FD)
    if (front === undefined) process.exit(0)
    const since = performance.now()
    // The pool wrote the message from a value of this type.
    const { isLast, outputBytes, ...response } = await executeJob(runJob, front.message as JobMessage)
    const isHeavy = front.rawBytes + outputBytes > HEAVY_BYTES || performance.now() - since > HEAVY_MS
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

interface JobResponse {
  kind: 'result' | 'error'
  message: unknown
  /** The output, unless it is in the spool file. */
  chunks: Uint8Array[]
  outputBytes: number
  /** Whether the process is in an unknown state and must end. */
  isLast: boolean
}

async function executeJob(
  runJob: RunJob,
  { tool, options, limits, spool, files: announced }: JobMessage,
): Promise<JobResponse> {
  const sent = announced.map(({ path, byteLength }) =>
    path === undefined ? readBytes(JOBS_FD, byteLength) : undefined,
  )
  try {
    const files = announced.map(({ name, path }, index) => ({ name, bytes: sent[index] ?? readFileSync(path ?? '') }))
    const work = runJob({ tool, options, files, limits }, () => writeFrames(RESPONSES_FD, { kind: 'opened' }))
    const { chunks, ...message } = await orStray(work)
    return { kind: 'result', isLast: false, ...handOver(chunks, message, { ...spool, ...limits }) }
  } catch (thrown) {
    const isLast = thrown instanceof StrayError
    return { kind: 'error', message: describeError(thrown), chunks: [], outputBytes: 0, isLast }
  }
}

/**
 * Returns an output as a message and chunks. A large one is in the spool file, so that the service doesn't hold it.
 * Throws EngineError `output_too_large`, and `busy` if the disk is full.
 */
function handOver(
  chunks: Uint8Array[],
  message: object,
  { path, maxHeldBytes, maxOutputBytes }: SpoolTarget & Pick<EngineLimits, 'maxOutputBytes'>,
): Pick<JobResponse, 'message' | 'chunks' | 'outputBytes'> {
  const outputBytes = countBytes(chunks)
  if (outputBytes > maxOutputBytes) throw outputTooLarge(maxOutputBytes)
  if (outputBytes <= maxHeldBytes) return { message, chunks, outputBytes }
  spoolOutput(path, chunks, outputBytes)
  return { message: { ...message, spooledBytes: outputBytes }, chunks: [], outputBytes }
}

/** An error that was thrown outside the awaited work. */
class StrayError extends Error {}

let rejectStray: (error: StrayError) => void = () => process.exit(1)

async function orStray<T>(work: Promise<T>): Promise<T> {
  const previous = rejectStray
  try {
    return await Promise.race([work, new Promise<never>((_, reject) => (rejectStray = reject))])
  } finally {
    rejectStray = previous
  }
}

/** Isolates the work from signals, stray output and stray errors, and ends the process with its parent. */
function isolateProcess(): void {
  dieWithParent()
  // The terminal sends signals to the whole process group. The service drains first and ends its engines itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (cause: unknown) => rejectStray(new StrayError('thrown outside the awaited work', { cause })))
  }
  // A warning of a library may contain text of the document.
  for (const level of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) console[level] = () => undefined
  offerToOomKiller()
}

/** Makes the kernel kill an engine before the service if the machine runs out of memory (proc(5), oom_score_adj). */
function offerToOomKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // This isn't Linux, or the change isn't allowed. The limit of the pool still applies.
  }
}

/**
 * A job above either limit (bytes in and out, or duration) may leave garbage that should be collected before the next
 * job.
 */
const HEAVY_BYTES = 16 * 2 ** 20
const HEAVY_MS = 100

/**
 * Ends this process as soon as its parent ends, even if the main thread is blocked. A worker thread waits for the end
 * of standard input, which the parent holds open and the kernel closes with the parent.
 */
function dieWithParent(): void {
  const worker = new Worker(WATCH, {
    eval: true,
    stdin: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  })
  worker.unref()
}

// The worker is a string instead of a file, because a bundler that creates one file for the process doesn't include a
// second one.
const WATCH = `
  const { Socket } = require('node:net')
  const input = new Socket({ fd: 0 })
  input.on('error', () => input.destroy())
  input.on('close', () => process.kill(process.pid, 'SIGKILL'))
  input.resume()
`
