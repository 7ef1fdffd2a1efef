import { eventually, sendRequest } from '../../../contract/client'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, type Context, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { isInTime } from '../patience'
import { type CallKind, type Customer, startLoad } from '../load'

const ROUNDS = 20
const CLIENTS = 16
const CREDITS = 1_000_000
/** The server still accepts requests for so long after the signal, and says that it isn't ready. */
const NOTICE_MS = 3000
/** The signal comes after at most so many responses for each client. */
const MOST_RESPONSES = 5
/** ECONNREFUSED: nothing listens on the port anymore, so the request was never accepted. */
const NOT_ACCEPTED = 'ECONNREFUSED'

/** The server gets SIGTERM while clients send requests. */
export const ledgerSigterm: Scenario = {
  name: 'ledger-sigterm',
  quickOn: 'postgres',
  description:
    `The server gets SIGTERM ${ROUNDS} times while ${CLIENTS} clients send requests. It reports that it is not ready, ` +
    'finishes accepted requests and exits with code 0. Every charge is settled.',
  async run(context) {
    const { environment, times } = context
    const log = new CallLog()
    await environment.start({ DRAIN_DELAY_MS: String(NOTICE_MS) })
    const email = 'ending@example.test'
    const { apiKey } = await environment.createClient(email, { credits: CREDITS })
    log.noteTopUp(email, CREDITS)
    const rounds: Round[] = []
    for (let round = 0, asked = times(ROUNDS); round < asked; round += 1) {
      if (round > 0) await environment.start()
      rounds.push(await endUnderLoad(context, log, { email, apiKey }))
    }
    const ends = rounds.flatMap(({ ends }) => ends)
    const delivered = log.of(undefined, ({ status }) => status === 200).length
    return [
      judge(
        'not ready from the signal on',
        rounds.map(({ readiness }) => readiness),
      ),
      judge(
        'calls under way are answered with their files',
        rounds.flatMap(({ underWay }) => underWay.map(findUnderWayProblem)),
        `${delivered} files in all`,
      ),
      judge(
        'later ones are refused in words, or find the port closed',
        ends.map(call => findLateProblem(call, context)),
        `${ends.filter(call => isAtClosing(call, context)).length} met the very moment in which the port closed`,
      ),
      judge(
        'it ends with exit code 0',
        rounds.map(({ exitCode }) => (exitCode === 0 ? undefined : `exit code ${exitCode}`)),
      ),
      ...checkBooks(await environment.readBooks(), log),
    ]
  },
}

/** A request after the signal, with its delay, and whether a later request got a response. */
type LateCall = SeenCall & { afterMs: number; isPortOpenLater: boolean }

/**
 * The system resets a connection that arrives between the service's last accept and the closing of its port. The
 * service never saw that connection. A connection that the service accepted and dropped would have been open for
 * longer.
 */
const CLOSING_MS = 100

interface Round {
  readiness: string | undefined
  /** Requests that were sent before the signal and ended after it. */
  underWay: SeenCall[]
  /** Requests that were sent after the signal. */
  ends: LateCall[]
  exitCode: number | null
}

async function endUnderLoad({ environment, random }: Context, log: CallLog, customer: Customer): Promise<Round> {
  const { base, pid } = environment.service()
  const choose = (): CallKind => (random() < 0.7 ? 'good' : 'slow')
  const calls: SeenCall[] = []
  const load = startLoad({
    base,
    log,
    customers: [customer],
    clients: CLIENTS,
    choose,
    onCall: call => calls.push(call),
  })
  const responses = CLIENTS * (1 + random() * (MOST_RESPONSES - 1))
  await eventually(
    () => Promise.resolve(calls.length),
    count => count >= responses,
  )
  const signalMs = performance.now()
  process.kill(pid, 'SIGTERM')
  const readiness = await findReadinessProblem(base)
  await load.ended
  const exitCode = await environment.stop()
  const lastOpenMs = Math.max(...calls.filter(({ status }) => status !== undefined).map(({ sentAtMs }) => sentAtMs))
  const late = calls
    .filter(call => call.sentAtMs >= signalMs)
    .map(call => ({ ...call, afterMs: call.sentAtMs - signalMs, isPortOpenLater: call.sentAtMs < lastOpenMs }))
  return {
    readiness,
    exitCode,
    underWay: calls.filter(call => call.sentAtMs < signalMs && call.endedAtMs > signalMs),
    ends: late,
  }
}

async function findReadinessProblem(base: string): Promise<string | undefined> {
  for (let last = 0; ;) {
    const response = await sendRequest(base, { path: '/api/ready', method: 'GET' }).catch((error: unknown) =>
      String(error),
    )
    if (typeof response === 'string') return `the probe said ${last} and then ${response}`
    if (response.status === 503 && response.json['reason'] === 'draining') return undefined
    last = response.status
  }
}

/** The service may refuse a request whose head it had not read at the signal, before it authenticates the request. */
function findUnderWayProblem(call: SeenCall): string | undefined {
  const isAtTheDoor = call.status === 503 && call.charged === undefined
  return call.status === 200 || isAtTheDoor
    ? undefined
    : `sent before the signal, ended with ${call.status ?? 'a broken connection'} ${call.error}`
}

function isAtClosing(
  { status, error, sentAtMs, endedAtMs, isPortOpenLater }: LateCall,
  context: Pick<Context, 'isQuick'>,
): boolean {
  const isReset = status === undefined && error === 'ECONNRESET'
  return isReset && !isPortOpenLater && isInTime(context, endedAtMs - sentAtMs, CLOSING_MS)
}

function findLateProblem(call: LateCall, context: Pick<Context, 'isQuick'>): string | undefined {
  const isFine =
    call.status === 200 ||
    (call.status === 503 && call.error === 'service_unavailable') ||
    (call.status === undefined && call.error === NOT_ACCEPTED) ||
    isAtClosing(call, context)
  return isFine
    ? undefined
    : `sent ${call.afterMs.toFixed(0)} ms after the signal, ended ${(call.endedAtMs - call.sentAtMs).toFixed(0)} ms ` +
        `later with ${call.status ?? 'a broken connection'} ${call.error}`
}
