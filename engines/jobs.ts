import { INVOICE_JOB } from './features/invoice/data/invoice'
import { runInvoice } from './features/invoice/run-invoice'
import { listRunnableTools } from './tools/registry'
import { runOutline } from './tools/outline'
import { runTool } from './tools/run-tool'
import type { RunJob } from './types'
import { EngineError } from './errors'
import { OUTLINE_JOB, PIPELINE_JOB } from './types'
import { runPipeline } from './pipeline/run-pipeline'
import { runIndexArchive } from './webpage/archive/index-archive'
import { finishPage } from './tools/finish-page'
import { INDEX_ARCHIVE_JOB } from './webpage/request/page-source'
import { warmUpInvoice } from './features/invoice/warm-up'
import { warmUpText } from './pdf/typeset'
import { warmUpTools } from './tools/warm-up'

/** All kinds of jobs that an engine process can run, by name. */
const JOBS: ReadonlyMap<string, RunJob> = new Map([
  ...[...listRunnableTools(), finishPage].map(tool => [tool.id, runTool.bind(undefined, tool)] as const),
  [INVOICE_JOB, runInvoice],
  [OUTLINE_JOB, runOutline],
  [PIPELINE_JOB, runPipeline],
  [INDEX_ARCHIVE_JOB, runIndexArchive],
])

/** Runs a job. Throws EngineError `internal` for an unknown job, and whatever the work throws. */
export const runJob: RunJob = async (job, onOpened) => {
  const run = JOBS.get(job.tool)
  if (!run) throw new EngineError('internal', `There is no job "${job.tool}".`)
  return run(job, onOpened)
}

const TOOLS_BUDGET_MS = 400

/** Loads and compiles what most requests need, before the first request. */
export async function warmUp(): Promise<void> {
  await warmUpTools(runJob, TOOLS_BUDGET_MS)
  await warmUpText()
  await warmUpInvoice()
}
