// `npm run growth`: bundles tests/bench/growth.ts, runs it and passes the arguments on.
import { join } from 'node:path'
import { ensureInstalled } from '../../lib/build/build.mjs'
import { bundleInto } from '../../lib/build/bundle.mjs'
import { assertNode, enterProject } from '../../lib/build/project.mjs'
import { runMain, tell } from '../../lib/build/print-status.mjs'
import { runProgram } from '../run/programs.mjs'

const LIMIT_MS = 60 * 60_000

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tell)
  const folder = await bundleInto('growth', { growth: 'tests/bench/growth.ts' })
  process.exitCode = await runProgram([join(folder, 'growth.mjs'), ...process.argv.slice(2)], { limitMs: LIMIT_MS })
})
