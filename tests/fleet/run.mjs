// `npm run fleet`: bundles tests/fleet/fleet.ts, runs it and passes the arguments on. With `--image`, the script
// replays the steps of deploy/Dockerfile instead (tests/fleet/image.ts).
import { join } from 'node:path'
import { ensureBuild, ensureInstalled } from '../../lib/build/build.mjs'
import { bundleInto } from '../../lib/build/bundle.mjs'
import { assertNode, enterProject } from '../../lib/build/project.mjs'
import { runMain, tell } from '../../lib/build/print-status.mjs'
import { runProgram } from '../run/programs.mjs'

const LIMIT_MS = 30 * 60_000

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tell)
  const args = process.argv.slice(2)
  const isImage = args.includes('--image')
  if (!isImage) await ensureBuild(tell, { use: false })
  const folder = await bundleInto('fleet', {
    fleet: 'tests/fleet/fleet.ts',
    image: 'tests/fleet/image.ts',
    attack: 'tests/hostile/chaos/attack.ts',
  })
  process.exitCode = await runProgram(
    [join(folder, isImage ? 'image.mjs' : 'fleet.mjs'), ...args.filter(one => one !== '--image')],
    { limitMs: LIMIT_MS },
  )
})
