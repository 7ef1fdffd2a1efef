// `npm run chaos`: bundles tests/hostile/chaos/chaos.ts, runs it and passes the arguments on.
import { join } from 'node:path'
import { ensureBuild, ensureInstalled } from '../../../lib/build/build.mjs'
import { bundleInto } from '../../../lib/build/bundle.mjs'
import { assertNode, enterProject } from '../../../lib/build/project.mjs'
import { runMain, tell } from '../../../lib/build/print-status.mjs'
import { runProgram } from '../../run/programs.mjs'

const LIMIT_MS = 6 * 60 * 60_000

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tell)
  await ensureBuild(tell, { use: false })
  const folder = await bundleInto('chaos', {
    chaos: 'tests/hostile/chaos/chaos.ts',
    attack: 'tests/hostile/chaos/attack.ts',
  })
  process.exitCode = await runProgram([join(folder, 'chaos.mjs'), ...process.argv.slice(2)], { limitMs: LIMIT_MS })
})
