import { setTimeout as wait } from 'node:timers/promises'
import { CallLog } from '../../hostile/chaos/call-log'
import { judge } from '../../hostile/chaos/scenario'
import type { Part } from '../part'
import { checkLedger, createCustomers, startTraffic, tellCall } from '../traffic'

const CLIENTS = 16
const ACCOUNTS = 8
const PLACES = 3
const ROUND_S = 100
const SETTLE_MS = 1000

/** Replaces every instance by a new one under load, as an update does. */
export const rolling: Part = {
  name: 'rolling',
  asks:
    `SIGTERM to one of ${PLACES} instances after the other under ${CLIENTS} clients, readiness telling the balancer: ` +
    'no call is lost or refused',
  async run({ fleet, seconds }) {
    const log = new CallLog()
    const customers = await createCustomers(fleet, log, { name: 'rolling', count: ACCOUNTS })
    const traffic = startTraffic({ bases: [fleet.balancer.base], customers, clients: CLIENTS, log })
    const codes: (number | null)[] = []
    for (let round = 0, rounds = Math.max(1, Math.floor(seconds / ROUND_S)); round < rounds; round += 1) {
      for (let place = 0; place < PLACES; place += 1) {
        await wait(SETTLE_MS)
        codes.push(await fleet.end(place))
        await fleet.start(place)
      }
    }
    await wait(SETTLE_MS)
    await traffic.stop()
    return [
      judge(
        'every instance ends with exit code 0',
        codes.map(code => (code === 0 ? undefined : `exit code ${code}`)),
      ),
      judge(
        'every call is answered with its file or its refusal',
        log.calls.map(call =>
          call.status === 200 || call.status === 422
            ? undefined
            : `${tellCall(call)}, sent at ${call.sentAtMs.toFixed(0)} ms`,
        ),
        `${log.calls.length} calls`,
      ),
      ...(await checkLedger(fleet, log)),
    ]
  },
}
