import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineError } from '../../../engines/errors'
import { createEngines, type Engines } from '../../../engines/create-engines'
import { collectContent } from '../../../engines/output-content'
import type { OutputFile } from '../../../engines/types'
import { bundle, fakeJob, isAlive } from './fake-engines'
import { waitFor } from '../../support/wait-for'

const MIB = 2 ** 20
const AMPLE = { openTimeoutMs: 20_000, toolTimeoutMs: 20_000 }

let script: ReturnType<typeof bundle>
let spoolFolder: string
let open: Engines[] = []
let shared: Engines | undefined

beforeAll(() => {
  script = bundle('fake-child.ts')
  spoolFolder = mkdtempSync(join(tmpdir(), 'sheaf-spool-'))
})
afterAll(async () => {
  await shared?.close()
  script.remove()
  rmSync(spoolFolder, { recursive: true })
})
afterEach(async () => {
  await Promise.all(open.map(engines => engines.close()))
  open = []
})

type Settings = Partial<Parameters<typeof createEngines>[0]>

function create(settings: Settings): Engines {
  return createEngines({
    childPath: script.path,
    count: 1,
    maxRssBytes: 400 * MIB,
    maxQueue: 100,
    spoolFolder,
    ...settings,
  })
}

function engines(settings: Settings = {}): Engines {
  const made = create(settings)
  open.push(made)
  return made
}

/** The engines of all tests whose jobs end by themselves. Starting processes takes most of the time of a test. */
function sharedEngines(): Engines {
  shared ??= create({})
  return shared
}

const bytesOf = ({ content }: OutputFile) => collectContent(content)
const read = async (output: OutputFile): Promise<unknown> => JSON.parse((await bytesOf(output)).toString())
const sha256 = (chunks: Uint8Array[]) =>
  chunks.reduce((hash, chunk) => hash.update(chunk), createHash('sha256')).digest('hex')

async function refusalOf(work: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof EngineError) return error
  throw new Error('expected an EngineError', { cause: error })
}

describe('a job', () => {
  it('returns its bytes, name, headers, warnings and timings', async () => {
    const output = await sharedEngines().run(
      fakeJob('echo', [Buffer.from('one '), Buffer.from('two ')], [Buffer.from('three')]),
      AMPLE,
    )
    expect(output.content.byteLength).toBe(13)
    expect((await bytesOf(output)).toString()).toBe('one two three')
    expect(output).toMatchObject({
      name: 'out.bin',
      contentType: 'application/octet-stream',
      warnings: ['repaired'],
      headers: { 'X-Fake': 'yes' },
    })
    expect(Object.keys(output.timings)).toEqual(['queue', 'send', 'open', 'work', 'save'])
  })

  it('keeps 20 MB intact, however they are chunked, and releases chunks while sending them', async () => {
    const chunks = [randomBytes(14 * MIB), ...Array.from({ length: 500 }, (_, index) => randomBytes(index * 57))]
    const expected = sha256(chunks)
    const job = fakeJob('echo', chunks, [])
    const output = await sharedEngines().run(job, AMPLE)
    expect(output.content.byteLength).toBeGreaterThan(20 * MIB)
    expect(sha256([await bytesOf(output)])).toBe(expected)
    expect(job.files.map(file => file.chunks.length)).toEqual([0, 0])
  })

  it('returns an intact result if the tool returns thousands of chunks', async () => {
    const bytes = randomBytes(5000)
    const output = await sharedEngines().run(fakeJob('pieces', [bytes]), AMPLE)
    expect(await bytesOf(output)).toEqual(bytes)
  })

  it('may have a file name with a lone surrogate', async () => {
    const job = fakeJob('names', [Buffer.from('x')])
    for (const file of job.files) file.name = '\ud800 "日本".pdf'
    expect(await read(await sharedEngines().run(job, AMPLE))).toEqual(['\ud800 "日本".pdf'])
  })

  it("gets nothing of the service's environment, and a working folder that can't be deleted", async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret')
    vi.stubEnv('NEXTAUTH_SECRET', 'secret')
    const { environment, folder, priority } = (await read(await engines().run(fakeJob('surroundings'), AMPLE))) as {
      environment: Record<string, string>
      folder: string
      priority: number
    }
    expect(environment).toEqual({ NODE_ENV: 'production', TZ: 'UTC', LANG: 'C.UTF-8' })
    expect(folder).toBe('/')
    expect(priority).toBe(Math.max(3, getPriority()))
  })

  it('can print anything without affecting its result', async () => {
    expect(await read(await sharedEngines().run(fakeJob('chatter'), AMPLE))).toBe('quiet')
  })
})

