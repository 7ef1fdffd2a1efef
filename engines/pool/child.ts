import { runTool } from '../pdf-tools/run-tool'
import { warmUpText } from '../text/warm-up'
import { answerJobs } from './answer-jobs'
import { warmUpTools } from './warm-up'

const WARM_UP_BUDGET_MS = 400

process.title = 'sheaf-engine'
await answerJobs(runTool, async () => {
  await warmUpTools(runTool, WARM_UP_BUDGET_MS)
  await warmUpText()
})
