import type { Socket } from 'node:net'
import type { InputFile, Job } from '../types'
import type { JobMessage } from './messages'
import { encodeFrame } from './frames'

/**
 * Writes a job into a process's pipe no faster than it is taken. Each file's chunks are let go of as they are written,
 * and `chunks` is empty afterwards. Resolves when the pipe has taken all, or is closed.
 */
export async function sendJob(pipe: Socket, { tool, options, limits, files }: Job): Promise<void> {
  const message: JobMessage = {
    tool,
    options,
    limits,
    files: files.map(({ name, byteLength }) => ({ name, byteLength })),
  }
  const rawBytes = files.reduce((sum, file) => sum + file.byteLength, 0)
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
    chunks.reverse() // pop is cheap where shift is not
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) yield chunk
  }
}

/** Corked chunks go out in one system call; more than the pipe takes at once would only wait in memory. */
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
