import type { RunningRequest } from './request'

/** Phases that are measured before the work on a document, in order of the path of a request (lib/http/serve.ts). */
const STEPS = ['auth', 'body', 'parse', 'fetch', 'wait', 'charge'] as const
const FIRST_STEPS = ['auth', 'body', 'parse', 'wait', 'charge'] as const
/** Phases of the browser, then of the engine. */
const WORK_STEPS = ['context', 'load', 'settle', 'print', 'queue', 'send', 'open', 'work', 'save'] as const

/**
 * The phases of a logged request. Their positions are stored, so that later versions may only append to this list. The names are those of `Server-Timing`. Three more make the list complete: `run` is work that failed, so that
 * its parts are unknown. `rest` is the time from the last measured phase to the response. `response` is the time to
 * send the response.
 */
export const PHASES = [...FIRST_STEPS, ...WORK_STEPS, 'run', 'rest', 'response', 'fetch'] as const

export type PhaseName = (typeof PHASES)[number]

/** The phases in the order in which a request reaches them. */
export const PHASES_IN_TIME: readonly PhaseName[] = [...STEPS, ...WORK_STEPS, 'run', 'rest', 'response']

/** The facts of a request that its phases follow from. */
type MeasuredRequest = Pick<
  RunningRequest,
  'receivedAtMs' | 'timings' | 'startedAtMs' | 'ran' | 'engineMs' | 'respondingAtMs'
>

/**
 * Returns the duration of each phase of a finished request in tenths of a millisecond, in order of PHASES. Null for a
 * phase that the request didn't reach. A phase lasts until the next one starts, so that the sum is the whole duration.
 */
export function describePhases(request: MeasuredRequest, endedAtMs: number): (number | null)[] {
  const tenths = new Map<PhaseName, number>()
  let reached = 0
  const reach = (phase: PhaseName, atMs: number) => {
    // Rounded ends instead of rounded durations: errors of rounding don't add up.
    const end = Math.max(reached, Math.round((Math.min(atMs, endedAtMs) - request.receivedAtMs) * 10))
    tenths.set(phase, end - reached)
    reached = end
  }
  for (const [phase, end] of findStepEnds(request)) reach(phase, end)
  if (request.ran && request.engineMs === undefined) reach('run', request.ran.startedAtMs + request.ran.ms)
  if (request.ran && request.engineMs !== undefined) {
    let at = request.ran.startedAtMs
    for (const phase of WORK_STEPS) {
      const ms = request.timings[phase]
      if (ms !== undefined) reach(phase, (at += ms))
    }
  }
  reach('rest', request.respondingAtMs ?? endedAtMs)
  if (request.respondingAtMs !== undefined) reach('response', endedAtMs)
  return PHASES.map(phase => tenths.get(phase) ?? null)
}

/** What follows a step without a phase of its own belongs to the step, such as the limits to `auth`. */
function* findStepEnds({ timings, startedAtMs }: MeasuredRequest): Generator<[PhaseName, number]> {
  const started = STEPS.filter(step => startedAtMs[step] !== undefined) // Few requests fetch files.
  for (const [index, phase] of started.entries()) {
    const startedAt = startedAtMs[phase] ?? 0
    const ms = timings[phase]
    if (ms === undefined) return
    const next = started[index + 1]
    const nextAt = next === undefined ? undefined : startedAtMs[next]
    // After the queue, the source of a web page is checked before the charge. The check doesn't count as waiting.
    yield [phase, nextAt === undefined || phase === 'wait' ? startedAt + ms : nextAt]
  }
}
