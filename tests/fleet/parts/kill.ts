import { setTimeout as wait } from 'node:timers/promises'
import { CallLog, isCut, type SeenCall } from '../../hostile/chaos/call-log'
import { judge } from '../../hostile/chaos/scenario'
import { portOf } from '../instances'
import type { Part } from '../part'
import { checkLedger, createCustomers, startTraffic, tellCall } from '../traffic'

const EVERY_S = 10
const CLIENTS = 16
const ACCOUNTS = 8
const PLACES = 3

interface Kill {
  port: number
  fromMs: number
  untilMs: number
}

/** Kills one random instance after another under load. */
export const kill: Part = {
  name: 'kill',
  asks:
    `kill -9 of one of ${PLACES} instances every ${EVERY_S} s under ${CLIENTS} clients: no credit and no answer is ` +
    'lost beyond what the killed one had in hand',
  async run({ fleet, seconds, random }) {
    const log = new CallLog()
    const customers = await createCustomers(fleet, log, { name: 'kill', count: ACCOUNTS })
    const traffic = startTraffic({ bases: [fleet.balancer.base], customers, clients: CLIENTS, log })
    const kills: Kill[] = []
    const asked = Math.max(1, Math.floor(seconds / EVERY_S))
    for (let round = 0; round < asked; round += 1) {
      const next = performance.now() + EVERY_S * 1000
      await wait((0.2 + 0.3 * random()) * EVERY_S * 1000)
      const place = Math.floor(random() * PLACES)
      const [port, fromMs] = [portOf(fleet.at(place)), performance.now()]
      log.noteKill(CLIENTS)
      await fleet.kill(place)
      kills.push({ port, fromMs, untilMs: performance.now() })
      await fleet.start(place)
      await wait(Math.max(0, next - performance.now()))
    }
    await traffic.stop()
    const lost = log.of(undefined, isCut)
    const served = log.calls.length - lost.length
    const odd = log.calls.filter(call => !isCut(call) && call.status !== 200 && call.status !== 422)
    return [
      { what: 'kills, each followed by a start', done: kills.length, asked, problems: [] },
      judge(
        'a call without an answer was in flight on the instance that was killed',
        lost.map(call => findLossProblem(call, kills)),
        `${lost.length} of ${log.calls.length} calls, ` +
          `${Math.max(0, ...kills.map(one => lost.filter(call => isInFlight(call, one)).length))} at most at one ` +
          `kill of ${CLIENTS} under way`,
      ),
      judge(
        'all others were answered with their files or their refusals',
        odd
          .map(call => (call.status === 503 && call.charged === 0 ? undefined : tellCall(call)))
          .concat(Array.from({ length: served - odd.length }, () => undefined)),
        `${odd.length} were told to come back`,
      ),
      ...(await checkLedger(fleet, log)),
    ]
  },
}

const isInFlight = (call: SeenCall, { fromMs, untilMs }: Kill) => call.sentAtMs < untilMs && call.endedAtMs > fromMs

/** If the balancer names the instance that it used, that instance must be the killed one. */
function findLossProblem(call: SeenCall, kills: Kill[]): string | undefined {
  const isByKill = kills.some(
    one => isInFlight(call, one) && (!call.error.includes('for ') || call.error.includes(`:${one.port}`)),
  )
  return isByKill
    ? undefined
    : `${tellCall(call)}, sent at ${call.sentAtMs.toFixed(0)} ms; kills at ${kills.map(({ fromMs, port }) => `${fromMs.toFixed(0)} (${port})`).join(', ')}`
}
