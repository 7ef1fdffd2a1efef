import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { runJob } from '../../engines/jobs'
import { type RunJob } from '../../engines/types'
import { serveJobs } from '../../engines/pool/serve-jobs'
import { warmUpTools } from '../../engines/tools/warm-up'
import { holdPath, IS_HOLD } from './hold'

const LOOK_AGAIN_MS = 20
const WARM_UP_BUDGET_MS = 100 // Most services of tests get few requests.

/** Keeps the result of a job with the document of a test's hold until the test releases it. */
const holdJobs: RunJob = async (job, onOpened) => {
  const result = await runJob(job, onOpened)
  const paths = job.files.filter(({ name }) => IS_HOLD.test(name)).map(({ name }) => holdPath(name))
  while (paths.some(path => existsSync(path))) await wait(LOOK_AGAIN_MS)
  return result
}

await serveJobs(holdJobs, () => warmUpTools(runJob, WARM_UP_BUDGET_MS))
