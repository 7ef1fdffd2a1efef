import { PHASES, PHASES_IN_TIME, type PhaseName } from '../../../lib/requests/phases'
import classes from './request-phases.module.css'

type Kind = 'work' | 'transfer' | 'waiting'

const NAMES: Record<PhaseName, { name: string; kind: Kind }> = {
  auth: { name: 'Check the key and limits', kind: 'work' },
  body: { name: 'Receive the request', kind: 'transfer' },
  parse: { name: 'Check files and options', kind: 'work' },
  fetch: { name: 'Fetch the files', kind: 'transfer' },
  wait: { name: 'Wait in the queue', kind: 'waiting' },
  charge: { name: 'Charge the credit', kind: 'work' },
  context: { name: 'Open the browser', kind: 'work' },
  load: { name: 'Load the page', kind: 'transfer' },
  settle: { name: 'Wait for the page', kind: 'waiting' },
  print: { name: 'Print the page', kind: 'work' },
  queue: { name: 'Wait for an engine', kind: 'waiting' },
  send: { name: 'Hand over the files', kind: 'work' },
  open: { name: 'Open the files', kind: 'work' },
  work: { name: 'Process the document', kind: 'work' },
  save: { name: 'Save the result', kind: 'work' },
  run: { name: 'Process until the error', kind: 'work' },
  rest: { name: 'Other processing', kind: 'work' },
  response: { name: 'Send the response', kind: 'transfer' },
}

const KINDS: { kind: Kind; name: string }[] = [
  { kind: 'work', name: 'Processing' },
  { kind: 'transfer', name: 'Transfer' },
  { kind: 'waiting', name: 'Waiting' },
]

/** The phases of a request as a waterfall: each bar begins at the end of the previous one. */
export function RequestPhases({
  phases,
  isError,
  isPlayground,
}: {
  phases: readonly (number | null)[]
  isError: boolean
  isPlayground: boolean
}) {
  const rows = placePhases(phases)
  const total = rows.at(-1)?.endMs ?? 0
  return (
    <div className={classes.waterfall}>
      <ul className={classes.kinds}>
        {KINDS.filter(({ kind }) => rows.some(({ phase }) => NAMES[phase].kind === kind)).map(({ kind, name }) => (
          <li key={kind}>
            <svg viewBox="0 0 1 1" aria-hidden="true" focusable="false">
              <rect className={classes[kind]} width="1" height="1" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <table className={classes.table}>
        <caption className="visually-hidden">
          Phases of the request, in order. Each begins when the previous ends.
        </caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Phase</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ phase, startMs, endMs }) => (
            <tr key={phase}>
              <th scope="row">{namePhase(phase, { isError, isPlayground })}</th>
              <td>
                <div className={classes.cell}>
                  <Bar kind={NAMES[phase].kind} startMs={startMs} endMs={endMs} totalMs={total} />
                  <span className={classes.ms}>{writePhase(endMs - startMs)}</span>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.note}>
        {isError && 'Handling an error includes the refund, and the delay of repeated 429 responses. '}
        Measured on the server, from the request headers to the last byte of the response. A response has the times up
        to its first byte in the header{' '}
        <a href="/docs/headers">
          <code>Server-Timing</code>
        </a>
        .
      </p>
    </div>
  )
}

function namePhase(phase: PhaseName, { isError, isPlayground }: { isError: boolean; isPlayground: boolean }): string {
  if (phase === 'auth' && isPlayground) return 'Check the session and limits'
  if (phase === 'rest' && isError) return 'Handle the error'
  return NAMES[phase].name
}

interface PlacedPhase {
  phase: PhaseName
  startMs: number
  endMs: number
}

/** Later versions may have stored more phases than this one knows. They are left out. */
function placePhases(phases: readonly (number | null)[]): PlacedPhase[] {
  const rows: PlacedPhase[] = []
  let tenths = 0
  for (const phase of PHASES_IN_TIME) {
    const own = phases[PHASES.indexOf(phase)]
    if (typeof own !== 'number') continue
    rows.push({ phase, startMs: tenths / 10, endMs: (tenths + own) / 10 })
    tenths += own
  }
  return rows
}

const WIDTH = 1000
/** So that a phase of a fraction of a millisecond is visible beside others of seconds. */
const LEAST_WIDTH = 5

/** An SVG, because its position is an attribute. The security policy of the pages allows no inline styles. */
function Bar({ kind, startMs, endMs, totalMs }: { kind: Kind; startMs: number; endMs: number; totalMs: number }) {
  const scale = totalMs === 0 ? 0 : WIDTH / totalMs
  const width = Math.max((endMs - startMs) * scale, LEAST_WIDTH)
  return (
    <svg
      className={classes.bar}
      viewBox={`0 0 ${WIDTH} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect className={classes.track} width={WIDTH} height="1" />
      <rect className={classes[kind]} x={Math.min(startMs * scale, WIDTH - width)} width={width} height="1" />
    </svg>
  )
}

/** "0.4 ms", "143 ms" or "2.41 s" */
function writePhase(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`
}
