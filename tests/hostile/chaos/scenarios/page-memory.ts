import type { ApiResponse, Client } from '../../../contract/client'
import { startFrameSites, type FrameSites } from '../../../support/frame-sites'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { type Scenario, type Context, judge } from '../scenario'
import { describeBytes, findPeak, readCountedBytes, watchMemory } from '../memory'

const PATH = '/api/external/webpage-to-pdf/pdf'
const CREDITS = 100_000
const FRAME_COUNTS = [30, 15, 5]
/** Each frame alone stays below the limit of a page. */
const FRAME_MEGABYTES = 1000
/** The default of WEB_PAGE_RSS_MB. */
const LIMIT_BYTES = 1500 * 2 ** 20
/**
 * The other customer's page, one more warm browser, and the memory that a page's processes share, which counts for each
 * process here.
 */
const MARGIN_BYTES = 1200 * 2 ** 20
const LOOK_MS = 100

/**
 * Pages whose frames each use little memory and too much together, one after the other, beside another customer's work.
 */
export const pageMemory: Scenario = {
  name: 'page-memory',
  databases: ['pglite'],
  quickOn: 'pglite',
  runsAlone: true,
  description:
    `Web pages have ${FRAME_COUNTS.slice(0, -1).join(', ')} or ${FRAME_COUNTS.at(-1)} cross-site frames, and each frame uses ` +
    `${FRAME_MEGABYTES.toLocaleString('en')} MB. The requests get 502 for free, and memory stays bounded. ${OTHER_KEY_RULE}`,
  async run(context) {
    const sites = await startFrameSites(Math.max(...FRAME_COUNTS))
    try {
      const { pid } = await context.environment.start({ WEBPAGE_ALLOWED_HOSTS: sites.allowedHosts })
      const attacker = await context.environment.createClient('frames@example.test', { credits: CREDITS })
      const other = await context.environment.createClient('beside@example.test', { credits: CREDITS })
      const memory = watchMemory(pid, { lookMs: LOOK_MS, measure: readCountedBytes })
      const { rows, outcome: responses } = await workBeside(
        { client: other, works: ['web pages', 'files'], context },
        () => Promise.resolve(startAttack(attacker, sites, context)),
      )
      memory.stop()
      const most = LIMIT_BYTES + MARGIN_BYTES + (memory.looks[0]?.bytes ?? 0)
      const peak = findPeak(memory)
      const note = `${describeBytes(peak)} at most, ${describeBytes(memory.looks[0]?.bytes ?? 0)} before`
      return [
        judge(
          'a page whose frames hold too much together gets 502 for free',
          responses.map(findProblem),
          `${responses.length} pages, ${note}`,
        ),
        // Samples meet a short peak by chance, so a short run only records it.
        ...(context.isQuick
          ? []
          : [
              judge(
                'memory is bounded',
                [peak <= most ? undefined : `${describeBytes(peak)} of ${describeBytes(most)}`],
                note,
              ),
            ]),
        ...rows,
      ]
    } finally {
      await sites.close()
    }
  },
}

function findProblem({ status, json, charged }: ApiResponse): string | undefined {
  return status === 502 && json['error'] === 'conversion_failed' && charged === 0
    ? undefined
    : `${status} ${String(json['error'])}, charged ${charged}`
}

/** Sends one page after the other. A short run uses the pages with the most frames. */
function startAttack(client: Client, sites: FrameSites, { isQuick }: Context) {
  const responses: ApiResponse[] = []
  let isOver = false
  const sending = (async () => {
    while (!isOver) {
      for (const frames of isQuick ? FRAME_COUNTS.slice(0, 1) : FRAME_COUNTS)
        responses.push(
          await client.sendJson(PATH, { html: `<!doctype html>${sites.makePage(frames, FRAME_MEGABYTES)}` }),
        )
    }
  })()
  return {
    async stop() {
      isOver = true
      await sending
      return responses
    },
  }
}
