import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listNodeFlags } from '../../engines/pool/node-flags'
import { runJob } from '../../engines/jobs'
import { findTool } from '../../engines/tools/registry'
import { PIPELINE_JOB, type PipelinePlan, type StepInput, type ToolResult } from '../../engines/types'
import { LIMITS } from '../support/engine-limits'
import { FILES } from './make-files'
import { measurePeakBytes } from './process-time'
import { against, formatMb, formatMs, median, print, printTable } from './report'

type Step = [tool: string, options: Record<string, unknown>]

const NUMBERS: Step = ['page-numbers', {}]
const MARK: Step = ['add-watermark', { text: 'COPY' }]

/** The chains that are measured, on the file `medium`. A merge gets it twice. */
const CHAINS: Step[][] = [
  [['merge-pdf', {}], NUMBERS, MARK, ['compress-pdf', {}]],
  [['merge-pdf', {}], NUMBERS, MARK],
  [['rotate-pdf', { angle: 90 }], NUMBERS, ['edit-metadata', { title: 'Report' }]],
  [['delete-pages', { pages: '1-20' }], MARK, ['protect-pdf', { userPassword: 'open sesame' }]],
  [['remove-metadata', {}], ['extract-pages', { pages: '1-100' }], NUMBERS],
]

const ROUNDS = 5
const GOAL = 0.6
const MEMORY_GOAL = 1.2

/** The figures of one process. */
interface Measured {
  chainMs: number
  apartMs: number
  peakBytes: number
}

/**
 * Compares the processor time of chains with the sum of a job for each step, and their peak memory with that of the
 * largest step. Each chain runs in the script at `jobPath`.
 */
export function measurePipelines(jobPath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-bench-'))
  const path = join(folder, 'medium.pdf')
  const measure = (index: number, only: string): Measured => {
    const args = [...listNodeFlags(1500 * 2 ** 20), jobPath, `pipeline ${index} ${only}`, folder]
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`a chain failed: ${stderr}`)
    return JSON.parse(stdout) as Measured // The script prints this.
  }
  try {
    writeFileSync(path, FILES.medium())
    const rows = [
      ['chain', 'together', 'apart', 'together/apart (goal)', 'peak', 'peak of the largest step', 'ratio (goal)'],
    ]
    for (const [index, steps] of CHAINS.entries()) {
      const { chainMs, apartMs } = measure(index, 'time')
      const { peakBytes } = measure(index, 'all')
      const largest = Math.max(...steps.map((_, step) => measure(index, String(step)).peakBytes))
      rows.push([
        steps.map(([tool]) => tool).join(' → '),
        formatMs(chainMs),
        formatMs(apartMs),
        against(chainMs / apartMs, GOAL),
        formatMb(peakBytes),
        formatMb(largest),
        against(peakBytes / largest, MEMORY_GOAL),
      ])
    }
    print('\nPipelines: CPU time and memory of steps together and apart')
    printTable(rows)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures one chain in this otherwise idle process, or only the step at a position, and prints the figures as JSON. */
export async function measurePipelineHere(title: string, folder: string): Promise<void> {
  const [, index = '', only = ''] = title.split(' ')
  const steps = CHAINS[Number(index)] ?? []
  const bytes = readFileSync(join(folder, 'medium.pdf'))
  const inputs = steps[0]?.[0] === 'merge-pdf' ? [bytes, bytes] : [bytes]
  const chainTimes: number[] = []
  const apartTimes: number[] = []
  if (only === 'time')
    for (let round = -1; round < ROUNDS; round++) {
      const [chainMs, apartMs] = [
        await timed(() => runChain(steps, inputs)),
        await timed(() => runApart(steps, inputs)),
      ]
      if (round < 0) continue // The first round compiles the code.
      chainTimes.push(chainMs)
      apartTimes.push(apartMs)
    }
  else if (only === 'all') await runChain(steps, inputs)
  else await runApart(steps, inputs, Number(only))
  const measured: Measured = { chainMs: median(chainTimes), apartMs: median(apartTimes), peakBytes: measurePeakBytes() }
  print(JSON.stringify(measured))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function runChain(steps: readonly Step[], inputs: readonly Uint8Array[]): Promise<ToolResult> {
  const plan: PipelinePlan = {
    hasReceipt: false,
    steps: steps.map(([id, sent], index) => {
      const options = findTool(id)?.options.parse(sent) ?? {}
      const own: StepInput[] = index === 0 ? inputs.map((_, file) => ({ file })) : [{ step: index - 1 }]
      return { kind: 'tool', id, options, shownOptions: {}, inputs: own }
    }),
  }
  return run(PIPELINE_JOB, plan, inputs)
}

/** Runs the steps as single jobs, as requests of their own do. Stops after the step at `last`. */
async function runApart(steps: readonly Step[], inputs: readonly Uint8Array[], last = steps.length - 1): Promise<void> {
  let files = inputs
  for (const [id, options] of steps.slice(0, last + 1)) files = [Buffer.concat((await run(id, options, files)).chunks)]
}

function run(tool: string, options: unknown, inputs: readonly Uint8Array[]): Promise<ToolResult> {
  const files = inputs.map((bytes, index) => ({ name: `file-${index}.pdf`, bytes }))
  return runJob({ tool, options, files, limits: LIMITS }, () => undefined)
}
