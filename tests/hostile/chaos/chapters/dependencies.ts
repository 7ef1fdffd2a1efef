import { execFile } from 'node:child_process'
import { type Chapter, judge, type Row } from '../chapter'

const AUDIT_MS = 60_000
const MOST_BYTES = 64 * 2 ** 20

/** The part of npm's report that is looked at (`npm audit --json`, report version 2). */
interface Report {
  vulnerabilities?: Record<string, { severity: string; range: string; via: (string | { title: string; url: string })[] }>
  metadata?: { dependencies: { prod: number } }
  message?: string
}

/** What is shipped is looked up among known vulnerabilities: the one thing here that leaves the machine. */
export const dependencies: Chapter = {
  name: 'dependencies',
  databases: ['pglite'],
  asks: 'no package that is shipped has a vulnerability that the registry knows of',
  async run() {
    const report = await audit()
    if (report.vulnerabilities === undefined) return [{ what: WHAT, done: 0, asked: 0, faults: [], skipped: `the registry gives no advisories: ${report.message ?? 'it does not say why'}` }]
    return [judgeReport(report.vulnerabilities, report.metadata?.dependencies.prod ?? 0)]
  },
}

const WHAT = 'packages without a known vulnerability'

function judgeReport(vulnerabilities: NonNullable<Report['vulnerabilities']>, count: number): Row {
  const faults = Object.entries(vulnerabilities).map(([name, { severity, range, via }]) => {
    const reasons = via.map(reason => (typeof reason === 'string' ? `through ${reason}` : `${reason.title} ${reason.url}`))
    return `${name} ${range}, ${severity}: ${reasons.join('; ')}`
  })
  const sound = Array.from({ length: Math.max(0, count - faults.length) }, () => undefined)
  return judge(WHAT, [...faults, ...sound])
}

/** npm's report; it ends with 1 where it found something, and tells in JSON as well why it could not ask. */
async function audit(): Promise<Report> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile('npm', ['audit', '--omit=dev', '--json'], { timeout: AUDIT_MS, maxBuffer: MOST_BYTES }, (error, stdout) => {
      if (stdout === '' && error !== null) reject(error)
      else resolve(stdout)
    })
  })
  return JSON.parse(output) as Report // described above
}
