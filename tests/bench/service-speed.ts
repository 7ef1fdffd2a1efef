import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, multipartBody, toolPath, type Body, type Reply } from './client'
import { FILES } from './make-files'
import { measureProcessTime } from './process-time'
import { against, atLeast, formatMs, median, print, printTable } from './report'
import { startEmbedded, type RunningService } from './running-service'

const ROTATE = toolPath('rotate-pdf')
const ENGINE_PHASES = ['open', 'work', 'save']

/** Milliseconds, except for the share of the bare server's requests per second. */
const GOALS = { overEngine: 1.6, shareOfBare: 0.65, processor: 0.9, processorEmbedded: 2 }

/**
 * Measures the overhead of a small request beyond the engine's work, one at a time. Then compares requests per second
 * at 8 in parallel with a bare server. Last, measures the CPU time of a request at 64 in parallel on the embedded
 * database, whose statements run in the web process.
 */
export async function measureServiceSpeed(service: RunningService, childPath: string): Promise<void> {
  const body = multipartBody(FILES.letter(), { angle: 90 })
  const bare = await startBare(childPath)
  const ours = new Client(service.base, service.apiKey)
  const theirs = new Client(bare.base, 'none')
  try {
    await inParallel(ours, body, WARM_UP_CALLS)
    await inParallel(theirs, body, WARM_UP_CALLS)
    await measureOverhead(ours, theirs, body)
    await measureThroughput({ client: ours, pid: service.pid }, { client: theirs, pid: bare.pid }, body)
  } finally {
    ours.close()
    theirs.close()
    await bare.stop()
  }
  await measureEmbedded(body)
}

async function measureOverhead(ours: Client, theirs: Client, body: Body): Promise<void> {
  print(
    `\nOverhead: rotate-pdf, ${Math.round(body.bytes.length / 1000)} KB multipart, one call at a time on Postgres, ` +
      `p50 of ${SINGLE_CALLS}`,
  )
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
    [
      formatMs(total),
      formatMs(engine),
      `${against(over, GOALS.overEngine)} ms`,
      formatMs(median(bareMs)),
      formatMs(total - median(bareMs)),
    ],
  ])
  const phases = [...new Set(replies.flatMap(({ timings }) => Object.keys(timings)))]
  print(
    `  phases: ${phases.map(phase => `${phase} ${formatMs(median(replies.map(({ timings }) => timings[phase] ?? 0)))}`).join(', ')}`,
  )
}

interface Side {
  client: Client
  pid: number
}

async function measureThroughput(ours: Side, theirs: Side, body: Body): Promise<void> {
  print(
    `\nThroughput: the same call, ${PARALLEL} in parallel, ${ROUNDS} rounds of ${ROUND_CALLS} calls each way in turn`,
  )
  const rates: { service: Round; bare: Round }[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    rates.push({ service: await runRound(ours, body), bare: await runRound(theirs, body) })
  const middleOf = (read: (round: { service: Round; bare: Round }) => number) => median(rates.map(read))
  printTable([
    ['service, calls/s', 'bare server, calls/s', 'service/bare', 'processor time a call, web process', 'bare server'],
    [
      middleOf(({ service }) => service.rate).toFixed(0),
      middleOf(({ bare }) => bare.rate).toFixed(0),
      atLeast(
        middleOf(({ service, bare }) => service.rate / bare.rate),
        GOALS.shareOfBare,
      ),
      `${against(
        middleOf(({ service }) => service.processorMs),
        GOALS.processor,
      )} ms`,
      formatMs(middleOf(({ bare }) => bare.processorMs)),
    ],
  ])
}

async function measureEmbedded(body: Body): Promise<void> {
  print(
    `\nEmbedded database: the same call, ${EMBEDDED_PARALLEL} in parallel, ${ROUNDS} rounds of ${ROUND_CALLS} calls`,
  )
  const service = await startEmbedded()
  const client = new Client(service.base, service.apiKey, EMBEDDED_PARALLEL)
  try {
    await inParallel(client, body, WARM_UP_CALLS, EMBEDDED_PARALLEL)
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await runRound({ client, pid: service.pid }, body, EMBEDDED_PARALLEL))
    printTable([
      ['calls/s', 'processor time a call, web process'],
      [
        median(rounds.map(({ rate }) => rate)).toFixed(0),
        `${against(median(rounds.map(({ processorMs }) => processorMs)), GOALS.processorEmbedded)} ms`,
      ],
    ])
  } finally {
    client.close()
    await service.stop()
  }
}

interface Round {
  /** Requests per second. */
  rate: number
  /** Milliseconds of CPU time of the server's own process per request. */
  processorMs: number
}

/** One round on one side. Engine processes that the other side's round has worn out are replaced first. */
async function runRound({ client, pid }: Side, body: Body, parallel = PARALLEL): Promise<Round> {
  await wait(PAUSE_MS)
  const before = measureProcessTime(pid)
  const rate = await inParallel(client, body, ROUND_CALLS, parallel)
  return { rate, processorMs: (measureProcessTime(pid) - before) / ROUND_CALLS }
}

/** Requests per second. */
async function inParallel(client: Client, body: Body, calls: number, parallel = PARALLEL): Promise<number> {
  const since = performance.now()
  let left = calls
  const work = async () => {
    while (left-- > 0) await client.succeed(ROTATE, body)
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return (calls * 1000) / (performance.now() - since)
}

async function startBare(childPath: string): Promise<{ base: string; pid: number; stop(): Promise<void> }> {
  const [, script = ''] = process.argv
  const child = spawn(process.execPath, [script, 'bare', childPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the bare server ended'))),
  ])) as [Buffer]
  const { port } = JSON.parse(String(line)) as { port: number } // serveBare prints this.
  const stop = async () => {
    child.stdin.end()
    await ended
  }
  return { base: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop }
}

const sumOf = (timings: Record<string, number>, phases: string[]) =>
  phases.reduce((sum, phase) => sum + (timings[phase] ?? 0), 0)

const PARALLEL = 8
const EMBEDDED_PARALLEL = 64
const WARM_UP_CALLS = 400
const SINGLE_CALLS = 300
const ROUNDS = 5
const ROUND_CALLS = 400
/** A fresh engine process is warm after half of the round. */
const PAUSE_MS = 1000