describe('a document that misbehaves', () => {
  it('is stopped if it is not open in time', async () => {
    const error = await refusalOf(engines().run(fakeJob('hangUnopened'), { openTimeoutMs: 200, toolTimeoutMs: 20_000 }))
    expect(error.reason).toBe('timed_out')
    expect(error.message).toBe(
      'The document could not be opened and inspected within 0.2 seconds. Use a smaller file, fewer pages or a simpler ' +
        'request body.',
    )
  })

  it.each(['hang', 'spin'])(
    'is stopped if its work is not done in time (%s), and the next job succeeds',
    async tool => {
      const pool = engines()
      const before = (await read(await pool.run(fakeJob('pid'), AMPLE))) as number
      const error = await refusalOf(pool.run(fakeJob(tool), { openTimeoutMs: 20_000, toolTimeoutMs: 200 }))
      expect(error.reason).toBe('timed_out')
      expect(await read(await pool.run(fakeJob('pid'), AMPLE))).not.toBe(before)
      await waitFor(() => expect(isAlive(before)).toBe(false))
      expect(pool.status()).toMatchObject({ killed: 1, started: 3 })
    },
  )

  it.runIf(process.platform === 'linux')('is not charged for the time in which its process was suspended', async () => {
    const pool = engines()
    const pid = (await read(await pool.run(fakeJob('pid'), AMPLE))) as number
    const running = pool.run(fakeJob('suspend'), { openTimeoutMs: 20_000, toolTimeoutMs: 2000 })
    await waitFor(() => expect(readFileSync(`/proc/${pid}/status`, 'latin1')).toMatch(/^State:\s*T/m))
    await wait(2400) // Longer than the limit.
    process.kill(pid, 'SIGCONT')
    expect(await read(await running)).toBe('done')
  })

  it.each(['allocate', 'fillHeap'])('is stopped if it uses too much memory (%s)', async tool => {
    const error = await refusalOf(engines({ maxRssBytes: 200 * MIB }).run(fakeJob(tool), AMPLE))
    expect(error.reason).toBe('out_of_memory')
    expect(error.message).toContain('Use a smaller file, fewer pages or a simpler request body.')
  })

  it.each([
    ['exit', 'exit code 7'],
    ['abort', 'SIGABRT'],
  ])('is reported as crashed if its process ends (%s)', async (tool, cause) => {
    const onCrash = vi.fn()
    const pool = engines({ onCrash })
    const error = await refusalOf(pool.run(fakeJob(tool), AMPLE))
    expect(error.reason).toBe('crashed')
    expect(error.cause).toContain(cause)
    expect(error.message).not.toContain(cause)
    expect(onCrash.mock.calls.map(([, isFinal]) => isFinal as boolean)).toEqual([false, true])
    expect(pool.status()).toMatchObject({ crashed: 2, killed: 0 })
    expect(await read(await pool.run(fakeJob('chatter'), AMPLE))).toBe('quiet')
  })

  it('is retried once if its process ends, with its files, in a process that had no other job', async () => {
    const pool = engines()
    await pool.run(fakeJob('pid'), AMPLE)
    const chunks = [randomBytes(1_000_000), randomBytes(10)]
    const digest = sha256(chunks)
    const job = fakeJob('exitUnlessFirst', chunks)
    const [output] = await Promise.all([
      pool.run(job, AMPLE),
      pool.run(fakeJob('pid'), AMPLE),
      pool.run(fakeJob('pid'), AMPLE),
    ])
    expect(sha256([await bytesOf(output)])).toBe(digest)
    expect(job.files[0]?.chunks).toEqual([])
    expect(pool.status().crashed).toBe(1)
  })

  it('is not retried after its client disconnects', async () => {
    const pool = engines()
    const controller = new AbortController()
    const running = pool.run(fakeJob('exit'), { ...AMPLE, signal: controller.signal })
    controller.abort()
    expect((await refusalOf(running)).reason).toBe('canceled')
  })

  it('reports how long an engine worked on a failed job', async () => {
    const error = await refusalOf(engines().run(fakeJob('hang'), { openTimeoutMs: 5000, toolTimeoutMs: 300 }))
    expect(error.workMs).toBeGreaterThanOrEqual(300)
  })

  it.each(['garbage', 'hugeAnnouncement'])(
    'is reported as crashed if its process sends an invalid result (%s)',
    async tool => {
      expect((await refusalOf(engines().run(fakeJob(tool), AMPLE))).reason).toBe('crashed')
    },
  )

  it("fails with the tool's message, and the log gets the cause without the document's text", async () => {
    const error = await refusalOf(sharedEngines().run(fakeJob('refuse'), AMPLE))
    expect(error).toMatchObject({
      reason: 'options_invalid',
      problems: [{ param: 'options.pages[2]', message: 'Page 9 is not in this 3-page document.' }],
    })
    expect(error.cause).toContain('looked for …')
    expect(error.cause).not.toContain('secret')
  })

  it.each(['typeError', 'overflow', 'throwString'])(
    'is reported as unreadable if the tool throws anything else (%s)',
    async tool => {
      const pool = sharedEngines()
      const error = await refusalOf(pool.run(fakeJob(tool), AMPLE))
      expect(error.reason).toBe('damaged')
      expect(error.message).not.toMatch(/undefined|stack|words/i)
      expect(error.cause).toBeTruthy()
      expect(pool.status().killed).toBe(0)
    },
  )

  it.each(['impossibleArray', 'failedAllocation'])("fails if memory for it can't be allocated (%s)", async tool => {
    expect(['out_of_memory', 'damaged']).toContain((await refusalOf(engines().run(fakeJob(tool), AMPLE))).reason)
  })

  it('fails if the tool throws outside the awaited work, and the process is replaced', async () => {
    const pool = engines()
    const before = await read(await pool.run(fakeJob('pid'), AMPLE))
    expect((await refusalOf(pool.run(fakeJob('stray'), AMPLE))).reason).toBe('damaged')
    expect(await read(await pool.run(fakeJob('pid'), AMPLE))).not.toBe(before)
  })
})

