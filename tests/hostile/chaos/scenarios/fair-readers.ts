import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../../../contract/client'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { describeBytes, findPeak, readCountedBytes, watchMemory } from '../memory'
import { describeOutcomes, startAttack } from '../start-attack'

const CREDITS = 100_000
const SIZES = [15, 60]
/** Some pieces of each output, the request bodies, and memory that the service retains. The outputs are on the disk. */
const MOST_MORE_BYTES = 200 * 2 ** 20
/** 5 s of grace, a window of 20 s, and some seconds to read the first file. */
const LEAST_ATTACK_MS = 40_000
const REFUND_MS = 60_000

/** Large files that their client reads very slowly. */
export const fairReaders: Scenario = {
  name: 'fair-readers',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    `One key downloads ${SIZES.join(', then ')} files of 60 MB at once, at 1 KB/s. Memory stays bounded, and the slow downloads are cut off, ` +
    `logged and refunded. ${OTHER_KEY_RULE}`,
  async run(context) {
    await context.environment.start({ LOG_LEVEL: 'info' }) // One line per request.
    const rows: Row[] = []
    for (const connections of context.isQuick ? SIZES.slice(0, 1) : SIZES)
      rows.push(...(await trySize(context, connections)))
    return rows
  },
}

async function trySize(context: Context, connections: number): Promise<Row[]> {
  const { environment, isQuick } = context
  const attacker = await environment.createClient(`readers-${connections}@example.test`, { credits: CREDITS })
  const client = await environment.createClient('beside@example.test', { credits: CREDITS })
  const before = await attacker.balance()
  const memory = watchMemory(environment.service().pid, { listOthers: () => [], measure: readCountedBytes })
  const listCutOff = () =>
    environment
      .service()
      .log()
      .split('\n')
      .filter(line => line.includes('"slowReader":true'))
  const earlier = new Set(listCutOff())
  let cutOff = 0
  const what = ` beside ${connections} slow readers`
  const { rows, outcome } = await workBeside({ client, works: ['files'], what, context }, async () => {
    const { stop } = await startAttack('slowReaders', attacker, { connections })
    const longEnough = wait(isQuick ? 0 : LEAST_ATTACK_MS)
    return {
      async stop() {
        await longEnough
        cutOff = listCutOff().filter(line => !earlier.has(line)).length
        return stop()
      },
    }
  })
  memory.stop()
  const more = findPeak(memory) - (memory.looks[0]?.bytes ?? 0)
  const balance = await eventually(
    () => attacker.balance(),
    left => left === before,
    REFUND_MS,
  ).catch(String)
  return [
    ...rows,
    judge(
      `what ${connections} slow readers did not read is refunded`,
      [balance === before ? undefined : `${String(balance)}, ${before} before`],
      `${describeOutcomes(outcome)}; ${describeBytes(more)} of memory more than before`,
    ),
    // Samples meet a short peak by chance, so a short run only records it.
    ...(isQuick
      ? []
      : [
          judge(`memory is bounded beside ${connections} slow readers`, [
            more <= MOST_MORE_BYTES ? undefined : describeBytes(more),
          ]),
          judge(
            `${connections} slow readers are cut off, and the log says so`,
            [cutOff > 0 ? undefined : 'none was'],
            `${cutOff} log entries`,
          ),
        ]),
  ]
}
