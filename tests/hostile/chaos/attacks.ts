import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, slowSplit, toolPath, toPart, writeToolBody } from '../../contract/client'
import { makePdf } from '../../contract/documents'
import { openWire, type Wire, writeHead } from '../../contract/wire'
import { makeSharedImage } from '../../fixtures/shared-image'
import { SMALL_FILE } from './odd-files'
import { makePageArchives } from './page-archives'

/** The target of an attack, its key, and its size. */
export interface AttackSettings {
  base: string
  apiKey: string
  /** The number of simultaneous requests. */
  connections: number
  /** Keys of further accounts. Each key has that many requests. */
  otherKeys?: string[]
  /** The size of each request's body for attacks with bodies, in units of 10^6 bytes. */
  megabytes?: number
}

/** A running attack. */
interface AttackRun {
  /** Fires when the attack must end. */
  signal: AbortSignal
  /** Reports that the attack has begun. */
  begin(): void
  /** Counts the result of a request. */
  note(outcome: string): void
}

type Attack = (settings: AttackSettings, run: AttackRun) => Promise<void>

const PAUSE_MS = 1000
/** Long requests have begun by then. */
const UNDER_WAY_MS = 3000
/** The delay before a refused request is repeated, whatever Retry-After says. */
const REFUSED_MS = 50
const BYTE_EVERY_MS = 4000
const READ_BYTES = 1024
/**
 * Longer than a service should wait for the body. After the disconnect, the client can still read buffered data for a
 * long time.
 */
const READ_FOR_MS = 60_000
const MEGABYTE = 1e6
const WEBPAGE = '/api/external/webpage-to-pdf/pdf'
const ENDLESS_PAGE = { html: '<!doctype html><title>Busy</title><script>for (;;) Math.random()</script>' }
/** 1.3 MB of this document's first page are incompressible. 46 copies of its pages are 60 MB. */
const HEAVY = { name: 'heavy.pdf', bytes: makePdf({ pages: 20, ballastBytes: 1_300_000 }) }
const COPIES = 46
/** 12 MB that every page shows. A split into pages has them in every part, so it has 360 MB. */
const makeShared = () => ({ name: 'shared.pdf', bytes: makeSharedImage({ pages: 30, side: 3500 }) })
const DOWNLOAD_BYTES = 128 * 1024
const LONG = { name: 'long.pdf', bytes: makePdf({ pages: 100 }) }
const LONG_PARTS = 1000
const LEAVE_AFTER_MS = 1000

const MCP_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const MCP_BATCH = 20
const MCP_CALLS = Array.from({ length: MCP_BATCH }, (_, id) =>
  describeToolCall(id, 'rotate_pdf', writeToolBody(SMALL_FILE, { angle: 90 })),
)
const MCP_CANCELLATION = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } }

function describeToolCall(id: number, name: string, input: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } }
}

