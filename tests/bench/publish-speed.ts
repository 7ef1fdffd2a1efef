import { writeFileSync } from 'node:fs'
import { availableParallelism, type } from 'node:os'
import type { SpeedFigures } from '../../lib/docs/speed'
import { measureEngineGoals, type MeasuredJob, ROUNDS } from './engine-goals'
import { compareWithQpdf, ENGINE_JOBS, PUBLISHED_FILES } from './engine-jobs'
import { print } from './report'
import { findRival } from './rivals'

/** The figures in the documentation. lib/docs/speed.ts defines their type. */
const PATH = 'lib/docs/speed.json'

/**
 * Measures every job of the published files, and writes the comparison with qpdf into the documentation. Throws an
 * Error if qpdf isn't installed.
 */
export async function publishSpeed(jobPath: string): Promise<void> {
  const qpdf = findRival('qpdf')
  if (qpdf === undefined) throw new Error('qpdf is not installed. Install it to publish the comparison.')
  const published = new Set<string>(PUBLISHED_FILES.map(({ file }) => file))
  const jobs = ENGINE_JOBS.filter(({ file, rivals }) => published.has(file) && rivals.qpdf !== undefined)
  const figures = collectFigures(await measureEngineGoals(jobPath, jobs), qpdf)
  writeFileSync(PATH, `${JSON.stringify(figures, null, 2)}\n`)
  print(`\nWrote ${PATH}`)
}

/** Returns results of one run as they are published. Jobs that qpdf didn't run are left out. */
export function collectFigures(results: MeasuredJob[], qpdf: string): SpeedFigures {
  const tools = [...new Set(results.map(({ job }) => job.tool))]
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, ${type()}, Node.js ${process.versions.node}`,
    qpdf,
    rounds: ROUNDS,
    files: PUBLISHED_FILES.flatMap(({ file, pageCount }) => {
      const one = results.find(({ job }) => job.file === file && job.copies === 1)
      return one === undefined ? [] : [{ name: file, bytes: one.measured.inputBytes, pages: pageCount }]
    }),
    tools: tools.flatMap(tool => {
      const own = results.filter(({ job }) => job.tool === tool)
      const [first] = own
      return first === undefined ? [] : [{ tool, qpdfDoes: compareWithQpdf(first.job), figures: own.flatMap(toFigure) }]
    }),
  }
}

function toFigure({ job, measured: { warmMs, rivalMs } }: MeasuredJob): SpeedFigures['tools'][number]['figures'] {
  if (rivalMs.qpdf === undefined) return []
  const [ms, qpdfMs] = [round(warmMs, 1), round(rivalMs.qpdf, 1)]
  return [{ file: job.file, ratio: round(warmMs / rivalMs.qpdf, 2), ms, qpdfMs }]
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
