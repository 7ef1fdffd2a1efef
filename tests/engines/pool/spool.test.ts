import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEngines, type Engines } from '../../../engines/create-engines'
import { collectContent } from '../../../engines/output-content'
import { waitFor } from '../../support/wait-for'
import { bundle, fakeJob } from './fake-engines'

const MIB = 2 ** 20
const AMPLE = { openTimeoutMs: 20_000, toolTimeoutMs: 20_000 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let script: ReturnType<typeof bundle>
let spoolFolder: string
let open: Engines[] = []

beforeAll(() => (script = bundle('fake-child.ts')))
afterAll(() => script.remove())
beforeEach(() => (spoolFolder = mkdtempSync(join(tmpdir(), 'sheaf-spool-'))))
afterEach(async () => {
  await Promise.all(open.map(engines => engines.close()))
  open = []
  rmSync(spoolFolder, { recursive: true, force: true })
})

function engines(settings: Partial<Parameters<typeof createEngines>[0]> = {}): Engines {
  const made = createEngines({
    childPath: script.path,
    count: 1,
    maxRssBytes: 400 * MIB,
    maxQueue: 100,
    spoolFolder,
    ...settings,
  })
  open.push(made)
  return made
}

describe('a large output', () => {
  it('passes through a file without a name, and the rest through memory', async () => {
    const pool = engines()
    for (const [byteLength, isSpooled] of [
      [MIB, false],
      [MIB + 1, true],
      [20 * MIB, true],
    ] as const) {
      const bytes = randomBytes(byteLength)
      const { content } = await pool.run(fakeJob('echo', [Buffer.from(bytes)]), AMPLE)
      expect(content).toMatchObject({ byteLength, isSpooled })
      expect(readdirSync(spoolFolder)).toEqual([])
      expect(sha256(await collectContent(content))).toBe(sha256(bytes))
    }
  })

  it('is a file that only its user can read while an engine writes it', async () => {
    const pool = engines()
    const job = fakeJob('spoolAndHang')
    const running = pool.run({ ...job, options: { folder: spoolFolder } }, AMPLE)
    running.catch(() => {})
    await waitFor(() => expect(readdirSync(spoolFolder)).toEqual(['1.out']))
    expect(statSync(join(spoolFolder, '1.out')).mode & 0o777).toBe(0o600)
  })

  it('over the limit is an error with the limit in it, and leaves no file', async () => {
    const job = fakeJob('echo', [randomBytes(3 * MIB)])
    job.limits.maxOutputBytes = 2 * MIB
    await expect(engines().run(job, AMPLE)).rejects.toMatchObject({
      reason: 'output_too_large',
      message:
        'The output must be at most 2 MB (2097152 bytes). Got a larger output. Use a smaller file or fewer pages.',
    })
    expect(readdirSync(spoolFolder)).toEqual([])
  })

  it('that finds no room on the disk makes the server busy', async () => {
    const pool = engines()
    rmSync(spoolFolder, { recursive: true })
    await expect(pool.run(fakeJob('echo', [randomBytes(2 * MIB)]), AMPLE)).rejects.toMatchObject({
      reason: 'busy',
      message: 'The server has no disk space left for this response. Retry after 5 seconds.',
    })
    const small = await pool.run(fakeJob('echo', [randomBytes(1000)]), AMPLE)
    expect(small.content.byteLength).toBe(1000)
  })

  it.each(['a cancellation', 'a deadline'])('leaves no file after %s', async how => {
    const pool = engines()
    const controller = new AbortController()
    const toolTimeoutMs = how === 'a deadline' ? 2000 : 20_000
    const job = { ...fakeJob('spoolAndHang'), options: { folder: spoolFolder } }
    const running = pool.run(job, { openTimeoutMs: 20_000, toolTimeoutMs, signal: controller.signal })
    running.catch(() => {})
    await waitFor(() => expect(readdirSync(spoolFolder)).toEqual(['1.out']))
    if (how === 'a cancellation') controller.abort()
    await expect(running).rejects.toMatchObject({ reason: how === 'a deadline' ? 'timed_out' : 'canceled' })
    await waitFor(() => expect(readdirSync(spoolFolder)).toEqual([]))
  })

  it('that is finished after a cancellation leaves no file', async () => {
    const pool = engines()
    const controller = new AbortController()
    const running = pool.run(fakeJob('echoLater', [randomBytes(2 * MIB)]), { ...AMPLE, signal: controller.signal })
    await waitFor(() => expect(pool.status().busy).toBe(1))
    controller.abort()
    await expect(running).rejects.toMatchObject({ reason: 'canceled' })
    await waitFor(() => expect(pool.status().busy).toBe(0))
    await waitFor(() => expect(readdirSync(spoolFolder)).toEqual([]))
  })
})

describe('a small output', () => {
  it('is spooled if the memory of its owner is used up', async () => {
    const pool = engines({ mayHold: owner => owner !== 'full' })
    const run = (owner: string) => pool.run(fakeJob('echo', [Buffer.from('few')]), { ...AMPLE, owner })
    const [held, spooled] = [await run('free'), await run('full')]
    expect([held.content.isSpooled, spooled.content.isSpooled]).toEqual([false, true])
    expect((await collectContent(spooled.content)).toString()).toBe('few')
  })
})

describe('an input file on disk', () => {
  it('is read by the engine', async () => {
    const path = join(spoolFolder, 'in.print')
    writeFileSync(path, 'printed')
    const job = fakeJob('echo', [Buffer.from('sent ')], [])
    job.files[1] = { name: 'b.pdf', chunks: [], byteLength: 7, path }
    const { content } = await engines().run(job, AMPLE)
    expect((await collectContent(content)).toString()).toBe('sent printed')
  })
})
