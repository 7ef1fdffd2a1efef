import { measureJobHere } from './engine-goals'
import { measurePipelineHere } from './pipeline'

// A separate process for one job, bundled alone. Otherwise the other modules of the benchmark would count as the
// engine's memory.
const [, , title = '', folder = ''] = process.argv
await (title.startsWith('pipeline ') ? measurePipelineHere(title, folder) : measureJobHere(title, folder))
