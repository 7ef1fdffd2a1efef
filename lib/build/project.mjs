import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The sources of Next.js, the server, its engines and the clients that it offers. */
const SOURCES = [
  'app',
  'lib',
  'engines',
  'db',
  'clients',
  'public',
  'next.config.mjs',
  'tsconfig.json',
  'package-lock.json',
]

/** Throws an Error if this Node.js is older than package.json requires. */
export function assertNode() {
  const requiredVersion = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node.replace(
    /[^\d.]/g,
    '',
  )
  const currentVersion = process.versions.node
  if (isOlder(currentVersion, requiredVersion))
    throw new Error(
      `Requires Node.js ${requiredVersion} or later. Got ${currentVersion}. Install a current version from ` +
        'https://nodejs.org and start again.',
    )
}

function isOlder(currentVersion, requiredVersion) {
  const [currentParts, requiredParts] = [currentVersion, requiredVersion].map(version => version.split('.').map(Number))
  const differing = currentParts.findIndex((part, i) => part !== (requiredParts[i] ?? 0))
  return differing !== -1 && currentParts[differing] < (requiredParts[differing] ?? 0)
}

/** Changes to the project's folder. Relative folders in variables keep their meaning. */
export function enterProject() {
  for (const name of ['DATA_DIR', 'CACHE_DIR']) if (process.env[name]) process.env[name] = resolve(process.env[name])
  process.chdir(ROOT)
}

/**
 * Sets the environment variables of Next.js and next-auth. next-auth takes the site's origin from headers that
 * lib/accounts/sign-in/auth-handler.ts creates, which no client controls. A NEXTAUTH_URL would override them.
 */
export function prepareEnvironment({ mode, distDir }) {
  Object.assign(process.env, {
    NODE_ENV: mode,
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_DIST_DIR: distDir,
    AUTH_TRUST_HOST: '1',
  })
  delete process.env.NEXTAUTH_URL
}

/** Returns a short hash of all sources of a build. The same content has the same hash in every checkout. */
export function fingerprintSources() {
  const hash = createHash('sha256')
  hash.update(`node ${process.versions.node} ${process.platform} ${process.arch}\n`)
  for (const path of SOURCES) addToHash(hash, path)
  return hash.digest('hex').slice(0, 16)
}

function addToHash(hash, path) {
  const content = readContent(path)
  if (content === undefined) return
  if (content instanceof Uint8Array) hash.update(`${path} ${content.length}\n`).update(content)
  else for (const name of content) addToHash(hash, `${path}/${name}`)
}

/** Returns the bytes of a file, the sorted names in a folder, or undefined if neither exists. */
function readContent(path) {
  try {
    return readFileSync(join(ROOT, path))
  } catch (error) {
    if (error.code === 'EISDIR')
      return readdirSync(join(ROOT, path))
        .filter(name => !name.startsWith('.'))
        .sort()
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
