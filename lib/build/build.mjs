import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, PROCESSES } from './bundle.mjs'
import { listPackedFonts, unpackFonts } from './fonts.mjs'
import { install, isInstalled } from './install.mjs'
import { withLock } from './lock.mjs'
import { describeOwner, isAlive } from './lock-owner.mjs'
import { packClients } from './pack-clients.mjs'
import { fingerprintSources, ROOT } from './project.mjs'
import { runCommand, tail } from './run-command.mjs'
import { shareChunks } from './share-chunks.mjs'

const WORK = join(ROOT, '.next')
const BUILDS = join(WORK, 'builds')
const LOCK = join(WORK, 'start.lock')
const USERS = 'users'

/**
 * Returns the folder name of a build of the current sources, which is created if missing. `use` protects the build from
 * removal while this process lives. A build is created under another name and renamed when it is complete, so no
 * process ever sees a partial build.
 */
export async function ensureBuild(tell, { use }) {
  if (!isWritable()) return findFinishedBuild()
  return withLock(LOCK, tell, async () => {
    await installMissing(tell)
    const fingerprint = fingerprintSources()
    const name = existsSync(join(BUILDS, fingerprint)) ? fingerprint : await build(fingerprint, tell)
    if (use) recordUser(name)
    removeUnused(name)
    return `.next/builds/${name}`
  })
}

/** Installs missing packages and unpacks their fonts. Only one process of this checkout installs at a time. */
export async function ensureInstalled(tell) {
  if (isInstalled() && listPackedFonts().length === 0) return
  mkdirSync(WORK, { recursive: true })
  await withLock(LOCK, tell, () => installMissing(tell))
}

async function installMissing(tell) {
  if (!isInstalled()) await install(tell)
  await unpackFonts()
}

/** Creates a separate tsconfig for Next.js, because Next.js writes its own settings into it. */
export function writeNextTsconfig() {
  mkdirSync(WORK, { recursive: true })
  writeFileSync(join(WORK, 'tsconfig.json'), `${JSON.stringify({ extends: '../tsconfig.json' }, null, 2)}\n`)
}

async function build(name, tell) {
  const seconds = startClock()
  const temporary = `${name}.${process.pid}`
  tell('building')
  rmSync(join(BUILDS, temporary), { recursive: true, force: true })
  mkdirSync(BUILDS, { recursive: true })
  writeNextTsconfig()
  try {
    await buildAll(temporary)
  } catch (error) {
    rmSync(join(BUILDS, temporary), { recursive: true, force: true })
    throw error
  }
  tell(`built in ${seconds()} s`)
  // The sources changed during the build. The build can run, but must not be found under this name.
  if (fingerprintSources() !== name) return temporary
  renameSync(join(BUILDS, temporary), join(BUILDS, name))
  return name
}

async function buildAll(folder) {
  const next = await runCommand(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_DIST_DIR: `.next/builds/${folder}`,
  })
  if (next.code !== 0)
    throw new Error(
      'next build ' +
        `failed${next.signal ? ` (${next.signal}: check that enough memory is free)` : ''}:\n\n${tail(next.output, 60)}`,
    )
  for (const chunks of ['server/chunks', 'server/chunks/ssr']) shareChunks(join(BUILDS, folder, chunks))
  await bundle(PROCESSES, join(BUILDS, folder))
  await packClients(join(BUILDS, folder, 'clients'))
}

function startClock() {
  const started = performance.now()
  return () => ((performance.now() - started) / 1000).toFixed(1)
}

function recordUser(name) {
  const folder = join(BUILDS, name, USERS)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, String(process.pid)), JSON.stringify(describeOwner()))
}

/** Removes unused and unfinished builds. Only the owner of the lock builds. */
function removeUnused(current) {
  for (const name of readdirSync(BUILDS)) {
    if (name !== current && !hasUsers(name)) rmSync(join(BUILDS, name), { recursive: true, force: true })
  }
}

function hasUsers(name) {
  const folder = join(BUILDS, name, USERS)
  if (!existsSync(folder)) return false
  return readdirSync(folder).some(file => {
    try {
      return isAlive(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    } catch {
      return false // The file was truncated during writing, so its process never used the build.
    }
  })
}

function isWritable() {
  try {
    mkdirSync(WORK, { recursive: true })
    const probe = join(WORK, `.probe.${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
    return true
  } catch {
    return false
  }
}

/** Returns an earlier build, which can still run if the folder isn't writable. */
function findFinishedBuild() {
  const folder = `.next/builds/${fingerprintSources()}`
  if (existsSync(join(ROOT, folder))) return folder
  throw new Error(
    `The sources are not built, and ${WORK} isn't writable. Start once as a user with write access, then start again.`,
  )
}
