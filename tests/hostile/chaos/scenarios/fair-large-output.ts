import { eventually } from '../../../contract/client'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { describeBytes, findPeak, readCountedBytes, watchMemory } from '../memory'
import { describeOutcomes, startAttack } from '../start-attack'

const CREDITS = 1000
const SIZES = [1, 4]
/** The request bodies, some pieces of each output, and memory that the service retains. One output has 360 MB. */
const MOST_MORE_BYTES = 250 * 2 ** 20
const REFUND_MS = 60_000

/** Outputs of hundreds of megabytes that their client reads as slowly as it may. */
export const fairLargeOutput: Scenario = {
  name: 'fair-large-output',
  databases: ['pglite'],
  quickOn: 'pglite',
  runsAlone: true,
  description:
    `One key splits a file with a shared image and downloads ${SIZES.join(', then ')} outputs of 360 MB at once, at 128 KB/s. Every request of ` +
    `another key works, memory stays bounded, and what the client leaves behind is refunded. ${OTHER_KEY_RULE}`,
  async run(context) {
    await context.environment.start()
    const rows: Row[] = []
    for (const connections of context.isQuick ? SIZES.slice(0, 1) : SIZES)
      rows.push(...(await trySize(context, connections)))
    return rows
  },
}

async function trySize(context: Context, connections: number): Promise<Row[]> {
  const { environment } = context
  const attacker = await environment.createClient(`downloads-${connections}@example.test`, { credits: CREDITS })
  const client = await environment.createClient('beside@example.test', { credits: CREDITS })
  const before = await attacker.balance()
  const memory = watchMemory(environment.service().pid, { listOthers: () => [], measure: readCountedBytes })
  const what = ` beside ${connections} large downloads`
  const { rows, outcome } = await workBeside({ client, works: ['files'], what, context }, () =>
    startAttack('largeDownloads', attacker, { connections }),
  )
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
      `${connections} large downloads go on until the end`,
      [...outcome.keys()].map(one => (one === '200' ? undefined : one)),
      `${describeOutcomes(outcome)}; ${describeBytes(more)} of memory more than before`,
    ),
    // Samples meet a short peak by chance, so a short run only records it.
    ...(context.isQuick
      ? []
      : [judge(`memory is bounded${what}`, [more <= MOST_MORE_BYTES ? undefined : describeBytes(more)])]),
    judge(`the unread rest of ${connections} large downloads is refunded`, [
      balance === before ? undefined : `${String(balance)}, ${before} before`,
    ]),
  ]
}
