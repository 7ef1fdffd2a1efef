import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import next from 'next'
import { boot } from './boot'
import { type Config, getConfig } from '../config'
import { openDirectRoutes } from '../http/direct-routes'
import { cachePages } from '../http/server/page-cache'
import { findRequestId } from '../http-exchange'
import { createHttpServer, type HttpServer } from '../http/server/http-server'
import { describeError, getLog } from '../log'
import { findSingleton } from '../registry'
import { isOriginTrusted } from '../site-origin'
import { type RunningTelemetry, startTelemetry } from './start-telemetry'

interface StartSettings {
  /** Uses Next's development mode instead of a build. */
  dev: boolean
  /** Folder of the build, which Next.js reads from its own configuration. */
  distDir: string
  enginePath: string
  /** Paths of the bundled processes that print pages and that make the browser's fonts. */
  pagesPath: string
  makeFontsPath: string
}

/**
 * Growth of the heap, including external bytes, before a full garbage collection. By default, V8 ran seven full
 * collections during a 100 MB request, although most bytes were still in use. Each one scanned 40 MB of code and tables
 * of Next.js. This took half of the request's time in this process, while small requests waited.
 */
const HEAP_GROWING_PERCENT = 100

/**
 * Starts the service: database, engines and Next.js, then the port, so that an open port can serve requests. Ends the
 * process with 0 after SIGTERM or SIGINT, when all requests in progress have a response.
 */
export async function startServer({ dev, distDir, ...processes }: StartSettings): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
  const config = getConfig()
  const running = await startTelemetry(config)
  // Both take seconds. One mostly waits for engine processes while the other loads code.
  const [, { handleByNext, handleDirectly }] = await Promise.all([
    boot(processes),
    openRoutes(config, { dev, distDir }),
  ])
  const http = createHttpServer({
    handle: (req, res) => handleDirectly?.(req, res) ?? handleByNext(req, res),
    isHttps: config.PUBLIC_URL?.startsWith('https:') ?? false,
    dev,
    minReadRate: config.READ_MIN_RATE,
    onError: error =>
      getLog().error({ requestId: findRequestId(), cause: describeError(error) }, 'a request handler failed'),
  })
  await listen(http, config)
  if (running.metricsAddress !== undefined) process.stdout.write(`sheaf: metrics on ${running.metricsAddress}\n`)
  endOnSignals(http, { running, noticeMs: config.DRAIN_DELAY_MS })
}

/** Returns the request handlers: Next.js, and the direct route for plain API requests of a build. */
async function openRoutes({ HOST, PORT }: Config, { dev, distDir }: Pick<StartSettings, 'dev' | 'distDir'>) {
  // Next.js listens for upgrades on this server, which gets no connections. If nothing listens for upgrades on our
  // server, Node.js ignores offers of other protocols, such as h2c, and the request gets its response over HTTP/1.1
  // (RFC 9110, 7.8). The development mode needs its WebSocket.
  const upgrades = dev ? {} : { httpServer: createServer() }
  const app = next({ dev, dir: process.cwd(), hostname: HOST, port: PORT, ...upgrades })
  await app.prepare()
  const handleByNext = app.getRequestHandler()
  if (dev) return { handleByNext, handleDirectly: undefined }
  return { handleByNext: cachePages(handleByNext, getConfig()), handleDirectly: await openDirectRoutes(distDir) }
}

async function listen(http: HttpServer, config: Config): Promise<void> {
  const { HOST, PUBLIC_URL } = config
  await http.listen(config.PORT, HOST)
  const { port } = http.server.address() as AddressInfo // The server listens on a port, not on a pipe.
  config.PORT = port // URLs and names of cookies contain the port that PORT=0 chose.
  const address = PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`
  const place = PUBLIC_URL === undefined ? address : `${address}, port ${port}`
  const signIn = new URL('/sign-in', address).href
  process.stdout.write(`sheaf: ready on ${place}\nsheaf: sign in and create an API key at ${signIn}\n`)
  if (!isOriginTrusted(new URL(address).host, { PUBLIC_URL }))
    process.stdout.write('sheaf: set PUBLIC_URL, without it browsers can only sign in at http://localhost\n')
}

interface Ending {
  running: RunningTelemetry
  /** Time after the signal in which requests are still accepted. */
  noticeMs: number
}

function endOnSignals(http: HttpServer, ending: Ending): void {
  let isEnding = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isEnding && signal === 'SIGINT') process.exit(1) // A second Ctrl+C ends the process at once.
      if (isEnding) return
      isEnding = true
      getLog().info({ signal }, 'shutting down after the running requests end')
      end(http, ending).then(
        () => process.exit(0),
        (error: unknown) => {
          getLog().error({ cause: describeError(error) }, 'shutdown failed')
          process.exit(1)
        },
      )
    })
  }
}

async function end(http: HttpServer, { running, noticeMs }: Ending): Promise<void> {
  await http.drain({ noticeMs })
  await Promise.all([findSingleton<() => Promise<void>>('shutdown')?.(), running.close()])
}
