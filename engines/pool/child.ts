import { runJob, warmUp } from '../jobs'
import { serveJobs } from './serve-jobs'

process.title = 'sheaf-engine'
await serveJobs(runJob, warmUp)
