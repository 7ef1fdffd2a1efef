import {
  type Client,
  createClient,
  eventually,
  readCalls,
  sendRequest,
  slowSplit,
  toolPath,
  type Upload,
  writeToolBody,
} from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { openWire, type Wire, writeHead } from '../../../contract/wire'
import { CallLog } from '../call-log'
import { type Scenario, judge, type Row } from '../scenario'
import { checkBooks } from '../invariants'
import { countDescriptors } from '../processes'

const ROUNDS = 20
const CREDITS = 1000
/** Connections to the database and of probes may open and close. */
const SPARE_DESCRIPTORS = 10

const SMALL: Upload = { name: 'small.pdf', bytes: makePdf() }
const LONG: Upload = { name: 'long.pdf', bytes: makePdf({ pages: 100 }) }
/** The response is larger than any system buffer, so the service is still writing when its client disconnects. */
const HUGE: Upload = { name: 'huge.pdf', bytes: makePdf({ ballastBytes: 24 * 2 ** 20 }) }

const ROTATE = { path: toolPath('rotate-pdf'), body: JSON.stringify(writeToolBody(SMALL, { angle: 90 })) }
const ROTATE_HUGE = { path: toolPath('rotate-pdf'), body: JSON.stringify(writeToolBody(HUGE, { angle: 90 })) }
const SPLIT = { path: toolPath('split-pdf'), body: JSON.stringify(writeToolBody(LONG, slowSplit(600))) }

interface Scene {
  client: Client
  log: CallLog
  email: string
}

/** Each function connects, reaches its stage of a request, and returns the connection to close. */
const STAGES: Record<string, (scene: Scene) => Promise<Wire>> = {
  'after the head': scene => send(scene, ROTATE, 0),
  'amid the body': scene => send(scene, ROTATE_HUGE, HUGE.bytes.length / 2),
  'while it waits for its turn': async scene => {
    const running = scene.log.record(scene.email, () => scene.client.callTool('split-pdf', LONG, slowSplit(300)))
    await untilCalls(scene, ({ running }) => running > 0)
    const wire = await send(scene, ROTATE)
    await untilCalls(scene, ({ waiting }) => waiting > 0)
    void running.then(() => {})
    return wire
  },
  'while the engine works': async scene => {
    const before = await scene.client.balance()
    const wire = await send(scene, SPLIT)
    await eventually(
      () => scene.client.balance(),
      balance => balance === before - 1,
    )
    return wire
  },
  'amid the answer': async scene => {
    const wire = await send(scene, ROTATE_HUGE, 0)
    wire.socket.once('data', () => wire.pause())
    await wire.write(ROTATE_HUGE.body)
    await eventually(
      () => Promise.resolve(wire.socket.bytesRead),
      bytes => bytes > 0,
      30_000,
    )
    return wire
  },
}

/** The client disconnects in every stage of a request. */
export const clientGone: Scenario = {
  name: 'client-gone',
  quickOn: 'pglite',
  description:
    `A client disconnects in each of ${Object.keys(STAGES).length} stages of a request, ${ROUNDS} times each. The request is ` +
    'free, the next request works, and no memory or file stays in use.',
  async run({ environment, times }) {
    const log = new CallLog()
    // The account's concurrency limit is 1, so a second request waits.
    await environment.start({ KEY_CONCURRENCY: '1' })
    const { base, pid } = environment.service()
    const email = 'leaving@example.test'
    const { apiKey } = await environment.createClient(email, { credits: CREDITS })
    log.noteTopUp(email, CREDITS)
    const scene = { client: createClient(base, apiKey), log, email }
    await callOnce(scene)
    const descriptors = countDescriptors(pid, isCounted)
    const rows: Row[] = []
    for (const [stage, reach] of Object.entries(STAGES)) {
      const problems: (string | undefined)[] = []
      for (let round = 0, asked = times(ROUNDS); round < asked; round += 1) problems.push(await leave(scene, reach))
      rows.push(judge(`a client that hangs up ${stage} pays nothing, and its next call works`, problems))
    }
    const leaks = [await findLeak(base), await findDescriptorLeak(pid, descriptors)]
    return [
      ...rows,
      judge('nothing is left: no call, no engine, no connection', leaks),
      ...checkBooks(await environment.readBooks(), log),
    ]
  },
}

async function leave(scene: Scene, reach: (scene: Scene) => Promise<Wire>): Promise<string | undefined> {
  const charged = () => scene.log.of(scene.email, ({ charged }) => charged === 1).length
  const before = (await scene.client.balance()) + charged()
  const wire = await reach(scene)
  wire.response.catch(() => {})
  wire.hangUp()
  await untilCalls(scene, ({ running, waiting }) => running + waiting === 0)
  const balance = await eventually(
    () => scene.client.balance(),
    balance => balance + charged() === before,
  ).catch((error: unknown) => String(error))
  if (typeof balance === 'string') return `${balance}, ${before} with what was charged for other calls`
  return callOnce(scene)
}

/** A request that must succeed. */
async function callOnce({ client, log, email }: Scene): Promise<string | undefined> {
  const { status, error } = await log.record(email, () => client.callTool('rotate-pdf', SMALL, { angle: 90 }))
  return status === 200 ? undefined : `the next call was answered with ${status ?? 'a broken connection'} ${error}`
}

/** Sends a request's head and this many bytes of its body. */
async function send(
  { client }: Scene,
  { path, body }: { path: string; body: string },
  bytes = body.length,
): Promise<Wire> {
  const wire = await openWire(client.base)
  await wire.write(
    writeHead(path, {
      'x-api-key': client.apiKey,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
  )
  if (bytes > 0) await wire.write(body.slice(0, bytes))
  return wire
}

function untilCalls(
  { client }: Scene,
  isSo: (calls: { running: number; waiting: number }) => boolean,
): Promise<unknown> {
  return eventually(() => readCalls(client.base), isSo, 30_000)
}

async function findLeak(base: string): Promise<string | undefined> {
  const isIdle = ({ calls, engines }: State) => calls.running + calls.waiting + engines.busy + engines.waiting === 0
  return eventually(
    async () => (await sendRequest(base, { path: '/api/health', method: 'GET' })).json as unknown as State,
    isIdle,
  ).then(() => undefined, String)
}

/** The documented format of the health probe. */
interface State {
  calls: { running: number; waiting: number }
  engines: { busy: number; waiting: number }
}

/** Idle connections end by themselves some seconds later. */
async function findDescriptorLeak(pid: number, before: number): Promise<string | undefined> {
  return eventually(
    () => Promise.resolve(countDescriptors(pid, isCounted)),
    after => !(after > before + SPARE_DESCRIPTORS),
  ).then(
    () => undefined,
    (error: unknown) => `${before} descriptors were open at the beginning, ${String(error)}`,
  )
}

/** The embedded database opens its files when it first needs them. */
function isCounted(target: string): boolean {
  return !target.includes('/db/')
}
