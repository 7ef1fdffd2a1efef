import { type ApiResponse, type Client, eventually, sendRequest } from '../../../contract/client'
import { startCanary } from '../../../support/site'
import { mutate } from '../../mutate'
import { CallLog } from '../call-log'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { checkBooks } from '../invariants'
import { describeBytes, findPeak, watchMemory } from '../memory'
import { FileJudge, FIRST_FILE, listOddFiles, listOriginals, type OddFile, SIX_TOOLS, SMALL_FILE } from '../odd-files'
import { isInTime, patience } from '../patience'
import { listEngines } from '../processes'

const MUTANTS = 10_000
const SHARES = 10
const SHARE = MUTANTS / SHARES
const CREDITS = 1_000_000
const EMAIL = 'odd-files@example.test'
/** The number of simultaneous files. Each goes to its tools one after the other. */
const SENT_AT_ONCE = 4
/** After this many files the service must process a normal request in time. */
const BATCH = 20
const CALL_MS = 10_000
const CONTROL_MS = 1000
const MOST_BYTES = 2_000_000_000
const FILE_RULE =
  `Each request returns a file that other programs can open, or a free 422, within ${CALL_MS / 1000} s. The server and its ` +
  `engine processes together use at most ${(MOST_BYTES / 1_000_000).toLocaleString('en')} MB.`

/** Sends harmful files through the running service. */
export const filesHostile: Scenario = {
  name: 'files-hostile',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    'Compression bombs, loops, damaged and encrypted files, and files with scripts or URLs, in ' +
    `${SIX_TOOLS.length} tools. ${FILE_RULE}`,
  async run(context) {
    const canary = await startCanary()
    try {
      const all = listOddFiles({ host: `127.0.0.1:${canary.port}` })
      // A short run selects some of each kind, because the list is grouped by kind.
      const step = all.length / context.times(all.length)
      const chosen = Array.from(
        { length: context.times(all.length) },
        (_, index) => all[Math.floor(index * step)],
      ).filter(make => make !== undefined)
      const rows = await sendAll(context, chosen)
      return [...rows, judge('nothing that a file points to is asked for', [canary.touched[0]])]
    } finally {
      await canary.close()
    }
  },
}

/** Sends randomly changed files through the running service, a tenth of them in each scenario. */
export const filesMutants: Scenario[] = Array.from({ length: SHARES }, (_, share) => ({
  name: `files-mutants-${share}`,
  series: {
    name: 'files-mutants',
    description: `${MUTANTS.toLocaleString('en')} mutated files in ${SIX_TOOLS.length} tools. ${FILE_RULE}`,
    count: SHARES,
  },
  databases: ['pglite'],
  description: `Mutated files ${(share * SHARE).toLocaleString('en')} to ${((share + 1) * SHARE - 1).toLocaleString('en')} in ${SIX_TOOLS.length} tools. ${FILE_RULE}`,
  run(context) {
    const originals = listOriginals(context.corpus)
    return sendAll(
      context,
      Array.from({ length: context.times(SHARE) }, (__, index) => (): OddFile => {
        const seed = share * SHARE + index
        const original = originals[seed % originals.length]
        const { file, changes } = mutate(original?.read() ?? Buffer.alloc(0), seed)
        return { name: `mutant ${seed} of ${original?.name} (${changes.join(', ')})`, bytes: file }
      }),
    )
  },
}))

interface Outcome {
  file: OddFile
  toolId: string
  status: number | undefined
  elapsedMs: number
  problem: string | undefined
}

