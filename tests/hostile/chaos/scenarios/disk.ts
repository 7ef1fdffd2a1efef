import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiResponse, type Client, createClient } from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { INVOICE_SAMPLES } from '../../../fixtures/invoice-samples'
import { makeScan } from '../../../fixtures/scan'
import { makeDataDir } from '../../../support/fresh-data-dir'
import { startService } from '../../../support/service'
import { readPgliteBooks } from '../books'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { checkBooks } from '../invariants'
import { fill, mountSmall, unmount } from '../small-disk'

const ROUNDS = 10
const CREDITS = 1000
const EMAIL = 'disk@example.test'
const DATA_MIB = 96
/** Enough rows to make tables grow. */
const LEAST_CALLS = 150
const MOST_CALLS = 500
const TEMPORARY_MIB = 1
const DOCUMENT = { name: 'small.pdf', bytes: makePdf() }

/** A request and whether it works without a disk. If not, it may fail with an error and a refund. */
interface Kind {
  what: string
  needsNoDisk: boolean
  send(client: Client): Promise<ApiResponse>
}

/** Nothing can be written to the folders of temporary files, unpacked files and data. */
export const disk: Scenario = {
  name: 'disk',
  description:
    'The disk is full, or the folders for temporary files and the cache are read-only. The test sends ' +
    `${ROUNDS} requests of each kind. Each request works in memory, or gets a clear error and a refund.`,
  async run(context) {
    const scan = { name: 'scan.pdf', bytes: await makeScan([{ lines: ['CHAOS'] }]) }
    const kinds: Kind[] = [
      {
        what: 'a tool',
        needsNoDisk: true,
        send: client => client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 }),
      },
      {
        what: 'an invoice',
        needsNoDisk: true,
        send: client => client.sendJson('/api/external/invoice-generator/pdf', INVOICE_SAMPLES['invoice-classic']),
      },
      {
        what: 'text recognition in two languages',
        needsNoDisk: false,
        send: client => client.callTool('pdf-ocr', scan, { languages: ['eng', 'deu'], outputFormat: 'text' }),
      },
      {
        what: 'a web page',
        needsNoDisk: false,
        send: client => client.sendJson('/api/external/webpage-to-pdf/pdf', { html: '<h1>Chaos</h1>' }),
      },
    ]
    const log = new CallLog()
    const rows = [...(await withFileInTheWay(context, log, kinds)), ...(await withFullDisk(context, log, kinds))]
    const books = checkBooks(await context.environment.readBooks(), log)
    return [...rows, ...books, ...(context.database === 'pglite' ? await withFullData(context) : [])]
  },
}

/** Root can write everywhere except below a file. */
async function withFileInTheWay(context: Context, log: CallLog, kinds: Kind[]): Promise<Row[]> {
  const file = join(context.environment.dataDir, 'a-file')
  writeFileSync(file, '')
  return callAll(context, log, { kinds, place: 'no temporary folder', folder: join(file, 'below') })
}

async function withFullDisk(context: Context, log: CallLog, kinds: Kind[]): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-chaos-'))
  if (!mountSmall(folder, TEMPORARY_MIB)) return [unmountable('a full temporary folder')]
  try {
    fill(folder)
    return await callAll(context, log, { kinds, place: 'a full temporary folder', folder })
  } finally {
    await context.environment.stop()
    unmount(folder)
  }
}

async function callAll(
  { environment, times }: Context,
  log: CallLog,
  { kinds, place, folder }: { kinds: Kind[]; place: string; folder: string },
): Promise<Row[]> {
  await environment.stop()
  await environment.start({ TMPDIR: folder, CACHE_DIR: folder })
  const client = await environment.createClient(EMAIL, { credits: CREDITS })
  log.noteTopUp(EMAIL, CREDITS)
  const rows: Row[] = []
  for (const { what, needsNoDisk, send } of kinds) {
    const calls: SeenCall[] = []
    for (let round = 0, asked = times(ROUNDS); round < asked; round += 1)
      calls.push(await log.record(EMAIL, () => send(client)))
    rows.push(
      judge(
        `${place}: ${what} ${needsNoDisk ? 'works' : 'works, or fails in words'}`,
        calls.map(call => findProblem(call, needsNoDisk)),
        tellStatuses(calls),
      ),
    )
  }
  return rows
}

/**
 * The embedded database has no room to write. No file may be free, and with room and a restart, everything must be in
 * order.
 */
async function withFullData({ times }: Context): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-chaos-data-'))
  if (!mountSmall(dataDir, DATA_MIB)) return [unmountable('a full data folder')]
  const log = new CallLog()
  const prepared = await makeDataDir()
  cpSync(prepared, dataDir, { recursive: true })
  rmSync(prepared, { recursive: true })
  let service = await startService({ dataDir })
  try {
    const apiKey = await service.createKey(EMAIL, { credits: CREDITS })
    log.noteTopUp(EMAIL, CREDITS)
    const call = () =>
      log.record(EMAIL, () => createClient(service.base, apiKey).callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 }))
    const room = fill(dataDir)
    const during: SeenCall[] = []
    for (let round = 0, asked = Math.max(LEAST_CALLS, times(MOST_CALLS)); round < asked; round += 1)
      during.push(await call())
    log.noteKill(1)
    await service.kill()
    rmSync(room)
    service = await startService({ dataDir })
    const after = await call()
    await service.stop()
    return [
      judge('a full data folder: a file, or a failure in words', during.map(findFullProblem), tellStatuses(during)),
      judge('with room again and a new start it works', [
        after.status === 200 ? undefined : `${after.status ?? 'a broken connection'} ${after.error}`,
      ]),
      ...checkBooks(await readPgliteBooks(dataDir), log).map(row => ({
        ...row,
        what: `a full data folder: ${row.what}`,
      })),
    ]
  } finally {
    await service.stop()
    unmount(dataDir)
  }
}

function findFullProblem({ status, charged = 0, error }: SeenCall): string | undefined {
  const isRight = (status === 200 && charged === 1) || (status === 503 && charged === 0)
  return isRight ? undefined : `answered with ${status ?? 'a broken connection'} ${error}, charged ${charged}`
}

function tellStatuses(calls: SeenCall[]): string {
  const counts = new Map<string, number>()
  for (const { status } of calls)
    counts.set(String(status ?? 'a broken connection'), (counts.get(String(status ?? 'a broken connection')) ?? 0) + 1)
  return `answered with ${[...counts].map(([status, count]) => `${status} (${count})`).join(', ')}`
}

function findProblem({ status, charged, error }: SeenCall, needsNoDisk: boolean): string | undefined {
  if (status === 200 && charged === 1) return undefined
  const isCleanFailure = (status === 422 || status === 502 || status === 503) && charged === 0
  return isCleanFailure && !needsNoDisk
    ? undefined
    : `answered with ${status ?? 'a broken connection'} ${error}, charged ${charged}`
}

function unmountable(what: string): Row {
  return {
    what,
    done: 0,
    asked: 0,
    problems: [],
    skipped: "a small file system can't be mounted here; it takes Linux and root",
  }
}
