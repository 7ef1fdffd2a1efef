// `npm run outputs -- record FOLDER FILE [TOOL …]` runs every tool, or the named ones, on PDFs of a folder and writes hashes
// of the results. `npm run outputs -- compare FILE` runs the tools again and names every output that differs. Exit code 0
// if none does. Use it for changes that must keep all outputs byte for byte.
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
  const folder = await bundleInto('outputs', { outputs: 'tests/outputs/outputs.ts' })
  const script = join(folder, 'outputs.mjs')
  process.exitCode = await runProgram([script, ...process.argv.slice(2)], { limitMs: LIMIT_MS })
})
