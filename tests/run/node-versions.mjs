// Starts the service on other versions of Node.js and sends one request to each.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../../lib/build/project.mjs'

const READY_MS = 300_000 // The first start of a version builds the service.
const STOP_MS = 60_000
const SAMPLES = ['letter.pdf', 'terms.pdf']

/** The versions in SHEAF_NODE_VERSIONS, such as `22 24.21.0 26`. None if it is unset. */
export const NODE_VERSIONS = (process.env.SHEAF_NODE_VERSIONS ?? '').split(/[\s,]+/).filter(version => version !== '')

/** Tries each version as one test. */
export async function tryNodeVersions() {
  const problems = []
  for (const version of NODE_VERSIONS) {
    try {
      process.stdout.write(`Node.js ${version}: ${await tryVersion(version)}\n`)
    } catch (error) {
      problems.push(`Node.js ${version}: ${error.message}`)
      process.stdout.write(`${problems.at(-1)}\n`)
    }
  }
  return { passed: NODE_VERSIONS.length - problems.length, failed: problems.length, problems }
}

/** Installs a version from the npm registry, merges two PDFs on it, and returns the version's own name. */
async function tryVersion(version) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-node-'))
  try {
    const node = await installNode(version, folder)
    return await mergeOn(node, join(folder, 'data'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The program of a version. The npm package `node` fetches the same packages with an install script. */
async function installNode(version, folder) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--loglevel=error',
    `${name}@${version}`,
  ]
  const { code, output } = await run('npm', args)
  if (code !== 0) throw new Error(`npm can't install ${name}@${version}: ${output.trim().split('\n').at(-1)}`)
  return join(folder, 'node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
}

async function mergeOn(node, dataDir) {
  const { output: name } = await run(node, ['--version'])
  const port = await findFreePort()
  const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir }
  const service = spawn(node, ['lib/start/start.mjs'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [service.stdout, service.stderr]) stream.setEncoding('utf8').on('data', part => (log += part))
  const ended = once(service, 'exit')
  try {
    const base = `http://127.0.0.1:${port}`
    await untilReady(base, service, () => log)
    const account = await run(node, ['lib/commands/account.mjs', 'reader@example.test'], env)
    await merge(base, JSON.parse(account.output).apiKey)
  } finally {
    service.kill('SIGTERM')
    const timer = setTimeout(() => service.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
  }
  if (service.exitCode !== 0)
    throw new Error(`the service ended with ${service.exitCode ?? service.signalCode}: ${log}`)
  return name.trim()
}

async function merge(base, apiKey) {
  const body = new FormData()
  for (const sample of SAMPLES) {
    body.append('files', new Blob([readFileSync(join(ROOT, 'public/samples', sample))]), sample)
  }
  const headers = { 'x-api-key': apiKey }
  const response = await fetch(`${base}/api/external/pdf-tools/merge-pdf`, { method: 'POST', headers, body })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`${response.status} ${bytes.toString()}`)
  if (bytes.subarray(0, 5).toString() !== '%PDF-') throw new Error('the response is not a PDF')
  const balance = response.headers.get('x-credit-balance')
  if (balance !== '99') throw new Error(`the balance is ${balance}, not 99`)
}

async function untilReady(base, service, readLog) {
  for (const since = performance.now(); performance.now() - since < READY_MS; await wait(100)) {
    if (service.exitCode !== null) throw new Error(`the service ended before it was ready: ${readLog()}`)
    const isReady = await fetch(`${base}/api/ready`).then(
      response => response.status === 200,
      () => false, // The service isn't listening yet.
    )
    if (isReady) return
  }
  throw new Error(`the service was not ready after ${READY_MS / 1000} s: ${readLog()}`)
}

async function run(program, args, env = process.env) {
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', part => (output += part))
  child.stderr.setEncoding('utf8').on('data', part => (complaint += part))
  const [code] = await once(child, 'close')
  return { code, output: output === '' ? complaint : output }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
