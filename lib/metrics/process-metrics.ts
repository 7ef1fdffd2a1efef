import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type * as Prom from 'prom-client'
import packageJson from '../../package.json' with { type: 'json' }
import type { Engines, WebPrinter } from '../../engines/create-engines'
import type { Config } from '../config'
import { findDatabase } from '../database'
import { ENGINES, PAGES } from '../running-engines'
import { isDatabaseReachable } from '../health'
import { getBodyMemory, getDraining, getOutputMemory, getRequestQueue } from '../http/limits/process-limits'
import { findSingleton } from '../registry'

type Read = () => number | Promise<number>

interface Registrar {
  gauge(name: string, help: string, read: Read): void
  /** Registers a counter whose value is maintained elsewhere. */
  total(name: string, help: string, read: () => number): void
}

/** Registers the metrics that are read at each scrape: queues, engines, browser, memory, database, disk, Node.js. */
export function registerProcessMetrics(prom: typeof Prom, registry: Prom.Registry, config: Config): void {
  const registers = [registry]
  const registrar: Registrar = {
    gauge(name, help, read) {
      const gauge: Prom.Gauge = new prom.Gauge({ name, help, registers, collect: async () => gauge.set(await read()) })
    },
    total(name, help, read) {
      const counter: Prom.Counter = new prom.Counter({
        name,
        help,
        registers,
        collect() {
          counter.reset()
          counter.inc(read())
        },
      })
    },
  }
  prom.collectDefaultMetrics({ register: registry })
  new prom.Gauge({
    name: 'sheaf_build_info',
    help: 'Version of the service and of Node.js. Always 1.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: packageJson.version, node: process.versions.node }, 1)
  registerRequests(prom, registers)
  registerBodies(registrar, config)
  registerEngines(registrar, config)
  registerBrowser(registrar)
  registerDatabase(registrar)
  registerDisk(prom, registers, config)
}

function registerRequests(prom: typeof Prom, registers: Prom.Registry[]): void {
  const kinds = {
    running: 'Requests with a slot',
    waiting: 'Requests that wait for a slot',
    capacity: 'Slots',
  } as const
  for (const kind of ['running', 'waiting', 'capacity'] as const) {
    const gauge: Prom.Gauge<'lane'> = new prom.Gauge({
      name: `sheaf_calls_${kind}`,
      help: `${kinds[kind]}, by lane.`,
      labelNames: ['lane'],
      registers,
      collect() {
        for (const [lane, figures] of Object.entries(getRequestQueue().lanes())) gauge.set({ lane }, figures[kind])
      },
    })
  }
}

function registerBodies({ gauge }: Registrar, { BODY_MEMORY_BYTES, OUTPUT_SPOOL_BYTES }: Config): void {
  gauge('sheaf_body_memory_bytes', 'Bytes of request bodies in memory.', () => getBodyMemory().used)
  gauge(
    'sheaf_output_memory_bytes',
    'Bytes of finished responses in memory that their clients have not read yet.',
    () => getOutputMemory().heldBytes,
  )
  gauge(
    'sheaf_output_spool_bytes',
    'Bytes of finished responses on disk that their clients have not read yet.',
    () => getOutputMemory().spooledBytes,
  )
  gauge(
    'sheaf_output_spool_limit_bytes',
    'Maximum bytes of finished responses on disk (OUTPUT_SPOOL_BYTES).',
    () => OUTPUT_SPOOL_BYTES,
  )
  gauge(
    'sheaf_body_memory_limit_bytes',
    'Maximum bytes of request bodies in memory (BODY_MEMORY_BYTES).',
    () => BODY_MEMORY_BYTES,
  )
}

function registerEngines({ gauge, total }: Registrar, { ENGINES: slots }: Config): void {
  const status = () => findSingleton<Engines>(ENGINES)?.status()
  gauge('sheaf_engine_slots', 'Jobs that may run at the same time (ENGINES).', () => slots)
  gauge('sheaf_engine_processes', 'Running engine processes.', () => status()?.processes ?? 0)
  gauge('sheaf_engine_jobs_running', 'Jobs that engine processes work on.', () => status()?.busy ?? 0)
  gauge('sheaf_engine_jobs_waiting', 'Jobs that wait for an engine process.', () => status()?.waiting ?? 0)
  gauge(
    'sheaf_engine_resident_bytes',
    'Bytes of physical memory of all engine processes.',
    () => findSingleton<Engines>(ENGINES)?.residentBytes() ?? 0,
  )
  total('sheaf_engine_starts_total', 'Engine processes that were started.', () => status()?.started ?? 0)
  total('sheaf_engine_crashes_total', 'Engine processes that crashed during a job.', () => status()?.crashed ?? 0)
  total(
    'sheaf_engine_kills_total',
    'Engine processes that were killed during a job because of deadlines, memory or canceled requests.',
    () => status()?.killed ?? 0,
  )
}

function registerBrowser({ gauge, total }: Registrar): void {
  const status = () => findSingleton<WebPrinter>(PAGES)?.status()
  gauge('sheaf_browser_up', '1 if a browser is available to print web pages, else 0.', () =>
    Number(status()?.state === 'ready'),
  )
  gauge('sheaf_browser_pages_running', 'Web pages that are printed at this moment.', () => status()?.running ?? 0)
  gauge(
    'sheaf_browser_resident_bytes',
    'Bytes of physical memory of the printing process and its browser.',
    () => findSingleton<WebPrinter>(PAGES)?.residentBytes() ?? 0,
  )
  total(
    'sheaf_browser_pages_total',
    'Web pages that the printing process has printed since its start.',
    () => status()?.printed ?? 0,
  )
  total(
    'sheaf_browser_starts_total',
    'Browsers that the printing process has started since its own start.',
    () => status()?.started ?? 0,
  )
}

function registerDatabase({ gauge }: Registrar): void {
  let ping: Promise<boolean> | undefined
  const isUp = () => (ping ??= isDatabaseReachable().finally(() => (ping = undefined))) // Both metrics share one ping.
  gauge('sheaf_database_up', '1 if the database responds, else 0.', async () => Number(await isUp()))
  gauge('sheaf_ready', '1 if this instance is ready for requests, as in /api/ready, else 0.', async () =>
    Number((await isUp()) && !getDraining().hasBegun && findSingleton(ENGINES) !== undefined),
  )
  const connections = { most: 'that may be open', used: 'in use', waiting: 'that statements wait for' } as const
  for (const kind of ['most', 'used', 'waiting'] as const) {
    gauge(
      `sheaf_database_connections_${kind}`,
      `Database connections ${connections[kind]}, 0 for the embedded database.`,
      () => findDatabase()?.connections?.()[kind] ?? 0,
    )
  }
}

function registerDisk(prom: typeof Prom, registers: Prom.Registry[], { dataDir }: Config): void {
  const folders = { data: dataDir, temporary: tmpdir() }
  const register = (name: string, help: string, read: (disk: StatsFs) => number) => {
    const gauge: Prom.Gauge<'folder'> = new prom.Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers,
      async collect() {
        for (const [folder, path] of Object.entries(folders)) {
          const disk = await statfs(path).catch(() => undefined) // With Postgres, there may be no data folder.
          if (disk !== undefined) gauge.set({ folder }, read(disk))
        }
      },
    })
  }
  register('sheaf_disk_size_bytes', 'Size of the disk under a folder.', disk => disk.blocks * disk.bsize)
  register('sheaf_disk_free_bytes', 'Free bytes of the disk under a folder.', disk => disk.bavail * disk.bsize)
}
