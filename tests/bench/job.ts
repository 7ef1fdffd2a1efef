import { measureJobHere } from './engine-goals'

// A process of its own for one job, bundled by itself: what the rest of the benchmark loads would count as the engine's
// memory.
const [, , title = '', folder = ''] = process.argv
await measureJobHere(title, folder)
