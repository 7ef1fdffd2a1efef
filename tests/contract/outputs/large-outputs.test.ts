import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSharedImage } from '../../fixtures/shared-image'
import { runOn } from '../../support/run-on'
import { startService, type Service } from '../../support/service'
import { metricsOf } from '../../support/shared-services'
import { type Client, createClient, eventually, toolPath, writeToolBody } from '../client'
import { makePdf } from '../documents'
import { expectFile, expectRefusal } from '../expectations'
import { openWire, type Wire, writeHead } from '../wire'

const MIB = 2 ** 20
const PAGES = 12
/** Each part of a split has this image, so the parts have 12 MB together. */
const heavy = { name: 'input.pdf', bytes: makeSharedImage({ pages: PAGES, side: 1024 }) }
const small = { name: 'small.pdf', bytes: makePdf() }
const LIMITS = {
  MAX_OUTPUT_BYTES: 16 * MIB,
  OUTPUT_SPOOL_BYTES: 55 * MIB, // Two outputs of one account fit into its share, and four into all of it.
  SLOT_TIMEOUT_MS: 1000,
  METRICS_PORT: 0,
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let service: Service
let metrics: string
let accounts = 0

beforeAll(async () => {
  service = await startService({
    env: Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, String(value)])),
  })
  metrics = await metricsOf(service)
})
afterAll(async () => {
  await service?.stop()
})

async function createAccount(): Promise<Client> {
  accounts += 1
  return createClient(service.base, await service.createKey(`outputs-${accounts}@example.test`))
}

const splitHeavy = (client: Client) => client.callTool('split-pdf', heavy, { mode: 'pages' })

/** Bytes of unread outputs on the disk, as the service counts them. */
async function readSpooled(): Promise<number> {
  const text = await (await fetch(metrics)).text()
  return Number(/^sheaf_output_spool_bytes (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

const awaitSpooled = (test: (bytes: number) => boolean) => eventually(readSpooled, test)

/** Requests a large output and reads nothing of it. Resolves when the service has it. */
async function hold(client: Client): Promise<Wire> {
  const before = await readSpooled()
  const wire = await openWire(service.base)
  wire.pause()
  const body = JSON.stringify(writeToolBody(heavy, { mode: 'pages' }))
  const headers = {
    'x-api-key': client.apiKey,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  await wire.write(writeHead(toolPath('split-pdf'), headers) + body)
  await awaitSpooled(bytes => bytes > before)
  return wire
}

/** The files in all spool folders of the service. */
function listSpoolFiles(): string[] {
  const parent = join(service.dataDir, 'spool')
  const folders = readdirSync(parent, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return folders.flatMap(({ name }) => readdirSync(join(parent, name)))
}

describe('a large output', () => {
  it('arrives byte for byte, and nothing of it remains on the disk', async () => {
    const client = await createAccount()
    const response = await splitHeavy(client)
    expectFile(response, 'application/zip')
    const { bytes } = await runOn('split-pdf', heavy.bytes, { mode: 'pages' })
    expect(bytes.length).toBeGreaterThan(PAGES * MIB)
    expect(sha256(response.bytes)).toBe(sha256(bytes))
    await awaitSpooled(left => left === 0)
    expect(listSpoolFiles()).toEqual([])
  })

  it('over the limit is refused with the limit in the message, and is free', async () => {
    const client = await createAccount()
    const balance = await client.balance()
    const file = { name: 'input.pdf', bytes: makeSharedImage({ pages: 20, side: 1024 }) }
    expectRefusal(
      await client.callTool('split-pdf', file, { mode: 'pages' }),
      { status: 422, error: 'pdf_tool_processing_failed', says: ['16 MB', 'fewer files'] },
      balance,
    )
    expect(await readSpooled()).toBe(0)
  })
})

describe('accounts that read slowly', () => {
  it('keep no other account from small or large outputs', async () => {
    const slow = await createAccount()
    const wires = [await hold(slow), await hold(slow)]
    const other = await createAccount()
    expectFile(await other.callTool('rotate-pdf', small, { angle: 90 }))
    expectFile(await splitHeavy(other), 'application/zip')
    for (const wire of wires) wire.hangUp()
    await awaitSpooled(bytes => bytes === 0)
  })

  it('get 429 beyond their share and are charged only for what they read', async () => {
    const slow = await createAccount()
    const balance = await slow.balance()
    const wires = [await hold(slow), await hold(slow)]
    const refused = await splitHeavy(slow)
    expectRefusal(refused, { status: 429, error: 'rate_limited', says: ['unread responses'] }, balance - 2)
    expect(refused.headers['retry-after']).toBeDefined()
    for (const wire of wires) wire.hangUp()
    await awaitSpooled(bytes => bytes === 0)
    await eventually(
      () => slow.balance(),
      left => left === balance,
    )
    expectFile(await splitHeavy(slow), 'application/zip')
  })

  it('can use up all disk space together, and small outputs still have room', async () => {
    const wires: Wire[] = []
    for (const client of [await createAccount(), await createAccount()])
      wires.push(await hold(client), await hold(client))
    const other = await createAccount()
    const balance = await other.balance()
    const refused = await splitHeavy(other)
    expectRefusal(refused, { status: 503, error: 'service_unavailable', says: ['disk space'] }, balance)
    expect(refused.headers['retry-after']).toBeDefined()
    expectFile(await other.callTool('rotate-pdf', small, { angle: 90 }))
    for (const wire of wires) wire.hangUp()
    await awaitSpooled(bytes => bytes === 0)
    expectFile(await splitHeavy(other), 'application/zip')
  })
})
