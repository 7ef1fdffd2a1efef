import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listNodeFlags } from '../../engines/pool/node-flags'
import { findTool } from '../../engines/tools/registry'
import { runJob } from '../../engines/jobs'
import { LIMITS } from '../support/engine-limits'
import { ENGINE_JOBS, type EngineJob } from './engine-jobs'
import { FILES, type FileName } from './make-files'
import { measurePeakBytes } from './process-time'
import { RIVAL_NAMES, findRival, measureRival, type Rival } from './rivals'
import { against, formatMb, formatMs, median, print, printTable } from './report'

/** The result of one job from a separate process. */
export interface Measured {
  coldMs: number
  warmMs: number
  /** The result of the programs that are installed and can do the job. */
  rivalMs: Partial<Record<Rival, number>>
  /** Peak of the resident set during the first run. */
  peakBytes: number
  inputBytes: number
  outputBytes: number
}

/** A job that exists, and its result. */
export interface MeasuredJob {
  job: EngineJob
  measured: Measured
}

/**
 * Measures engine jobs against other programs: warm and cold CPU time, and memory. Each job runs in the script at
 * `jobPath`.
 */
export async function measureEngineGoals(jobPath: string, jobs: EngineJob[] = ENGINE_JOBS): Promise<MeasuredJob[]> {
  const versions = RIVAL_NAMES.map(rival => `${rival} ${findRival(rival) ?? 'not installed'}`)
  print(`\nEngine: CPU time against the command lines of ${versions.join(', ')}; medians of at least ${ROUNDS}`)
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-bench-'))
  const written = new Set<FileName>()
  const results: MeasuredJob[] = []
  try {
    const rows = [
      [
        'job',
        'warm',
        'cold',
        ...RIVAL_NAMES,
        'warm/qpdf (goal)',
        'warm/mutool (goal)',
        'warm/gs (goal)',
        'in',
        'out',
        'peak memory',
        '(peak - 100 MB)/(in + out)',
      ],
    ]
    for (const job of jobs) {
      for (const file of job.other ? [job.file, job.other] : [job.file]) {
        if (!written.has(file)) writeFileSync(pathOf(folder, file), await FILES[file]())
        written.add(file)
      }
      if (findTool(job.tool) === undefined) {
        rows.push([job.title, 'no such tool'])
        continue
      }
      const measured = await measureApart(job, { jobPath, folder })
      results.push({ job, measured })
      rows.push(describe(job, measured))
    }
    printTable(rows)
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures one job in this otherwise idle process, and prints the figures as JSON. */
export async function measureJobHere(title: string, folder: string): Promise<void> {
  const job = ENGINE_JOBS.find(one => one.title === title)
  if (job === undefined) throw new Error(`no job ${title}`)
  const path = pathOf(folder, job.file)
  const otherPath = job.other && pathOf(folder, job.other)
  const first = await runOnce(job, path, otherPath)
  const peakBytes = measurePeakBytes()
  const warmUpUntil = performance.now() + WARM_UP_MS
  for (let run = 0; run < WARM_UPS || performance.now() < warmUpUntil; run += 1) await runOnce(job, path, otherPath)
  const ours: number[] = []
  const rivals = RIVAL_NAMES.filter(rival => job.rivals[rival] && findRival(rival) !== undefined).map(rival => ({
    rival,
    times: [] as number[],
  }))
  for (let round = 0; round < ROUNDS; round += 1) {
    // The jobs run side by side because the machine's speed changes. Short jobs run several times because the clock is
    // coarse.
    const until = performance.now() + ROUND_MS
    do ours.push((await runOnce(job, path, otherPath)).cpuMs)
    while (performance.now() < until)
    for (const { rival, times } of rivals)
      times.push(measureRival(rival, job.rivals[rival]?.(path, join(folder, 'out.pdf'), otherPath ?? '') ?? []))
  }
  const measured: Measured = {
    coldMs: first.cpuMs,
    warmMs: median(ours),
    rivalMs: Object.fromEntries(rivals.map(({ rival, times }) => [rival, median(times)])),
    peakBytes,
    inputBytes: statSync(path).size * job.copies + (otherPath === undefined ? 0 : statSync(otherPath).size),
    outputBytes: first.outputBytes,
  }
  print(JSON.stringify(measured))
}

function describe(
  { title, goal, mutoolGoal, gsGoal, goalMs, rivals }: EngineJob,
  { coldMs, warmMs, rivalMs, peakBytes, inputBytes, outputBytes }: Measured,
): string[] {
  return [
    title,
    goalMs === undefined ? formatMs(warmMs) : `${against(warmMs, goalMs)} ms`,
    formatMs(coldMs),
    ...RIVAL_NAMES.map(rival =>
      rivals[rival] === undefined ? '–' : rivalMs[rival] === undefined ? 'not installed' : formatMs(rivalMs[rival]),
    ),
    compare(warmMs, rivalMs.qpdf, goal),
    compare(warmMs, rivalMs.mutool, mutoolGoal),
    compare(warmMs, rivalMs.gs, gsGoal),
    formatMb(inputBytes),
    formatMb(outputBytes),
    formatMb(peakBytes),
    goal === undefined ? '–' : against(Math.max(0, peakBytes - PROCESS_BYTES) / (inputBytes + outputBytes), 3, 1),
  ]
}

/** The ratio of two times beside its goal. A dash if there is no goal or no other program. */
function compare(warmMs: number, rivalMs: number | undefined, goal: number | undefined): string {
  return rivalMs === undefined || goal === undefined ? '–' : against(warmMs / rivalMs, goal)
}

/** Runs the job in a process with the flags of an engine process. */
async function measureApart(
  { title }: EngineJob,
  { jobPath, folder }: { jobPath: string; folder: string },
): Promise<Measured> {
  const child = spawn(process.execPath, [...listNodeFlags(ENGINE_RSS_BYTES), jobPath, title, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let response = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (response += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part))
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`${title} ended with ${code}: ${complaint.slice(-800)}`)
  return JSON.parse(response) as Measured // measureJobHere prints this.
}

/** Reads the files again each time, so that memory holds no copy that an engine process would not hold. */
async function runOnce(
  { tool, options, copies }: EngineJob,
  path: string,
  otherPath: string | undefined,
): Promise<{ cpuMs: number; outputBytes: number }> {
  const parsed = findTool(tool)?.options.parse(options)
  const paths = [...Array.from({ length: copies }, () => path), ...(otherPath === undefined ? [] : [otherPath])]
  const files = paths.map((one, index) => ({ name: `in-${index}.pdf`, bytes: readPlain(one) }))
  const before = process.cpuUsage()
  const { chunks } = await runJob({ tool, options: parsed, files, limits: LIMITS }, () => undefined)
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, outputBytes: chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0) }
}

/** A view that isn't a Buffer, like the files in an engine process. */
function readPlain(path: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  return new Uint8Array(buffer, byteOffset, byteLength)
}

const pathOf = (folder: string, file: FileName) => join(folder, `${file}.pdf`)

/** How often each job is measured. The result is the median. */
export const ROUNDS = 7
const ROUND_MS = 100
const WARM_UPS = 4
const WARM_UP_MS = 1000
const PROCESS_BYTES = 100e6
const ENGINE_RSS_BYTES = 1500 * 2 ** 20
