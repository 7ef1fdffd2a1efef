import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, multipartBody, toolPath, type Body, type Reply } from './client'
import { FILES } from './make-files'
import { formatMs, median, print, printTable } from './report'
import type { RunningService } from './running-service'

const ROTATE = toolPath('rotate-pdf')
const ENGINE_PHASES = ['open', 'work', 'save']

/** What a small call costs beyond the engine's work, one at a time; and calls a second at 8 in parallel against a bare server. */
export async function measureServiceSpeed(service: RunningService, childPath: string): Promise<void> {
  const body = multipartBody(FILES.letter(), { angle: 90 })
  const bare = await startBare(childPath)
  const ours = new Client(service.base, service.apiKey)
  const theirs = new Client(bare.base, 'none')
  try {
    await inParallel(ours, body, WARM_UP_CALLS)
    await inParallel(theirs, body, WARM_UP_CALLS)
    await measureOverhead(ours, theirs, body)
    await measureThroughput(ours, theirs, body)
  } finally {
    ours.close()
    theirs.close()
    await bare.stop()
  }
}

async function measureOverhead(ours: Client, theirs: Client, body: Body): Promise<void> {
  print(`\nOverhead: rotate-pdf, ${Math.round(body.bytes.length / 1000)} KB multipart, one call at a time on Postgres, p50 of ${SINGLE_CALLS}`)
  const replies: Reply[] = []
  const bareMs: number[] = []
  for (let index = 0; index < SINGLE_CALLS; index += 1) {
    replies.push(await ours.succeed(ROTATE, body))
    bareMs.push((await theirs.succeed(ROTATE, body)).ms)
  }
  const total = median(replies.map(({ ms }) => ms))
  const engine = median(replies.map(({ timings }) => sumOf(timings, ENGINE_PHASES)))
  const over = median(replies.map(({ ms, timings }) => ms - sumOf(timings, ENGINE_PHASES)))
  printTable([
    ['total', 'engine (open, work, save)', 'over the engine', 'bare server, total', 'over the bare server'],
    [formatMs(total), formatMs(engine), formatMs(over), formatMs(median(bareMs)), formatMs(total - median(bareMs))],
  ])
  const phases = [...new Set(replies.flatMap(({ timings }) => Object.keys(timings)))]
  print(`  phases: ${phases.map(phase => `${phase} ${formatMs(median(replies.map(({ timings }) => timings[phase] ?? 0)))}`).join(', ')}`)
}

async function measureThroughput(ours: Client, theirs: Client, body: Body): Promise<void> {
  print(`\nThroughput: the same call, 8 in parallel, ${ROUNDS} rounds of ${ROUND_CALLS} calls each way in turn`)
  const rates: { service: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push({ service: await inParallel(ours, body, ROUND_CALLS), bare: await inParallel(theirs, body, ROUND_CALLS) })
  }
  printTable([
    ['service, calls/s', 'bare server, calls/s', 'service/bare'],
    [
      median(rates.map(({ service }) => service)).toFixed(0),
      median(rates.map(({ bare }) => bare)).toFixed(0),
      median(rates.map(({ service, bare }) => service / bare)).toFixed(2),
    ],
  ])
}

/** Calls a second. */
async function inParallel(client: Client, body: Body, calls: number): Promise<number> {
  const since = performance.now()
  let left = calls
  const work = async () => {
    while (left-- > 0) await client.succeed(ROTATE, body)
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return (calls * 1000) / (performance.now() - since)
}

async function startBare(childPath: string): Promise<{ base: string; stop(): Promise<void> }> {
  const [, script = ''] = process.argv
  const child = spawn(process.execPath, [script, 'bare', childPath], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_ENV: 'production' } })
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error('the bare server ended')))])) as [Buffer]
  const { port } = JSON.parse(String(line)) as { port: number } // printed by serveBare
  const stop = async () => {
    child.stdin.end()
    await ended
  }
  return { base: `http://127.0.0.1:${port}`, stop }
}

const sumOf = (timings: Record<string, number>, phases: string[]) => phases.reduce((sum, phase) => sum + (timings[phase] ?? 0), 0)

const PARALLEL = 8
const WARM_UP_CALLS = 400
const SINGLE_CALLS = 300
const ROUNDS = 5
const ROUND_CALLS = 400
