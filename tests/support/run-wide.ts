import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import type { ServiceOptions } from './service'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL at which the process of Vitest starts what test files share. */
    runWide: string
  }
}

/** The module has no types, because it runs before TypeScript is installed. */
const FONTS_MODULE: string = '../../lib/build/fonts.mjs'

/** How test files reach something that was started, and how to end it. */
interface Started {
  reply: unknown
  stop(): Promise<unknown>
}

/**
 * Vitest's global setup, once for each project. Starts services and the servers that they use when the first test file
 * asks for them, and ends them after the last file. They end with this process too, however it ends. See
 * tests/support/shared-services.ts.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { unpackFonts } = (await import(FONTS_MODULE)) as { unpackFonts(): Promise<void> }
  await unpackFonts() // After an installation by hand, nothing else has unpacked them.
  const started = new Map<string, Promise<Started>>()
  const startOnce = async (path: string, body = ''): Promise<unknown> => {
    const key = `${path} ${body}`
    const found = started.get(key) ?? start(path, body)
    started.set(key, found)
    return (await found).reply
  }

  /** These modules are loaded if a file needs them. */
  async function start(path: string, body: string): Promise<Started> {
    if (path === '/service') return startService(JSON.parse(body) as ServiceOptions) // As shared-services.ts sends them.
    if (path === '/postgres') {
      const { url, stop } = await (await import('./postgres')).startPostgres()
      return { reply: { url }, stop }
    }
    if (path === '/mail') return startMail()
    if (path === '/stripe-proxy') return startStripeProxy()
    if (path === '/folder') {
      const folder = mkdtempSync(join(tmpdir(), 'sheaf-run-'))
      return { reply: folder, stop: async () => rmSync(folder, { recursive: true, force: true }) }
    }
    const bundle = await (await import('./bundled-script')).bundleScript('tests/support/holding-engine.ts')
    return { reply: bundle.path, stop: async () => bundle.remove() }
  }

  async function startService(options: ServiceOptions): Promise<Started> {
    const [service, { createDatabase }] = await Promise.all([import('./service'), import('./postgres')])
    const log = createTextFile()
    let part = ''
    const onPostgres = options.databaseUrl === undefined && project.config.env['TEST_DATABASE'] === 'postgres'
    const { stop, ...running } = await service.startService({
      ...options,
      ...(onPostgres && { databaseUrl: await createDatabase((await startOnce('/postgres')) as { url: string }) }),
      onOutput(output) {
        const lines = (part + output).split('\n')
        part = lines.pop() ?? ''
        for (const line of lines) log.append(line) // Readers find no part of a line.
      },
    })
    return {
      reply: { ...running, logPath: log.path },
      async stop() {
        await stop()
        log.remove()
      },
    }
  }

  /** A mail server that appends each email to a file, as a line of JSON. */
  async function startMail(): Promise<Started> {
    const { startMailServer } = await import('./mail-server')
    const file = createTextFile()
    const { url, stop } = await startMailServer(mail => file.append(JSON.stringify(mail)))
    return { reply: { url, path: file.path }, stop: () => stop().then(file.remove) }
  }

  const server = createServer((request, response) => {
    void text(request)
      .then(body => startOnce(request.url ?? '', body))
      .then(
        reply => response.end(JSON.stringify(reply)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  }).listen(0, '127.0.0.1')
  server.keepAliveTimeout = 0 // A worker that computes for seconds wouldn't notice that its connection was closed.
  await once(server, 'listening')
  project.provide('runWide', `http://127.0.0.1:${(server.address() as AddressInfo).port}`) // It listens on a port.
  return async () => {
    server.close()
    server.closeAllConnections()
    for (const path of ['/service', '/postgres', '/mail', '/stripe-proxy', '/engine', '/folder']) {
      const found = [...started].filter(([key]) => key.startsWith(path)).map(([, one]) => one)
      await Promise.all(found.map(async one => (await one.catch(() => undefined))?.stop()))
    }
  }
}

/** A temporary file that grows by lines. */
function createTextFile() {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-lines-'))
  const path = join(folder, 'lines')
  writeFileSync(path, '')
  return {
    path,
    append: (line: string) => appendFileSync(path, `${line}\n`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * A proxy to the Stripe double of a test file. A shared service needs its URL before the double exists. The file `path`
 * contains the port of the double.
 */
async function startStripeProxy(): Promise<Started> {
  const file = createTextFile()
  const proxy = createSocketServer(client => {
    const server = connect(Number(readFileSync(file.path, 'utf8')), '127.0.0.1')
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo // It listens on a port.
  return {
    reply: { url: `http://127.0.0.1:${port}`, path: file.path },
    async stop() {
      proxy.close()
      file.remove()
    },
  }
}
