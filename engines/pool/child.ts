import { runTool } from '../pdf-tools/run-tool'
import { answerJobs } from './answer-jobs'
import { warmUpTools } from './warm-up'

const WARM_UP_BUDGET_MS = 400

process.title = 'sheaf-engine'
await answerJobs(runTool, () => warmUpTools(runTool, WARM_UP_BUDGET_MS))
