// `npm run bench`: bundles tests/bench/bench.ts with an engine process and the processes of jobs and invoices beside it, runs it and
// passes the arguments on.
import { join } from 'node:path'
import { ensureInstalled } from '../../lib/build/build.mjs'
import { bundleInto, PROCESSES } from '../../lib/build/bundle.mjs'
import { assertNode, enterProject } from '../../lib/build/project.mjs'
import { runMain, tell } from '../../lib/build/print-status.mjs'
import { runProgram } from '../run/programs.mjs'

const LIMIT_MS = 60 * 60_000

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tell)
  const folder = await bundleInto('bench', {
    bench: 'tests/bench/bench.ts',
    job: 'tests/bench/job.ts',
    invoice: 'tests/bench/invoice-process.ts',
    engine: PROCESSES.engine,
    pages: PROCESSES.pages,
    fonts: PROCESSES.fonts,
  })
  process.exitCode = await runProgram([join(folder, 'bench.mjs'), ...process.argv.slice(2)], { limitMs: LIMIT_MS })
})
