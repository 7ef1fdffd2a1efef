import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

/** How test files reach something that was started, and how to end it. */
interface Started {
  reply: unknown
  stop(): Promise<unknown>
}

/**
 * Vitest's global setup. Starts services and a Postgres server when the first test file asks for them, and ends them
 * after the last file. They end with this process too, however it ends. See tests/support/shared-services.ts.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
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
    if (path === '/folder') {
      const folder = mkdtempSync(join(tmpdir(), 'sheaf-run-'))
      return { reply: folder, stop: async () => rmSync(folder, { recursive: true, force: true }) }
    }
    const bundle = await (await import('./bundled-script')).bundleScript('tests/support/holding-engine.ts')
    return { reply: bundle.path, stop: async () => bundle.remove() }
  }

  async function startService(options: ServiceOptions): Promise<Started> {
    const [service, { createDatabase }] = await Promise.all([import('./service'), import('./postgres')])
    const folder = mkdtempSync(join(tmpdir(), 'sheaf-log-'))
    const logPath = join(folder, 'log')
    writeFileSync(logPath, '')
    const onPostgres = options.databaseUrl === undefined && project.config.env['TEST_DATABASE'] === 'postgres'
    const { stop, ...running } = await service.startService({
      ...options,
      ...(onPostgres && { databaseUrl: await createDatabase((await startOnce('/postgres')) as { url: string }) }),
      onOutput: part => appendFileSync(logPath, part),
    })
    return {
      reply: { ...running, logPath },
      async stop() {
        await stop()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  }

  const server = createServer((request, response) => {
    void text(request)
      .then(body => startOnce(request.url ?? '', body))
      .then(
        reply => response.end(JSON.stringify(reply)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('runWide', `http://127.0.0.1:${(server.address() as AddressInfo).port}`) // It listens on a port.
  return async () => {
    server.close()
    server.closeAllConnections()
    for (const path of ['/service', '/postgres', '/engine', '/folder']) {
      const found = [...started].filter(([key]) => key.startsWith(path)).map(([, one]) => one)
      await Promise.all(found.map(async one => (await one.catch(() => undefined))?.stop()))
    }
  }
}
