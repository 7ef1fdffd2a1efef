import { measureJobHere } from './engine-goals'

// A separate process for one job, bundled alone. Otherwise the other modules of the benchmark would count as the
// engine's memory.
const [, , title = '', folder = ''] = process.argv
await measureJobHere(title, folder)
