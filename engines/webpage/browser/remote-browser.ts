// A browser for Sheaf servers on other machines. Start it with `node deploy/browser.mjs [--no-sandbox]`. It listens for
// WebSocket connections on port 3001, or on PORT. Each connection gets a new chromium-headless-shell, or the browser of
// PUPPETEER_EXECUTABLE_PATH. The browser ends with its connection. Sheaf servers therefore share no browser, and
// everything that a browser leaves behind is deleted with it. GET /health returns 200. The browser reaches no network
// by itself. Its pages use the proxy of their Sheaf server (BROWSER_WS_ENDPOINT, EGRESS_HOST). The network of this
// machine should allow nothing else. A browser is stopped if its processes hold more than WEB_PAGE_RSS_MB (default:
// 1500) together. A connection prints one page at a time, so this is the memory of that page.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex, Readable } from 'node:stream'
import { BROWSER_FLAGS } from './browser-flags'
import { PageWatchdog } from './page-watchdog'

const PORT = Number(process.env['PORT'] || 3001)
const PROGRAM = process.env['PUPPETEER_EXECUTABLE_PATH'] || 'chromium-headless-shell'
const MOST_PAGE_BYTES = Number(process.env['WEB_PAGE_RSS_MB'] || 1500) * 2 ** 20
const MOST_BROWSERS = 16
const START_MS = 30_000
/**
 * Maximum number of starts per connection. A browser that ends before it listens is started again. This happened once,
 * for an unknown reason.
 */
const MOST_STARTS = 2

type Program = ChildProcessByStdio<null, null, Readable>

/** Functions that end the running browsers, by process ID. */
const browsers = new Map<number, () => void>()

const watchdog = new PageWatchdog({
  limitBytes: MOST_PAGE_BYTES,
  onExcess(pid, bytes) {
    complain(`stopped a page that used ${Math.round(bytes / 2 ** 20)} MB of memory`)
    browsers.get(pid)?.()
  },
})

const server = createServer((req, res) => res.writeHead(req.url === '/health' ? 200 : 404).end())
server.on('upgrade', (req, client) => {
  client.on('error', () => client.destroy())
  if (browsers.size >= MOST_BROWSERS) return client.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n')
  serve(req, client).catch((error: unknown) => {
    complain(error)
    client.destroy()
  })
})
server.listen(PORT, () => process.stdout.write(`browser: ready on port ${(server.address() as AddressInfo).port}\n`))
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    for (const end of browsers.values()) end()
    process.exit(0)
  })
}

/** Starts a browser for a connection and joins the two. Tries again if the browser ends before it listens. */
async function serve(req: IncomingMessage, client: Duplex): Promise<void> {
  for (let start = 1; ; start += 1) {
    const { child, end } = launch()
    client.once('close', end)
    try {
      const endpoint = await readEndpoint(child)
      child.once('exit', () => client.destroy())
      return await joinTo(new URL(endpoint), req, client)
    } catch (error) {
      client.off('close', end)
      end()
      if (client.destroyed || start === MOST_STARTS) throw error
      complain(error)
    }
  }
}

/**
 * Starts a browser with a separate profile. `end` stops the browser and all processes that it started, and removes the
 * profile.
 */
function launch(): { child: Program; end: () => void } {
  const profile = mkdtempSync(join(tmpdir(), 'sheaf-remote-browser-'))
  const args = [
    ...BROWSER_FLAGS,
    ...process.argv.slice(2).filter(one => one === '--no-sandbox'),
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--no-startup-window',
  ]
  const env = {
    NODE_ENV: 'production' as const,
    PATH: process.env['PATH'],
    HOME: profile,
    TMPDIR: profile,
    XDG_CACHE_HOME: profile,
    XDG_CONFIG_HOME: profile,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  }
  const child = spawn(PROGRAM, args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const { pid } = child
  const removeProfile = () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  if (pid === undefined) return { child, end: removeProfile } // The program can't be started.
  const end = () => {
    if (browsers.get(pid) !== end) return
    browsers.delete(pid)
    watchdog.remove(pid)
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The browser has already ended.
    }
    setTimeout(removeProfile, 200)
  }
  watchdog.add(pid)
  browsers.set(pid, end)
  return { child, end }
}

function complain(error: unknown): void {
  process.stderr.write(`browser: ${String(error)}\n`)
}

/**
 * Reads the URL at which Chromium listens from its standard error. The path of the URL is secret and differs for each
 * start.
 */
function readEndpoint(child: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => fail(`no response within ${START_MS} ms`), START_MS)
    const fail = (why: string) => {
      clearTimeout(timer)
      reject(new Error(`${PROGRAM} did not start (${why}): ${said.slice(-500)}`))
    }
    // Listens to 'close', because 'exit' may come before the last output.
    child
      .once('error', error => fail(error.message))
      .once('close', (code, signal) => fail(signal ?? `exit code ${code}`))
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-10_000)
      const endpoint = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
      if (endpoint === undefined) return
      clearTimeout(timer)
      resolve(endpoint)
    })
  })
}

/**
 * Forwards the WebSocket to the browser. Replaces the Host header, because Chromium only accepts an IP address or
 * localhost.
 */
function joinTo({ host, hostname, port, pathname }: URL, { headers }: IncomingMessage, client: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    const browser = connect(Number(port), hostname, () => {
      const kept = [
        'upgrade',
        'connection',
        'sec-websocket-key',
        'sec-websocket-version',
        'sec-websocket-protocol',
      ].filter(name => headers[name] !== undefined)
      browser.write(
        `GET ${pathname} HTTP/1.1\r\nHost: ` +
          `${host}\r\n${kept.map(name => `${name}: ${String(headers[name])}\r\n`).join('')}\r\n`,
      )
      browser.pipe(client)
      client.pipe(browser)
      resolve()
    })
    browser.once('error', reject)
    browser.once('close', () => client.destroy())
  })
}
