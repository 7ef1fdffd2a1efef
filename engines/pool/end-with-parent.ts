import { Worker } from 'node:worker_threads'

/**
 * Ends this process as soon as its parent ends, even if the main thread is blocked. A worker thread waits for the end
 * of standard input, which the parent holds open and the kernel closes with the parent.
 */
export function dieWithParent(): void {
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
