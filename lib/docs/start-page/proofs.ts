import { countTraps, OTHER_LEAKS, type TrapCounts } from '../redaction-traps'
import { SECURITY_PROMISES } from '../security'
import { type SpeedSummary, summarizeSpeed } from '../speed'
import { listTrials, type Trial } from '../trials'

/** A claim of the start page with its figure, and the page that says how it was measured. */
export interface Proof {
  figure: string
  /** What the figure counts. */
  unit: string
  text: string
  href: string
  linkText: string
}

/** Returns the proofs. Every figure comes from the last published run of its tests. */
export function listProofs(): Proof[] {
  const speed = summarizeSpeed()
  return [proveRedaction(countTraps()), ...(speed ? [proveSpeed(speed)] : []), proveCharges(listTrials())]
}

/** The figure counts our own traps, so its words say so, and that others leak. */
export function proveRedaction({ constructions, tried, verified, leaked }: TrapCounts): Proof {
  const found = leaked === 0 ? 'find no secret' : `still find the secret of ${count(leaked)}`
  return {
    figure: `${count(verified)} of ${count(tried)}`,
    unit: 'of our own redaction tests end as verified',
    text:
      `We made these files ourselves. They hide a secret in ${count(constructions)} ways. The tests ${found} in ` +
      `the verified results. ${OTHER_LEAKS}`,
    href: '/docs/security#redaction-traps',
    linkText: 'How redaction is tested',
  }
}

/** The comparison with qpdf, for the jobs that both do. */
export function proveSpeed({ pages, jobs, median, lowest, highest, highestOfAll }: SpeedSummary): Proof {
  return {
    figure: `${(1 / median).toFixed(1)}×`,
    unit: 'less processor time than qpdf, a widely used PDF program',
    text:
      `Sheaf needs ${percent(median)} of its time. This is the median of ${count(jobs)} jobs in a warm process, on a file of ${count(pages)} pages. The jobs ` +
      `range from ${percent(lowest)} to ${percent(highest)} there, and up to ${percent(highestOfAll)} on other files.`,
    href: '/docs/performance',
    linkText: 'How speed is measured',
  }
}

/** The trials of the promise about charges. */
export function proveCharges(trials: Trial[]): Proof {
  const parts = SECURITY_PROMISES.flatMap(({ chaosParts }) => (chaosParts.includes('ledger') ? chaosParts : []))
  const runs = trials
    .filter(({ part }) => parts.some(name => part === name || part.startsWith(`${name}-`)))
    .flatMap(trial => trial.runs)
  const sum = (key: 'passed' | 'checks'): number => runs.reduce((total, run) => total + run[key], 0)
  const shares = runs.map(({ share }) => share)
  return {
    figure: `${count(sum('passed'))} of ${count(sum('checks'))}`,
    unit: 'checks passed in tests of charges',
    text:
      'The tests kill the server, engines and browsers, cut connections and stop the database during requests. They ' +
      'check that failed requests cost nothing, and that no request is charged twice. ' +
      describeScale(Math.min(...shares), Math.max(...shares)),
    href: '/docs/security#test-results',
    linkText: 'How charges are tested',
  }
}

/** How many of the planned repetitions the published runs did, as shares from 0 to 1. */
function describeScale(least: number, most: number): string {
  if (least >= 1) return 'Each test ran at full scale.'
  const scale = percent(least) === percent(most) ? percent(least) : `${percent(least)} to ${percent(most)}`
  return `Each test ran at ${scale} of its full scale.`
}

const count = (value: number): string => value.toLocaleString('en')
const percent = (ratio: number): string => `${Math.round(ratio * 100)}%`
