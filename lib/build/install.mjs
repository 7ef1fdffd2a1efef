import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from './project.mjs'
import { runCommand, tail } from './run-command.mjs'

const STAMP = join(ROOT, 'node_modules/.sheaf-installed')

// With npm 11, `npm ci` refuses this lock because of packages of other platforms. `install` with the same lock works.
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev', '--loglevel=warn', '--no-progress']

/** Returns whether node_modules matches the lock. Takes a few milliseconds. */
export function isInstalled() {
  const fingerprint = fingerprintLock()
  if (readText(STAMP) === fingerprint) return true
  if (!isInstalledByHand()) return false
  stamp(fingerprint)
  return true
}

/** Installs the packages of the lock. Throws an Error with npm's last output. */
export async function install(tell) {
  tell('installing packages (a few minutes the first time)')
  const npm = findNpm()
  const cache = await findWritableCache(npm)
  try {
    const result = await runNpm(npm, INSTALL, cache.environment)
    if (result.code !== 0)
      throw new Error(
        `npm failed to install the packages:\n\n${tail(result.output, 20)}\n\nCheck the access to the npm registry ` +
          'and the free disk space. Then start again.',
      )
    stamp(fingerprintLock())
  } finally {
    cache.remove()
  }
}

/** Adds packages to package.json, to its lock and to node_modules. Throws an Error with npm's last output. */
export async function addPackages(names) {
  const npm = findNpm()
  const cache = await findWritableCache(npm)
  try {
    const result = await runNpm(
      npm,
      [
        'install',
        '--save-exact',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--loglevel=warn',
        '--no-progress',
        ...names,
      ],
      cache.environment,
    )
    if (result.code !== 0) throw new Error(`npm failed to add ${names.join(', ')}:\n\n${tail(result.output, 20)}`)
    stamp(fingerprintLock())
  } finally {
    cache.remove()
  }
}

function fingerprintLock() {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(ROOT, name)))
  return hash.digest('hex')
}

/** Returns whether npm's hidden lock contains every package in the version of our lock. */
function isInstalledByHand() {
  const lockedPackages = readJson(join(ROOT, 'package-lock.json'))?.packages ?? {}
  const installedPackages = readJson(join(ROOT, 'node_modules/.package-lock.json'))?.packages
  if (!installedPackages) return false
  return Object.entries(lockedPackages).every(([path, { version, optional, link }]) => {
    if (path === '' || link) return true
    return installedPackages[path]
      ? installedPackages[path].version === version && existsSync(join(ROOT, path))
      : optional === true
  })
}

function stamp(fingerprint) {
  try {
    writeFileSync(STAMP, fingerprint)
  } catch {
    // node_modules belongs to another user. The next start compares the packages again.
  }
}

/** Returns the npm that runs this process, otherwise the npm on the PATH. */
function findNpm() {
  const running = process.env.npm_execpath
  return running && basename(running) === 'npm-cli.js' ? [process.execPath, running] : ['npm']
}

/** npm fails without a writable cache (for example in a read-only home). In that case, it gets a cache for this run. */
async function findWritableCache(npm) {
  const npmResult = await runNpm(npm, ['config', 'get', 'cache', '--loglevel=silent'], {})
  const defaultCache = tail(npmResult.output, 1)
  try {
    mkdirSync(defaultCache, { recursive: true })
    accessSync(defaultCache, constants.W_OK)
    return { environment: {}, remove() {} }
  } catch {
    const temporaryCache = mkdtempSync(join(tmpdir(), 'sheaf-npm-'))
    return {
      environment: { npm_config_cache: temporaryCache },
      remove: () => rmSync(temporaryCache, { recursive: true, force: true }),
    }
  }
}

async function runNpm([program, ...first], args, extraEnvironment) {
  try {
    return await runCommand(program, [...first, ...args], {
      ...process.env,
      PUPPETEER_SKIP_DOWNLOAD: '1',
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
      ...extraEnvironment,
    })
  } catch (error) {
    throw new Error('npm did not start. Check that npm is installed with Node.js.', { cause: error })
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function readJson(path) {
  const text = readText(path)
  return text === undefined ? undefined : JSON.parse(text)
}
