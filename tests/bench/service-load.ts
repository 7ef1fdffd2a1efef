import { setTimeout as wait } from 'node:timers/promises'
import { measureResidentBytes } from '../../engines/pool/process-figures'
import { Client, jsonBody, multipartBody, toolPath, type Body } from './client'
import { FILES } from './make-files'
import { formatMb, formatMs, median, print, printTable } from './report'
import type { RunningService } from './running-service'

const ROTATE = toolPath('rotate-pdf')

/**
 * Measures how much the web process grows above its idle size while it receives a 40 MB file, as a form and as JSON.
 */
export async function measureUploadMemory({ base, pid, apiKey }: RunningService): Promise<void> {
  const file = FILES.scans()
  print(
    `\nMemory of the web process above idle while rotate-pdf is called with ${formatMb(file.length)}, the most of ` +
      `${UPLOADS} calls`,
  )
  const client = new Client(base, apiKey)
  const rows = [['body', 'above idle', 'above idle / file']]
  try {
    for (let call = 0; call < SMALL_CALLS; call += 1)
      await client.succeed(ROTATE, multipartBody(FILES.letter(), { angle: 90 }))
    await wait(PAUSE_MS)
    const idle = (await measureResidentBytes(pid)) ?? 0
    for (const [name, body] of [
      ['multipart', multipartBody(file, { angle: 90 })],
      ['JSON', jsonBody(file, { angle: 90 })],
    ] as const) {
      const peaks: number[] = []
      for (let call = 0; call < UPLOADS; call += 1) peaks.push(await watchPeak(pid, client.succeed(ROTATE, body)))
      const above = Math.max(...peaks) - idle
      rows.push([name, formatMb(above), (above / file.length).toFixed(2)])
      await wait(PAUSE_MS)
    }
    printTable(rows)
  } finally {
    client.close()
  }
}

/**
 * Measures how long a small request takes beside a 100 MB upload and beside heavy engine work, compared with an idle
 * service.
 */
export async function measureNeighbors({ base, apiKey }: RunningService): Promise<void> {
  print('\nNeighbors: p50 of a 50 KB rotate-pdf, one call at a time')
  const small = multipartBody(FILES.letter(), { angle: 90 })
  const client = new Client(base, apiKey)
  const neighbor = new Client(base, apiKey, 1)
  try {
    await repeat(client, small, QUIET_MS)
    const quiet = await repeat(client, small, QUIET_MS)
    const beside = async (body: Body, path: string) => {
      const state = { isOver: false }
      const measured = repeat(client, small, LOUD_MS).finally(() => (state.isOver = true))
      const [ms, calls] = await Promise.all([measured, keepCalling(neighbor, path, body, state)])
      return { ms, calls }
    }
    const arriving = await beside(jsonBody(FILES.huge(), { angle: 90 }), ROTATE)
    const working = await beside(
      multipartBody(FILES.large(), { mode: 'ranges', ranges: MANY_PARTS }),
      toolPath('split-pdf'),
    )
    printTable([
      ['beside', 'p50', 'against quiet', 'neighbor calls'],
      ['nothing', formatMs(quiet), '1.00', '0'],
      [
        'a 100 MB JSON body that arrives, again and again',
        formatMs(arriving.ms),
        (arriving.ms / quiet).toFixed(2),
        arriving.calls,
      ],
      [
        `a large file split into 400 parts, for ${LOUD_MS / 1000} s`,
        formatMs(working.ms),
        (working.ms / quiet).toFixed(2),
        working.calls,
      ],
    ])
  } finally {
    client.close()
    neighbor.close()
  }
}

async function repeat(client: Client, body: Body, forMs: number): Promise<number> {
  const until = performance.now() + forMs
  const times: number[] = []
  while (performance.now() < until && times.length < MAX_CALLS) {
    times.push((await client.succeed(ROTATE, body)).ms)
    await wait(5) // The client pauses, because the neighbor must affect the service without filling it.
  }
  return median(times)
}

/**
 * Returns the number of requests and how many were refused. A busy machine may not finish them in time, but they still
 * cause load.
 */
async function keepCalling(client: Client, path: string, body: Body, state: { isOver: boolean }): Promise<string> {
  let calls = 0
  let refused = 0
  for (; !state.isOver && calls < MAX_CALLS; calls += 1)
    if ((await client.call(path, body)).status !== 200) refused += 1
  return refused === 0 ? String(calls) : `${calls}, ${refused} refused`
}

async function watchPeak(pid: number, work: Promise<unknown>): Promise<number> {
  const state = { isOver: false }
  const done = work.finally(() => (state.isOver = true))
  let peak = 0
  while (!state.isOver) {
    peak = Math.max(peak, (await measureResidentBytes(pid)) ?? 0)
    await wait(2)
  }
  await done
  return peak
}

const SMALL_CALLS = 50
const UPLOADS = 3
const PAUSE_MS = 2000
const QUIET_MS = 4000
const LOUD_MS = 10_000
const MAX_CALLS = 1500
const MANY_PARTS = Array.from({ length: 400 }, (_, index) => ({
  start: index * 6 + 1,
  end: Math.min(2400, index * 6 + 20),
}))