async function sendAll({ environment, tell, isQuick }: Context, files: (() => OddFile)[]): Promise<Row[]> {
  const log = new CallLog()
  const { base, pid } = await environment.start()
  const client = await environment.createClient(EMAIL, { credits: CREDITS })
  log.noteTopUp(EMAIL, CREDITS)
  await untilRest(base)
  const memory = watchMemory(pid, { listOthers: listEngines })
  const outcomes: Outcome[] = []
  const controls: (string | undefined)[] = []
  const fileJudge = new FileJudge()
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH)
    const workers = Array.from({ length: SENT_AT_ONCE }, async () => {
      for (let make = batch.shift(); make !== undefined; make = batch.shift())
        outcomes.push(...(await sendToTools({ client, log, fileJudge }, make())))
    })
    await Promise.all(workers)
    controls.push(await control(client, log, isQuick))
    if ((at / BATCH) % TOLD_BATCHES === TOLD_BATCHES - 1) tell(`${at + batch.length} files of ${files.length}`)
  }
  memory.stop()
  fileJudge.close()
  const peak = findPeak(memory)
  const slowest = outcomes.toSorted((a, b) => b.elapsedMs - a.elapsedMs)[0]
  const taken = outcomes.filter(({ status }) => status === 200).length
  return [
    judge(
      'a file that others open, or 422 for free',
      outcomes.map(({ problem, toolId, file }) => problem && `${toolId}, ${file.name}: ${problem}`),
      `${files.length} files, ${taken} of ${outcomes.length} calls made a ` +
        `file${fileJudge.hasQpdf ? '' : '; judged without qpdf'}`,
    ),
    ...(isQuick
      ? []
      : [
          judge(
            `an answer within ${CALL_MS / 1000} s`,
            outcomes.map(({ elapsedMs, toolId, file }) =>
              elapsedMs <= CALL_MS * patience() ? undefined : `${toolId}, ${file.name}: ${elapsedMs.toFixed(0)} ms`,
            ),
            `${slowest?.elapsedMs.toFixed(0)} ms at most: ${slowest?.toolId}, ${slowest?.file.name}`,
          ),
        ]),
    judge(
      `an ordinary call after every ${BATCH} files works${isQuick ? '' : ` within ${CONTROL_MS / 1000} s`}`,
      controls,
    ),
    peak === 0
      ? { what: 'memory', done: 0, asked: 0, problems: [], skipped: 'there is no /proc here' }
      : judge(
          `service and engines together hold ${describeBytes(MOST_BYTES)} at most`,
          [peak <= MOST_BYTES ? undefined : describeBytes(peak)],
          `${describeBytes(peak)} at most, ${describeBytes(memory.looks[0]?.bytes ?? 0)} before`,
        ),
    ...checkBooks(await environment.readBooks(), log),
  ]
}

const TOLD_BATCHES = 5

interface Sender {
  client: Client
  log: CallLog
  fileJudge: FileJudge
}

/** One request to each tool. All their files have the same number of pages if they come from the same file. */
async function sendToTools({ client, log, fileJudge }: Sender, file: OddFile): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const sent = await fileJudge.check(file.bytes)
  let pages = file.pages
  const upload = { name: 'odd.pdf', bytes: file.bytes }
  for (const { toolId, options, isSecond = false } of SIX_TOOLS) {
    const { response, call } = await record(log, () =>
      client.callToolAsForm(toolId, isSecond ? [FIRST_FILE, upload] : upload, options),
    )
    let problem = findStatusProblem(response, call.error, file)
    if (response?.status === 200 && problem === undefined) {
      const counted = await fileJudge.countPages(response.bytes)
      const own = typeof counted === 'number' ? counted - (isSecond ? 1 : 0) : counted
      if (typeof own === 'string') problem = own
      else if (pages !== undefined && own !== pages) problem = `${own} pages in place of ${pages}`
      else pages = own
      const got = await fileJudge.check(response.bytes)
      if (got.grade > sent.grade)
        problem ??= `qpdf says of the file that came ${JSON.stringify(sent)}, of the answer ${JSON.stringify(got)}`
    }
    outcomes.push({ file, toolId, status: call.status, elapsedMs: call.endedAtMs - call.sentAtMs, problem })
  }
  return outcomes
}

function findStatusProblem(response: ApiResponse | undefined, error: string, { expects }: OddFile): string | undefined {
  if (response === undefined) return `a broken connection: ${error}`
  const isRefused = response.status === 422 && error === 'pdf_tool_processing_failed' && response.charged === 0
  const isTaken = response.status === 200 && response.charged === 1
  if (!isRefused && !isTaken) return `${response.status} ${error}, charged ${response.charged}`
  if (isTaken && expects === 'refused') return 'it was taken'
  return isRefused && expects === 'taken' ? `it was refused: ${String(response.json['message'])}` : undefined
}

async function control(client: Client, log: CallLog, isQuick: boolean): Promise<string | undefined> {
  const { call } = await record(log, () => client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 }))
  const elapsedMs = call.endedAtMs - call.sentAtMs
  return call.status === 200 && isInTime({ isQuick }, elapsedMs, CONTROL_MS)
    ? undefined
    : `${call.status ?? 'a broken connection'} ${call.error} after ${elapsedMs.toFixed(0)} ms`
}

async function record(log: CallLog, send: () => Promise<ApiResponse>) {
  let response: ApiResponse | undefined
  const call = await log.record(EMAIL, async () => (response = await send()))
  return { response, call }
}

/** The memory before the first file is the idle memory: the browser has started and its unpacking is done. */
async function untilRest(base: string): Promise<void> {
  await eventually(
    async () => JSON.stringify((await sendRequest(base, { path: '/api/health', method: 'GET' })).json['browser']),
    browser => browser.includes('"ready"'),
    REST_MS,
  )
}

const REST_MS = 120_000
