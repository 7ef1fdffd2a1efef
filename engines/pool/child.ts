import { warmUpInvoice } from '../features/invoice/warm-up'
import { runJob } from '../jobs'
import { warmUpText } from '../pdf/text/warm-up'
import { serveJobs } from './serve-jobs'
import { warmUpTools } from '../tools/warm-up'

const WARM_UP_BUDGET_MS = 400

process.title = 'sheaf-engine'
await serveJobs(runJob, async () => {
  await warmUpTools(runJob, WARM_UP_BUDGET_MS)
  await warmUpText()
  await warmUpInvoice()
})
