import { Worker } from 'node:worker_threads'

/**
 * Ends this process as soon as its parent is gone, even when the main thread never comes back from its work: a thread
 * of its own waits for the end of standard input, which the parent holds open and the kernel closes with it.
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

// Text instead of a file: a bundler that makes one file of the process knows nothing of a second one.
const WATCH = `
  const { Socket } = require('node:net')
  const input = new Socket({ fd: 0 })
  input.on('error', () => input.destroy())
  input.on('close', () => process.kill(process.pid, 'SIGKILL'))
  input.resume()
`
