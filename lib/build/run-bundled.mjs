// Runs a command that works with a running server or without: `npm run account`, `npm run reconcile`. Only its own
// output goes to stdout.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './build.mjs'
import { bundle, PROCESSES } from './bundle.mjs'
import { assertNode, enterProject, fingerprintSources, ROOT } from './project.mjs'
import { runMain, tellAside } from './tell.mjs'

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

/** The command of these sources: the one beside their build, else one bundled for itself. */
async function findCommand(command) {
  const name = fingerprintSources()
  const built = join(ROOT, '.next/builds', name, `${command}.mjs`)
  if (existsSync(built)) return built
  const own = join(COMMANDS, `${command}-${name}`)
  if (!existsSync(own)) await bundleCommand(command, own)
  return join(own, `${command}.mjs`)
}

async function bundleCommand(command, folder) {
  const temporary = `${folder}.${process.pid}`
  mkdirSync(COMMANDS, { recursive: true })
  removeOld()
  await bundle({ [command]: PROCESSES[command] }, temporary)
  try {
    renameSync(temporary, folder)
  } catch {
    rmSync(temporary, { recursive: true, force: true }) // another one was faster: the same content
  }
}

function removeOld() {
  for (const name of readdirSync(COMMANDS)) {
    const path = join(COMMANDS, name)
    if (Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { recursive: true, force: true })
  }
}
