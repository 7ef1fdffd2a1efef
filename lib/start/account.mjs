// `npm run account`: makes an account or adds credits, with a running server or without. Only its JSON goes to stdout.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './build.mjs'
import { bundle, PROCESSES } from './bundle.mjs'
import { assertNode, enterProject, fingerprintSources, ROOT } from './project.mjs'
import { runMain, tellAside } from './tell.mjs'

const COMMANDS = join(ROOT, '.next/account')
const KEEP_MS = 10 * 60_000

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tellAside)
  process.env.NODE_ENV = 'production'
  await import(pathToFileURL(await findCommand()).href)
})

/** The command of these sources: the one beside their build, else one bundled for itself. */
async function findCommand() {
  const name = fingerprintSources()
  const built = join(ROOT, '.next/builds', name, 'account.mjs')
  if (existsSync(built)) return built
  const own = join(COMMANDS, name)
  if (!existsSync(own)) await bundleCommand(own)
  return join(own, 'account.mjs')
}

async function bundleCommand(folder) {
  const temporary = `${folder}.${process.pid}`
  mkdirSync(COMMANDS, { recursive: true })
  removeOld()
  await bundle({ account: PROCESSES.account }, temporary)
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