/** Attacks of one customer on others, by name. */
export const ATTACKS = {
  /** Sends small requests without a pause. */
  flood: keepSending(client => client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 })),
  /** Sends requests that keep an engine busy for seconds, and repeats them at once whatever the response is. */
  longWork: keepSending(client => client.callTool('split-pdf', LONG, slowSplit(LONG_PARTS))),
  /** Prints pages that compute until Sheaf ends them. */
  endlessPages: keepSending(client => client.sendJson(WEBPAGE, ENDLESS_PAGE)),
  /** Prints zipped pages that are refused after as much work as possible. */
  pageArchives(settings, run) {
    const archives = makePageArchives()
    let next = 0
    const send = (client: Client) => {
      const bytes = archives[next++ % archives.length] ?? Buffer.alloc(0)
      return client.sendForm(WEBPAGE, [toPart('file', { name: 'page.zip', bytes })])
    }
    return keepSending(send)(settings, run)
  },
  /** Announces large bodies, sends nine tenths of each at once and then a byte every 4 s. */
  uploads: keepConnecting(async (wire, { apiKey, megabytes = 1 }, { signal, begin }) => {
    const length = Math.round(megabytes * MEGABYTE)
    const headers = { 'x-api-key': apiKey, 'Content-Type': 'application/json', 'Content-Length': String(length) }
    const start = '{"file":{"name":"a.pdf","dataBase64":"'
    await wire.write(writeHead(toolPath('rotate-pdf'), headers) + start)
    await wire.write(Buffer.alloc(Math.round(length * 0.9), 'A'))
    begin()
    while (!signal.aborted && (await wire.write('A'))) await pause(BYTE_EVERY_MS, signal, wire)
  }),
  /** Requests large files and reads 1 KiB/s of each. */
  slowReaders: keepConnecting(async (wire, { apiKey }, { signal, begin }) => {
    wire.pause()
    await writeSplit(wire, apiKey, writeToolBody(HEAVY, slowSplit(COPIES)))
    begin()
    for (let left = READ_FOR_MS; left > 0 && !signal.aborted && wire.socket.writable; left -= PAUSE_MS) {
      await pause(PAUSE_MS, signal, wire)
      wire.socket.read(READ_BYTES)
    }
  }),
  /** Requests outputs of 360 MB and reads 128 KiB/s of each, which is fast enough not to be cut off. */
  largeDownloads: keepConnecting(async (wire, { apiKey }, { signal, begin }) => {
    wire.pause()
    await writeSplit(wire, apiKey, writeToolBody(makeShared(), { mode: 'pages' }))
    while (!signal.aborted && wire.socket.writable) {
      await pause(PAUSE_MS, signal, wire)
      if (wire.socket.read(DOWNLOAD_BYTES) !== null) begin()
    }
  }),
  /** Makes an engine work for a second and disconnects before the file is ready, so that the work is free. */
  leaving: keepConnecting(async (wire, { apiKey }, { signal, begin }) => {
    await writeSplit(wire, apiKey, writeToolBody(LONG, slowSplit(LONG_PARTS)))
    begin()
    await pause(LEAVE_AFTER_MS, signal, wire)
  }),
  /** Sends batches of tool calls and their cancellation over MCP. */
  mcpBatches: keepSending(client => sendMessage(client, [...MCP_CALLS, MCP_CANCELLATION])),
  /** Uses a tool over MCP and disconnects before the result is complete, so that the work is free. */
  mcpLeaving: keepConnecting(async (wire, { apiKey }, { signal, begin }) => {
    const body = JSON.stringify(describeToolCall(1, 'split_pdf', writeToolBody(LONG, slowSplit(LONG_PARTS))))
    await wire.write(
      writeHead('/mcp', { ...MCP_HEADERS, 'x-api-key': apiKey, 'Content-Length': `${body.length}` }) + body,
    )
    begin()
    await pause(LEAVE_AFTER_MS, signal, wire)
  }),
} satisfies Record<string, Attack>

function sendMessage(client: Client, message: unknown): ReturnType<Client['send']> {
  return client.send({ path: '/mcp', headers: MCP_HEADERS, body: JSON.stringify(message) })
}

async function writeSplit(wire: Wire, apiKey: string, content: object): Promise<void> {
  const body = JSON.stringify(content)
  const length = String(Buffer.byteLength(body))
  const headers = { 'x-api-key': apiKey, 'Content-Type': 'application/json', 'Content-Length': length }
  await wire.write(writeHead(toolPath('split-pdf'), headers) + body)
}

/** Sends requests one after the other on each connection. After a refusal, the next request follows a moment later. */
function keepSending(send: (client: Client) => ReturnType<Client['send']>): Attack {
  return async ({ base, apiKey, otherKeys = [], connections }, { signal, begin, note }) => {
    const work = async (client: Client) => {
      while (!signal.aborted) {
        const sent = send(client).then(describe, () => 'cut')
        const outcome = await Promise.race([sent, untilAborted(signal)])
        begin()
        if (outcome === undefined) return
        note(outcome)
        if (outcome !== '200') await wait(REFUSED_MS)
      }
    }
    const starting = setTimeout(begin, UNDER_WAY_MS)
    const clients = [apiKey, ...otherKeys].map(key => createClient(base, key))
    await Promise.all(clients.flatMap(client => Array.from({ length: connections }, () => work(client))))
    clearTimeout(starting)
  }
}

/** Runs the same work on this many connections. Work that ends restarts after a second. */
function keepConnecting(work: (wire: Wire, settings: AttackSettings, run: AttackRun) => Promise<void>): Attack {
  return async (settings, run) => {
    const keep = async () => {
      while (!run.signal.aborted) {
        const wire = await openWire(settings.base)
        await work(wire, settings, run)
        if (run.signal.aborted) return wire.hangUp()
        run.note(await Promise.race([wire.response.then(describe, () => 'cut'), wait(PAUSE_MS, 'left')]))
        wire.hangUp()
        await wait(PAUSE_MS)
      }
    }
    await Promise.all(Array.from({ length: settings.connections }, keep))
  }
}

/** A result as a text: the status and the error code. MCP has a number as code. */
function describe({ status, json }: Awaited<Wire['response']>): string {
  const error = json['error'] as string | { code: number } | undefined
  return status === 200 ? '200' : `${status} ${typeof error === 'object' ? error.code : String(error)}`
}

/** Waits, and stops early when the attack or the connection ends. */
async function pause(ms: number, signal: AbortSignal, { ended }: Wire): Promise<void> {
  await Promise.race([wait(ms), ended, untilAborted(signal)])
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
