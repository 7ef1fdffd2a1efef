import { setTimeout as wait } from 'node:timers/promises'
import { createClient, toolPath } from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, type Context, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { type AccountSession, signIn } from '../sign-in'

const ROTATIONS = 100
const RIVALRIES = 20
const CLIENTS = 20
const CREDITS = 1_000_000
const PASSWORD = 'a long password of the chaos runner'
const EMAIL = 'rotating@example.test'
/** The time of requests between two rotations, and the time with the old key after a rotation. */
const BETWEEN_MS = 60
const AFTER_MS = 40
const ROTATE = '/api/account/key/rotate'
const DOCUMENT = { name: 'small.pdf', bytes: makePdf({ pages: 1 }) }

/** A key is replaced while many clients use it. */
export const rotation: Scenario = {
  name: 'rotation',
  description:
    `A key is rotated ${ROTATIONS} times while ${CLIENTS} clients send requests. After the response of a rotation, no request with the ` +
    'old key works. Two ' +
    'simultaneous rotations leave one key.',
  async run(context) {
    const { environment, times } = context
    const log = new CallLog()
    const { base } = await environment.start()
    const { apiKey } = await environment.createClient(EMAIL, { credits: CREDITS, password: PASSWORD })
    log.noteTopUp(EMAIL, CREDITS)
    const session = await signIn(base, EMAIL, PASSWORD)
    const keys = { current: apiKey, isChanging: false, endedMs: new Map<string, number>() }
    const calls: KeyCall[] = []
    const state = { isOver: false }
    const clients = Promise.all(
      Array.from({ length: CLIENTS }, () => keepCalling(context, { log, keys, calls, state })),
    )
    const rotations: (string | undefined)[] = []
    for (let count = 0, asked = times(ROTATIONS); count < asked; count += 1) {
      await wait(BETWEEN_MS)
      rotations.push(await rotate(session, keys))
      await wait(AFTER_MS)
    }
    state.isOver = true
    await clients
    const rivals: (string | undefined)[] = []
    for (let count = 0, asked = times(RIVALRIES); count < asked; count += 1)
      rivals.push(await rotateTwice(context, session, keys))
    const books = await environment.readBooks()
    const late = calls.filter(({ call, key }) => call.sentAtMs > (keys.endedMs.get(key) ?? Infinity))
    const early = calls.filter(({ call, key }) => call.endedAtMs <= (keys.endedMs.get(key) ?? Infinity))
    return [
      judge('a rotation gives a new key', rotations),
      judge(
        'calls that begin after its answer are refused',
        late.map(({ call }) =>
          call.status === 401 && call.error === 'invalid_api_key'
            ? undefined
            : `${call.callId}: ${call.status ?? 'cut'} ${call.error}`,
        ),
      ),
      judge(
        'calls that ended before it were not',
        early.map(({ call, isNew }) =>
          call.status === 200 || !isNew ? undefined : `${call.callId}: ${call.status ?? 'cut'} ${call.error}`,
        ),
        `${calls.length} calls in all`,
      ),
      judge('two rotations at once leave one active key, and one of them a key to show', [
        ...rivals,
        ...books.activeKeys.map(({ count }) => (count === 1 ? undefined : `${count} active keys`)),
      ]),
      ...checkBooks(books, knownCalls(log)),
    ]
  },
}

interface Keys {
  current: string
  isChanging: boolean
  /** When the response of the rotation that ended a key arrived. */
  endedMs: Map<string, number>
}

interface KeyCall {
  key: string
  call: SeenCall
  /** Whether the key was the newest at the end of the request, as far as the client knew. */
  isNew: boolean
}

interface Work {
  log: CallLog
  keys: Keys
  calls: KeyCall[]
  state: { isOver: boolean }
}

/** A client that changes its key only if a request after the rotation's response is refused. */
async function keepCalling({ environment }: Context, { log, keys, calls, state }: Work): Promise<void> {
  const { base } = environment.service()
  let key = keys.current
  while (!state.isOver) {
    const call = await log.record(EMAIL, () =>
      createClient(base, key).callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 }),
    )
    // A rotation happens before its response arrives, so a request may be refused in between.
    calls.push({ key, call, isNew: keys.current === key && !keys.isChanging })
    const isLate = call.sentAtMs > (keys.endedMs.get(key) ?? Infinity)
    if (call.status !== 401 || !isLate) continue
    while (keys.current === key && !state.isOver) await wait(2)
    key = keys.current
  }
}

async function rotate(session: AccountSession, keys: Keys): Promise<string | undefined> {
  const old = keys.current
  keys.isChanging = true
  const { status, json } = await session.post(ROTATE, { last4: old.slice(-4) })
  keys.endedMs.set(old, performance.now())
  if (status === 200 && typeof json['apiKey'] === 'string') keys.current = json['apiKey']
  keys.isChanging = false
  return status === 200 && keys.current !== old
    ? undefined
    : `answered with ${status} ${JSON.stringify(json).slice(0, 100)}`
}

/** Two windows of one account press the button at the same moment. */
async function rotateTwice({ environment }: Context, session: AccountSession, keys: Keys): Promise<string | undefined> {
  const responses = await Promise.all([1, 2].map(() => session.post(ROTATE, { last4: keys.current.slice(-4) })))
  const given = responses.flatMap(({ status, json }) =>
    status === 200 && typeof json['apiKey'] === 'string' ? [json['apiKey']] : [],
  )
  const [key = ''] = given
  const isOldRefused = (await probe(environment.service().base, keys.current)) === 401
  const isNewTaken = (await probe(environment.service().base, key)) === 415
  if (key !== '') keys.current = key
  return given.length === 1 && isOldRefused && isNewTaken
    ? undefined
    : `${given.length} keys were given (${responses.map(({ status }) => status).join(', ')}); the old one is ` +
        `${isOldRefused ? 'refused' : 'taken'}, the new one ${isNewTaken ? 'taken' : 'refused'}`
}

/** 401 for a refused key, and 415 for a valid one. */
async function probe(base: string, key: string): Promise<number> {
  return (
    await createClient(base, key).send({
      path: toolPath('rotate-pdf'),
      body: 'who am I?',
      headers: { 'content-type': 'text/plain' },
    })
  ).status
}

/** Refused keys belong to no account, so these responses contain no balance and no charge. */
function knownCalls(log: CallLog): CallLog {
  const known = new CallLog()
  known.calls.push(...log.calls.filter(({ status }) => status !== 401))
  known.noteTopUp(EMAIL, log.topUpsOf(EMAIL))
  return known
}
