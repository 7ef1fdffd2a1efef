import { writeSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import type { RunJob } from '../../../engines/types'
import { spoolOutput } from '../../../engines/pool/spool-output'
import { serveJobs } from '../../../engines/pool/serve-jobs'
import { EngineError } from '../../../engines/errors'

/** An engine process whose tools misbehave in every way that a real process might. */
type FakeTool = (
  files: { name: string; bytes: Uint8Array }[],
  opened: () => void,
  options: unknown,
) => Promise<Uint8Array[]>

const never = () => new Promise<never>(() => setInterval(() => undefined, 1000))
const text = (value: unknown) => [Buffer.from(JSON.stringify(value))]

const tools: Record<string, FakeTool> = {
  async echo(files, opened) {
    opened()
    return files.map(file => file.bytes)
  },
  async echoLater(files, opened) {
    opened()
    await new Promise(resolve => setTimeout(resolve, 100))
    return files.map(file => file.bytes)
  },
  /** Stops after it wrote the first spool file of its pool, as on a disk that stops responding. */
  async spoolAndHang(_, opened, options) {
    opened()
    const { folder } = options as { folder: string }
    spoolOutput(join(folder, '1.out'), [Buffer.alloc(10)], 10)
    return never()
  },
  async pieces(files, opened) {
    opened()
    const [file] = files
    return Array.from(
      { length: file?.bytes.length ?? 0 },
      (_, index) => file?.bytes.subarray(index, index + 1) ?? Buffer.alloc(0),
    )
  },
  names: async files => text(files.map(file => file.name)),
  pid: async () => text(process.pid),
  surroundings: async () => text({ environment: process.env, folder: process.cwd(), priority: getPriority() }),
  hangUnopened: never,
  async hang(_, opened) {
    opened()
    return never()
  },
  async spin(_, opened) {
    opened()
    for (;;) Math.random()
  },
  /** Is done as soon as somebody continues its process. */
  async suspend(_, opened) {
    opened()
    process.kill(process.pid, 'SIGSTOP')
    return text('done')
  },
  async allocate(_, opened) {
    opened()
    const held: Uint8Array[] = []
    for (;;) held.push(new Uint8Array(16 * 2 ** 20).fill(held.length + 1))
  },
  async fillHeap(_, opened) {
    opened()
    const held: number[][] = []
    for (;;) held.push(Array.from({ length: 1000 }, (_, index) => index + held.length))
  },
  async exit() {
    return process.exit(7)
  },
  /** Ends every process that already ran a job. */
  async exitUnlessFirst(files, opened) {
    opened()
    if (jobs > 1) return process.exit(7)
    return files.map(file => file.bytes)
  },
  async abort() {
    return process.abort()
  },
  async garbage() {
    writeSync(4, Buffer.alloc(64, 'not a frame '))
    return never()
  },
  async hugeAnnouncement() {
    const head = Buffer.alloc(16)
    head.writeUInt32LE(0x53_48_46_00 + 3, 0)
    head.writeDoubleLE(2 ** 45, 8)
    writeSync(4, head)
    return never()
  },
  async refuse() {
    const problems = [{ param: 'options.pages[2]', message: 'Page 9 is not in this 3-page document.' }]
    throw new EngineError('options_invalid', 'Page 9 is not in this 3-page document.', {
      problems,
      cause: new Error('looked for "secret text"'),
    })
  },
  async typeError() {
    const nothing: unknown = undefined
    return (nothing as { pages: Uint8Array[] }).pages
  },
  async overflow() {
    const nest = (): number => 1 + nest()
    return text(nest())
  },
  impossibleArray: async () => [new Uint8Array(2 ** 33)],
  failedAllocation: async () => [new Uint8Array(new ArrayBuffer(2 ** 52))],
  throwString: async () => Promise.reject('only words'),
  stray: () =>
    new Promise(() =>
      setImmediate(() => {
        throw new Error('thrown by nobody awaited')
      }),
    ),
  async chatter(_, opened) {
    opened()
    console.log('noise')
    console.error('noise')
    process.stdout.write('noise\n')
    return text('quiet')
  },
  async holdMemory(_, opened) {
    opened()
    Object.assign(globalThis, { held: new Uint8Array(120 * 2 ** 20).fill(1) })
    return text(process.pid)
  },
}

let jobs = 0

const runJob: RunJob = async ({ tool, files, options }, opened) => {
  jobs += 1
  const chunks = await (tools[tool] ?? never)(files, opened, options)
  return {
    name: 'out.bin',
    contentType: 'application/octet-stream',
    chunks,
    warnings: ['repaired'],
    headers: { 'X-Fake': 'yes' },
    timings: { open: 1, work: 2, save: 3 },
  }
}

await serveJobs(runJob, async () => undefined)
