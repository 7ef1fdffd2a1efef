import { join } from 'node:path'
import { ensureBuild, ensureInstalled } from '../../lib/build/build.mjs'
import { bundleInto } from '../../lib/build/bundle.mjs'
import { assertNode, enterProject } from '../../lib/build/project.mjs'
import { runMain, tell } from '../../lib/build/print-status.mjs'
import { runProgram } from './programs.mjs'

const HOUR = 60 * 60_000

/**
 * Bundles the entries, each into a script with its name, and runs `main`, the first one by default, with the arguments.
 * Its exit code becomes ours. With `needsBuild`, it builds the service before.
 */
export async function runBundled(
  entries,
  { main = Object.keys(entries)[0], args = process.argv.slice(2), hours = 1, needsBuild = false } = {},
) {
  await runMain(async () => {
    assertNode()
    enterProject()
    await ensureInstalled(tell)
    if (needsBuild) await ensureBuild(tell, { use: false })
    const folder = await bundleInto(Object.keys(entries)[0], entries)
    process.exitCode = await runProgram([join(folder, `${main}.mjs`), ...args], { limitMs: hours * HOUR })
  })
}
