import { setTimeout as wait } from 'node:timers/promises'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { describeBytes, findPeak, readCountedBytes, watchMemory } from '../memory'
import { describeOutcomes, startAttack } from '../start-attack'

const CREDITS = 100_000
/** Eight of the largest size, and more of smaller sizes. The smallest fit into the reserve. */
const SIZES = [
  { connections: 8, megabytes: 100 },
  { connections: 40, megabytes: 20 },
  { connections: 300, megabytes: 1.5 },
  { connections: 300, megabytes: 0.9 },
]
/** The account's share of the body memory, one more body, data in transit, and the machine's overhead. */
const MOST_MORE_BYTES = (256 + 100 + 200) * 2 ** 20
/** Uploads are cut off after 5 s of grace and a window of 20 s. The other customer's work may finish earlier. */
const LEAST_ATTACK_MS = 40_000

/** Uploads that begin fast and never end use the memory for request bodies. */
export const fairUploads: Scenario = {
  name: 'fair-uploads',
  databases: ['pglite'],
  quickOn: 'pglite',
  runsAlone: true,
  description:
    `One key sends simultaneous uploads: ${SIZES.map(({ connections, megabytes }) => `${connections} × ${megabytes} MB`).join(', then ')}. ` +
    'Each upload sends 90% of its data immediately, then a byte every 4 s. Memory stays bounded, and the uploads are refused ' +
    `or cut off. ${OTHER_KEY_RULE}`,
  async run(context) {
    const { isQuick } = context
    await context.environment.start()
    const rows: Row[] = []
    for (const size of isQuick ? SIZES.slice(0, 1) : SIZES) rows.push(...(await trySize(context, size)))
    return rows
  },
}

async function trySize(context: Context, { connections, megabytes }: (typeof SIZES)[number]): Promise<Row[]> {
  const { environment, isQuick } = context
  const name = `${connections} × ${megabytes} MB`
  const attacker = await environment.createClient(`uploads-${connections}-${megabytes}@example.test`, {
    credits: CREDITS,
  })
  const client = await environment.createClient('beside@example.test', { credits: CREDITS })
  const memory = watchMemory(environment.service().pid, { listOthers: () => [], measure: readCountedBytes })
  const { rows, outcome } = await workBeside(
    { client, works: ['files'], what: ` beside ${name}`, context },
    async () => {
      const { stop } = await startAttack('uploads', attacker, { connections, megabytes })
      const leastMs = isQuick ? 0 : LEAST_ATTACK_MS
      const longEnough = wait(leastMs)
      return { stop: () => longEnough.then(stop) }
    },
  )
  memory.stop()
  const [quiet = { bytes: 0 }] = memory.looks
  const more = findPeak(memory) - quiet.bytes
  const findUploadProblem = (one: string) => (one === 'cut' || one === '429 rate_limited' ? undefined : one)
  const problems = outcome.size > 0 || isQuick ? [...outcome.keys()].map(findUploadProblem) : ['none ended']
  return [
    ...rows,
    judge(
      `of ${name} those that end are refused or cut off`,
      problems,
      `${describeOutcomes(outcome)}; ${describeBytes(more)} of memory more than before`,
    ),
    // Samples meet a short peak by chance, so a short run only records it.
    ...(isQuick
      ? []
      : [judge(`memory is bounded beside ${name}`, [more <= MOST_MORE_BYTES ? undefined : describeBytes(more)])]),
  ]
}