describe('the queue', () => {
  it('is processed in order', async () => {
    const pool = engines({ count: 1 })
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        pool.run(fakeJob('echo', [Buffer.alloc(1000)]), AMPLE).then(() => order.push(index)),
      ),
    )
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
  })

  it('is processed by the configured number of processes, plus one spare', async () => {
    const pool = engines({ count: 2 })
    await Promise.all(Array.from({ length: 20 }, () => pool.run(fakeJob('echo', [Buffer.alloc(1000)]), AMPLE)))
    expect(pool.status().started).toBe(3)
    expect(await pool.residentBytes()).toBeGreaterThan(3 * 20e6) // Node.js itself needs more memory.
    await pool.close()
    expect(await pool.residentBytes()).toBe(0)
  })

  it('lets an owner start one job beside the long jobs of another owner', async () => {
    const pool = engines({ count: 2 })
    await pool.ready()
    const leaving = new AbortController()
    const running = Array.from({ length: 3 }, () =>
      refusalOf(pool.run(fakeJob('hang'), { ...AMPLE, owner: 'a', signal: leaving.signal })),
    )
    await waitFor(() => expect(pool.status()).toMatchObject({ busy: 2, waiting: 1 }))
    expect(await read(await pool.run(fakeJob('chatter'), { ...AMPLE, owner: 'b' }))).toBe('quiet')
    expect(await read(await pool.run(fakeJob('chatter'), { ...AMPLE, owner: 'b' }))).toBe('quiet')
    expect(pool.status()).toMatchObject({ busy: 2, waiting: 1 })
    leaving.abort()
    expect((await Promise.all(running)).map(({ reason }) => reason)).toEqual(['canceled', 'canceled', 'canceled'])
  })

  it('refuses only the jobs that exceed its limit, as busy', async () => {
    const pool = engines({ maxQueue: 2 })
    await pool.ready()
    const first = pool.run(fakeJob('hang'), { openTimeoutMs: 20_000, toolTimeoutMs: 300 })
    const waiting = [pool.run(fakeJob('chatter'), AMPLE), pool.run(fakeJob('chatter'), AMPLE)]
    expect(pool.status()).toMatchObject({ busy: 1, waiting: 2 })
    expect((await refusalOf(pool.run(fakeJob('chatter'), AMPLE))).reason).toBe('busy')
    expect((await refusalOf(first)).reason).toBe('timed_out')
    expect(await Promise.all((await Promise.all(waiting)).map(read))).toEqual(['quiet', 'quiet'])
  })

  it('removes a canceled job at once', async () => {
    const pool = engines()
    await pool.ready()
    const leaving = new AbortController()
    const staying = pool.run(fakeJob('hang'), { openTimeoutMs: 20_000, toolTimeoutMs: 300 })
    const left = pool.run(fakeJob('chatter'), { ...AMPLE, signal: leaving.signal })
    leaving.abort()
    expect((await refusalOf(left)).reason).toBe('canceled')
    expect(pool.status().waiting).toBe(0)
    expect((await refusalOf(staying)).reason).toBe('timed_out')
  })

  it('refuses a job that is already canceled', async () => {
    expect(
      (await refusalOf(sharedEngines().run(fakeJob('echo'), { ...AMPLE, signal: AbortSignal.abort() }))).reason,
    ).toBe('canceled')
  })
})

