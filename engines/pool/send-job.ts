import type { Socket } from 'node:net'
import type { InputFile, Job } from '../types'
import type { JobMessage, SpoolTarget } from './messages'
import { encodeFrame } from './frames'

/**
 * Writes a job to the pipe of a process, no faster than the process reads. Each chunk is removed from its file when it
 * is written, so `chunks` is empty afterwards. Resolves when the pipe has accepted all bytes or is closed.
 */
export async function sendJob(pipe: Socket, { tool, options, limits, files }: Job, spool: SpoolTarget): Promise<void> {
  const message: JobMessage = {
    tool,
    options,
    limits,
    spool,
    files: files.map(({ name, byteLength, path }) => ({ name, byteLength, ...(path !== undefined && { path }) })),
  }
  const rawBytes = files.reduce((sum, file) => sum + (file.path === undefined ? file.byteLength : 0), 0)
  pipe.cork()
  pipe.write(encodeFrame('job', message, rawBytes))
  let corkedBytes = 0
  for (const chunk of takeChunks(files)) {
    pipe.write(chunk)
    corkedBytes += chunk.byteLength
    if (corkedBytes < BATCH_BYTES) continue
    pipe.uncork()
    await isDrained(pipe)
    pipe.cork()
    corkedBytes = 0
  }
  pipe.uncork()
  await isDrained(pipe)
}

function* takeChunks(files: InputFile[]): Generator<Uint8Array> {
  for (const { chunks } of files) {
    chunks.reverse() // `pop` is cheap, `shift` is not.
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) yield chunk
  }
}

/** Corked chunks are sent in one system call. More bytes than the pipe accepts at once would only occupy memory. */
const BATCH_BYTES = 256 * 1024

function isDrained(pipe: Socket): Promise<void> {
  if (!pipe.writableNeedDrain || pipe.destroyed) return Promise.resolve()
  return new Promise(resolve => {
    const settle = () => {
      pipe.off('drain', settle)
      pipe.off('close', settle)
      resolve()
    }
    pipe.on('drain', settle)
    pipe.on('close', settle)
  })
}
