// `npm run bench`: bundles tests/bench/bench.ts with an engine process and the processes of jobs and invoices beside it, runs it and
// passes the arguments on.
import { PROCESSES } from '../../lib/build/bundle.mjs'
import { runBundled } from '../run/bundled-program.mjs'

await runBundled({
  bench: 'tests/bench/bench.ts',
  job: 'tests/bench/job.ts',
  invoice: 'tests/bench/invoice-process.ts',
  engine: PROCESSES.engine,
  pages: PROCESSES.pages,
  fonts: PROCESSES.fonts,
})