describe('a running job that is canceled', () => {
  it('is rejected at once and its process is killed if the job does not end by itself', async () => {
    const pool = engines()
    await pool.ready()
    const leaving = new AbortController()
    const call = pool.run(fakeJob('spin'), { ...AMPLE, signal: leaving.signal })
    leaving.abort()
    expect((await refusalOf(call)).reason).toBe('canceled')
    expect(await read(await pool.run(fakeJob('chatter'), AMPLE))).toBe('quiet')
    expect(pool.status().killed).toBe(1)
  })

  it('keeps its process if the work ends within a moment', async () => {
    const pool = engines()
    await pool.ready()
    const leaving = new AbortController()
    const call = pool.run(fakeJob('echo', [randomBytes(MIB)]), { ...AMPLE, signal: leaving.signal })
    leaving.abort()
    expect((await refusalOf(call)).reason).toBe('canceled')
    expect(await read(await pool.run(fakeJob('chatter'), AMPLE))).toBe('quiet')
    expect(pool.status()).toMatchObject({ killed: 0, started: 2 })
  })
})

describe('a process', () => {
  it('is replaced after its number of jobs, and ends only when its successor is warm', async () => {
    const pool = engines({ jobsPerProcess: 3 })
    await pool.ready()
    const pids = new Set<unknown>()
    let fewestWarm = pool.status().processes
    const oneMore = async () => {
      fewestWarm = Math.min(fewestWarm, pool.status().processes)
      pids.add(await read(await pool.run(fakeJob('pid'), AMPLE)))
      expect(pids.size).toBeGreaterThanOrEqual(4)
    }
    await waitFor(oneMore, { interval: 10 })
    expect(fewestWarm).toBeGreaterThanOrEqual(1)
    expect(pool.status().killed).toBe(0)
  })

  it('is replaced if it retains more than half of the allowed memory', async () => {
    const pool = engines({ maxRssBytes: 300 * MIB })
    const before = (await read(await pool.run(fakeJob('holdMemory'), AMPLE))) as number
    await waitFor(() => expect(isAlive(before)).toBe(false))
    expect(await read(await pool.run(fakeJob('pid'), AMPLE))).not.toBe(before)
    expect(pool.status().killed).toBe(0)
  })

  it('is replaced quietly if it dies while idle', async () => {
    const pool = engines()
    const before = (await read(await pool.run(fakeJob('pid'), AMPLE))) as number
    process.kill(before, 'SIGKILL')
    await waitFor(() => expect(pool.status()).toMatchObject({ processes: 2, started: 3, killed: 0 }))
    expect(await read(await pool.run(fakeJob('pid'), AMPLE))).not.toBe(before)
  })

  it('that repeatedly dies at start is restarted more and more rarely, and no job waits for it', async () => {
    const childPath = join(dirname(script.path), 'dies-at-once.mjs')
    writeFileSync(childPath, 'console.error("no such thing"); process.exit(3)')
    const pool = engines({ childPath, count: 2 })
    const waiting = pool.run(fakeJob('echo'), AMPLE)
    const starting = pool.ready()
    const errors = await Promise.all([refusalOf(waiting), refusalOf(starting)])
    expect(errors.map(error => error.reason)).toEqual(['busy', 'busy'])
    expect(errors[0]).toMatchObject({ cause: { cause: expect.stringContaining('no such thing') } })
    expect((await refusalOf(pool.run(fakeJob('echo'), AMPLE))).reason).toBe('busy')
    expect(pool.status().started).toBeLessThan(8)
  })
})

describe('close', () => {
  it('leaves no process and rejects waiting and running jobs as busy', async () => {
    const pool = engines({ count: 2 })
    const outputs = await Promise.all([pool.run(fakeJob('pid'), AMPLE), pool.run(fakeJob('pid'), AMPLE)])
    const pids = (await Promise.all(outputs.map(read))) as number[]
    const calls = Array.from({ length: 4 }, () => refusalOf(pool.run(fakeJob('spin'), AMPLE)))
    await pool.close()
    expect((await Promise.all(calls)).map(error => error.reason)).toEqual(['busy', 'busy', 'busy', 'busy'])
    expect(pids.map(isAlive)).toEqual(pids.map(() => false))
    expect((await refusalOf(pool.run(fakeJob('echo'), AMPLE))).reason).toBe('busy')
    expect(pool.status()).toMatchObject({ processes: 0, busy: 0, waiting: 0 })
  })
})
