import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient, sendRequest } from '../contract/client'
import { makePdf } from '../contract/documents'
import { readDockerfile } from '../deploy/dockerfile'
import { type Row, judge } from '../hostile/chaos/scenario'
import { describeResults, didPass } from '../hostile/chaos/results'
import { enterAsContainer, type Image, listMissing, makeBase, replay } from './replay'

// `npm run fleet -- --image [--base FOLDER]`
//
// Replays deploy/Dockerfile without a container engine. The base comes from debootstrap, with the machine's Node.js.
// Every instruction runs unchanged, and then the service runs as the image's user on a read-only file system. Requires
// root, the network and some minutes. The script removes its folder at the end. `--base` names a folder that keeps
// debootstrap's Debian for the next time.

const START_MS = 180_000
const END_MS = 60_000
const LOOK_AGAIN_MS = 250

async function main(args: string[]): Promise<number> {
  const {
    values: { base },
  } = parseArgs({ args, options: { base: { type: 'string' } } })
  const since = performance.now()
  const missing = listMissing()
  const rows =
    missing.length > 0
      ? [
          {
            what: 'the steps of deploy/Dockerfile',
            done: 0,
            asked: 0,
            problems: [],
            skipped: `missing: ${missing.join(', ')} (apt-get install debootstrap util-linux mount, as root)`,
          },
        ]
      : await tryImage(base)
  const result = {
    part: 'image',
    database: 'pglite' as const,
    scale: 1,
    at: new Date().toISOString(),
    seconds: (performance.now() - since) / 1000,
    rows,
  }
  process.stdout.write(`\n${describeResults([result])}\n`)
  return didPass(result) ? 0 : 1
}

async function tryImage(keptBase: string | undefined): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-image-'))
  try {
    const stages = readDockerfile(readFileSync('deploy/Dockerfile', 'utf8'))
    const asked = stages.reduce((sum, { instructions }) => sum + instructions.length, 0)
    let done = 0
    tell('base: debootstrap bookworm')
    const base = keptBase ?? join(folder, 'base')
    await makeBase(base)
    const image = await replay(stages, {
      base,
      folder,
      tell: line => {
        done += 1
        tell(line)
      },
    })
    return [{ what: 'instructions of deploy/Dockerfile', done, asked, problems: [] }, ...(await tryService(image))]
  } catch (error) {
    return [
      {
        what: 'the image was made',
        done: 0,
        asked: 1,
        problems: [error instanceof Error ? error.message : String(error)],
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function tryService(image: Image): Promise<Row[]> {
  const base = `http://127.0.0.1:${await findFreePort()}`
  const environment = {
    NODE_ENV: 'production' as const,
    ...image.environment,
    PORT: new URL(base).port,
    HOST: '127.0.0.1',
    // The machine of this test may not allow the sandbox. The result says whether the browser has one.
    BROWSER_SANDBOX: 'preferred',
  }
  const start = (command: string[]) =>
    spawn('unshare', enterAsContainer(image, command), {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
  const service = start([...image.entrypoint, ...image.command])
  const log = collect(service)
  const ended = once(service, 'exit').then(([code]) => code as number | null)
  try {
    await untilReady(base, () => service.exitCode !== null, log)
    const health = await finish(start(image.healthcheck))
    const account = await finish(start(['node', 'lib/commands/account.mjs', 'image@example.test']))
    const { apiKey } = JSON.parse(account.said.split('\n')[0] ?? '') as { apiKey: string } // The result is one line.
    const client = createClient(base, apiKey)
    const call = await client.callToolAsForm('rotate-pdf', { name: 'image.pdf', bytes: makePdf() }, { angle: 90 })
    const page = await client.sendJson('/api/external/webpage-to-pdf/pdf', { html: '<p>printed by Chromium' })
    const { json } = await sendRequest(base, { path: '/api/health', method: 'GET' })
    const writing = await finish(start(['sh', '-c', 'touch /app/x /usr/x; id -u']))
    process.kill(service.pid ?? 0, 'SIGTERM')
    const code = await Promise.race([ended, wait(END_MS).then(() => 'still running')])
    return [
      judge('the health check of the image passes', [health.code === 0 ? undefined : health.said]),
      judge('a call is answered with its file', [
        call.status === 200 && call.bytes.subarray(0, 5).toString() === '%PDF-'
          ? undefined
          : `${call.status} ${call.bytes.toString().slice(0, 300)}`,
      ]),
      judge(
        'a web page is printed',
        [page.status === 200 ? undefined : `${page.status} ${page.bytes.toString().slice(0, 300)}`],
        `by ${JSON.stringify(json['browser'])}`,
      ),
      judge('it runs as the user of the image, who can write nothing of it', [
        writing.said.trim().endsWith(image.user.split(':')[0] ?? '') && writing.said.split('Read-only').length === 3
          ? undefined
          : writing.said,
      ]),
      judge('SIGTERM ends it with exit code 0', [code === 0 ? undefined : `exit code ${code}`]),
    ]
  } finally {
    endGroup(service.pid)
  }
}

type Child = ReturnType<typeof spawn>

function collect(child: Child): () => string {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (said = (said + part).slice(-10_000)))
  return () => said
}

async function finish(child: Child): Promise<{ code: number | null; said: string }> {
  const said = collect(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said: said() }
}

async function untilReady(base: string, isOver: () => boolean, log: () => string): Promise<void> {
  for (const since = performance.now(); performance.now() - since < START_MS && !isOver(); await wait(LOOK_AGAIN_MS)) {
    const response = await sendRequest(base, { path: '/api/ready', method: 'GET' }).catch(() => undefined)
    if (response?.status === 200) return
  }
  throw new Error(`the service of the image was not ready: ${log()}`)
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo // The server listens on a port.
  probe.close()
  return port
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await main(process.argv.slice(2))
