import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResponse, createClient, sendRequest, toolPath, type Upload } from '../../contract/client'
import { makePdf } from '../../contract/documents'
import { CallLog } from '../../hostile/chaos/call-log'
import { judge } from '../../hostile/chaos/scenario'
import { findPairProblem, findRepeatProblem } from '../../hostile/chaos/scenarios/idempotency'
import { signIn } from '../../hostile/chaos/sign-in'
import { createVisitor, makeAddress, PASSWORD } from '../../hostile/chaos/visitor'
import type { Part } from '../part'
import { checkLedger } from '../traffic'

const CREDITS = 1000
const PAIRS = 30
const REPEATS = 3
const TRIES = 30
const TRIES_LOOKED_AT = 10
const ROTATIONS = 20
const DOCUMENT: Upload = { name: 'fleet.pdf', bytes: makePdf() }

/** Uses one Idempotency-Key on two instances at once, and later on the third one. */
export const idempotency: Part = {
  name: 'idempotency',
  asks: `${PAIRS} calls sent to two instances at once with one Idempotency-Key, and to the third one later: charged once`,
  async run({ fleet }) {
    const log = new CallLog()
    const customer = await fleet.createCustomer('pairs@example.test', { credits: CREDITS })
    log.noteTopUp(customer.email, CREDITS)
    const call = async (pair: number, place: number): Promise<ApiResponse | undefined> => {
      let response: ApiResponse | undefined
      await log.record(
        customer.email,
        async () =>
          (response = await createClient(fleet.at(place % 3).base, customer.apiKey).callToolAsForm(
            'rotate-pdf',
            DOCUMENT,
            { angle: 90 },
            { 'idempotency-key': `pair ${pair}` },
          )),
      )
      return response
    }
    const pairs: (string | undefined)[] = []
    const repeats: (string | undefined)[] = []
    for (let pair = 0; pair < PAIRS; pair += 1) {
      pairs.push(findPairProblem(pair, await Promise.all([call(pair, pair), call(pair, pair + 1)])))
      repeats.push(findRepeatProblem(pair, await repeat(pair, call)))
    }
    return [
      judge('one of two at once is charged, the other one waits or is a replay', pairs),
      judge('the third instance gives a replay', repeats),
      ...(await checkLedger(fleet, log)),
    ]
  },
}

/** Retries on the third instance after 409, as Retry-After says. Sheaf records a delivery a moment after it. */
async function repeat(
  pair: number,
  call: (pair: number, place: number) => Promise<ApiResponse | undefined>,
): Promise<ApiResponse | undefined> {
  let response = await call(pair, pair + 2)
  for (let tries = 0; response?.status === 409 && tries < REPEATS; tries += 1) {
    await wait(Number(response.headers['retry-after']) * 1000)
    response = await call(pair, pair + 2)
  }
  return response
}

/** Checks that all instances count password guesses together. */
export const signInLimits: Part = {
  name: 'sign-in',
  asks: `${TRIES} wrong passwords of one client at all instances in turn: ${TRIES_LOOKED_AT} are looked at`,
  async run({ fleet }) {
    const email = 'guessed@example.test'
    await fleet.createCustomer(email, { password: PASSWORD })
    const address = makeAddress()
    const statuses = await Promise.all(
      Array.from(
        { length: TRIES },
        async (_, index) =>
          (await createVisitor(fleet.at(index % 3).base, { address }).signIn(email, `wrong password ${index}`)).status,
      ),
    )
    const right = await createVisitor(fleet.at(0).base, { address }).signIn(email, PASSWORD)
    const looked = statuses.filter(status => status === 401).length
    const others = statuses.filter(status => status !== 401 && status !== 429)
    return [
      {
        what: 'wrong passwords that were looked at',
        done: looked,
        asked: TRIES_LOOKED_AT,
        problems: [
          ...(looked === TRIES_LOOKED_AT ? [] : [`${looked} were`]),
          ...others.map(status => `one got ${status}`),
        ],
      },
      judge('the right one is refused afterwards as well', [
        right.status === 429 ? undefined : `it got ${right.status}`,
      ]),
    ]
  },
}

/** Checks that every instance refuses a rotated key from the response on. */
export const rotation: Part = {
  name: 'rotation',
  asks: `${ROTATIONS} rotations at one instance: all three refuse the old key and take the new one, from when on`,
  async run({ fleet }) {
    const email = 'rotating@example.test'
    const { apiKey } = await fleet.createCustomer(email, { credits: CREDITS, password: PASSWORD })
    const session = await signIn(fleet.at(0).base, email, PASSWORD)
    const looks: { problem: string | undefined; ms: number }[] = []
    let old = apiKey
    for (let count = 0; count < ROTATIONS; count += 1) {
      const { json } = await session.post('/api/account/key/rotate', { last4: old.slice(-4) })
      const since = performance.now()
      const fresh = String(json['apiKey'])
      const statuses = await Promise.all(
        [0, 1, 2].map(async place => [
          await probe(fleet.at(place).base, old),
          await probe(fleet.at(place).base, fresh),
        ]),
      )
      looks.push(
        ...statuses.map(([ofOld, ofFresh]) => ({
          problem: ofOld === 401 && ofFresh === 415 ? undefined : `old key ${ofOld}, new key ${ofFresh}`,
          ms: performance.now() - since,
        })),
      )
      old = fresh
    }
    return [
      judge(
        'the first call after the answer, at each instance',
        looks.map(({ problem }) => problem),
        `seen by all within ${Math.max(...looks.map(({ ms }) => ms)).toFixed(0)} ms, the time of the two calls ` +
          'that look',
      ),
    ]
  },
}

/** The status for a body of unknown type: 401 if the key is refused. */
async function probe(base: string, apiKey: string): Promise<number> {
  return (
    await sendRequest(base, {
      path: toolPath('rotate-pdf'),
      headers: { 'x-api-key': apiKey, 'content-type': 'text/plain' },
      body: 'who is it?',
    })
  ).status
}
