// Runs a command that works with and without a running server: `npm run account`, `npm run reconcile`. Only the
// command's own output goes to stdout.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './build.mjs'
import { bundle, PROCESSES } from './bundle.mjs'
import { assertNode, enterProject, fingerprintSources, ROOT } from './project.mjs'
import { runMain, tellAside } from './print-status.mjs'

const COMMANDS = join(ROOT, '.next/commands')
const KEEP_MS = 10 * 60_000

/** Runs one of PROCESSES in this process. */
export function runBundled(command) {
  return runMain(async () => {
    assertNode()
    enterProject()
    await ensureInstalled(tellAside)
    process.env.NODE_ENV = 'production'
    await import(pathToFileURL(await findCommand(command)).href)
  })
}

/** Returns the command of these sources, from their build or from a separate bundle. */
async function findCommand(command) {
  const name = fingerprintSources()
  const built = join(ROOT, '.next/builds', name, `${command}.mjs`)
  if (existsSync(built)) return built
  const bundleFolder = join(COMMANDS, `${command}-${name}`)
  if (!existsSync(bundleFolder)) await bundleCommand(command, bundleFolder)
  return join(bundleFolder, `${command}.mjs`)
}

async function bundleCommand(command, folder) {
  const temporary = `${folder}.${process.pid}`
  mkdirSync(COMMANDS, { recursive: true })
  removeOld()
  await bundle({ [command]: PROCESSES[command] }, temporary)
  try {
    renameSync(temporary, folder)
  } catch {
    rmSync(temporary, { recursive: true, force: true }) // Another process was faster and created the same content.
  }
}

function removeOld() {
  for (const name of readdirSync(COMMANDS)) {
    const path = join(COMMANDS, name)
    if (Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { recursive: true, force: true })
  }
}
