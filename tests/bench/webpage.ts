import { mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createEngines, createWebPrinter } from '../../engines/create-engines'
import type { Engines, WebPrinter } from '../../engines/create-engines'
import { findCacheFolder } from '../../engines/webpage/browser/cache-folder'
import { isExecutable } from '../../engines/webpage/browser/find-browser'
import type { LaunchSettings } from '../../engines/webpage/browser/launch-browser'
import { measureTreeBytes } from '../../engines/webpage/browser/process-memory'
import { makeFonts, unpackBrowser } from '../../engines/webpage/browser/unpack-browser'
import { pageOptions } from '../../engines/webpage/request/options'
import { readAllowedHosts } from '../../engines/webpage/request/page-source'
import { against, formatMb, formatMs, median, print, printTable } from './report'
import { findProgram, printWithNewBrowser } from './webpage-rivals'
import { SAMPLES, serveSamples } from './webpage-samples'

const ROUNDS = 15
const RETURN_ROUNDS = 5
const PARALLEL = 8
const PARALLEL_PAGES = 64
const GROWTH_PAGES = 300
const WARM_UP_PAGES = 5
/** A pause between single pages, because most services don't print one right after the other. */
const PAUSE_MS = 400

const GOAL_AGAINST_NEW_BROWSER = 0.6
const GOAL_AGAINST_WKHTMLTOPDF = 1
const GOAL_AGAINST_NETWORK_IDLE = 0.4
const GOAL_MEMORY = 1.5
const GOAL_RETURN_MS = 1000

/** The browsers that are measured if they exist, with the goal for a small page in milliseconds. */
const BROWSERS = [
  { name: 'full browser', goalMs: 110, paths: ['/usr/bin/chromium', '/usr/bin/google-chrome-stable'] },
  { name: 'headless shell', goalMs: 45, paths: ['/usr/bin/chromium-headless-shell', '/usr/bin/chrome-headless-shell'] },
]
const PACKAGE_BROWSER = { name: "the package's browser", goalMs: 45 }

interface Candidate extends LaunchSettings {
  name: string
  goalMs: number
}

interface Printing {
  childPath: string
  makeFontsPath: string
}

/** Milliseconds by phase. */
type Timings = Record<string, number>

interface Setting {
  base: string
  pages: WebPrinter
  candidate: Candidate
}

/**
 * Web pages with a full browser, a headless shell and the browser of the package. PUPPETEER_EXECUTABLE_PATH limits this
 * to one browser. Each is compared with a new process of the same browser for every page, and with wkhtmltopdf.
 */
export async function measurePages(enginePath: string, printing: Printing): Promise<void> {
  const site = await serveSamples()
  const engines = createEngines({
    childPath: enginePath,
    count: availableParallelism(),
    maxRssBytes: 1500 * 2 ** 20,
    maxQueue: 1000,
    spoolFolder: mkdtempSync(join(tmpdir(), 'sheaf-bench-')),
  })
  try {
    await engines.ready()
    for (const candidate of await listCandidates(printing))
      await measureBrowser(candidate, { base: site.base, engines, printing })
  } finally {
    await engines.close()
    site.close()
  }
}

async function listCandidates({ makeFontsPath }: Printing): Promise<Candidate[]> {
  const cache = findCacheFolder(undefined)
  const [unpacked, fontsPath] = await Promise.all([unpackBrowser(cache), makeFonts(cache, makeFontsPath)])
  const shared = { fontsPath, hasSandbox: true }
  const configured = process.env['PUPPETEER_EXECUTABLE_PATH']
  if (configured !== undefined) {
    const { goalMs } = BROWSERS.find(({ paths }) => paths.includes(configured)) ?? PACKAGE_BROWSER
    return [{ ...shared, name: configured, goalMs, executablePath: configured }]
  }
  const installed = BROWSERS.flatMap(({ name, goalMs, paths }) => {
    const executablePath = paths.find(isExecutable)
    return executablePath === undefined ? [] : [{ ...shared, name, goalMs, executablePath }]
  })
  return [...installed, { ...shared, ...PACKAGE_BROWSER, ...unpacked }]
}

async function measureBrowser(
  candidate: Candidate,
  { base, engines, printing }: { base: string; engines: Engines; printing: Printing },
): Promise<void> {
  const pages = startPages(engines, { base, candidate, ...printing })
  try {
    await pages.ready()
    const setting: Setting = { base, pages, candidate }
    for (let page = 0; page < WARM_UP_PAGES; page += 1) await printOurs(setting, 'small')
    print(`\nWeb pages with ${candidate.name}: ${pages.status().version ?? 'unknown version'}`)
    await measurePace(setting)
    await comparePages(setting)
    await compareWaiting(setting)
    await measureReturn(setting)
    await measureGrowth(setting)
  } finally {
    await pages.close()
  }
}

function startPages(
  engines: Engines,
  { base, candidate, ...printing }: Printing & { base: string; candidate: Candidate },
): WebPrinter {
  return createWebPrinter({
    cacheDir: undefined,
    executablePath: candidate.executablePath,
    endpoint: undefined,
    egressHost: undefined,
    searchPath: '',
    mayLackSandbox: false,
    mostPages: 2 * availableParallelism(),
    mostPageBytes: 1500 * 2 ** 20,
    ...printing,
    allowed: readAllowedHosts(new URL(base).host),
    mostMs: 60_000,
    spoolFolder: mkdtempSync(join(tmpdir(), 'sheaf-bench-')),
    maxOutputBytes: 512 * 2 ** 20,
    finish: (job, page) => engines.run(job, { ...page, openTimeoutMs: 5000, toolTimeoutMs: 30_000 }),
    onNotice: ({ message }) => print(`  (${message})`),
  })
}

/** A small page with pauses, back to back and in parallel. What is prepared during a pause isn't free in the others. */
async function measurePace(setting: Setting): Promise<void> {
  const { goalMs } = setting.candidate
  const phases: Timings[] = []
  const timeOne = async () => {
    const started = performance.now()
    phases.push(await printOurs(setting, 'small'))
    return performance.now() - started
  }
  const paused: number[] = []
  const together: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await wait(PAUSE_MS)
    paused.push(await timeOne())
  }
  const pausedPhases = phases.splice(0)
  for (let round = 0; round < 2 * ROUNDS; round += 1) together.push(await timeOne())
  const printAll = async (count: number) => {
    let left = count
    const work = async () => {
      while (left-- > 0) await printOurs(setting, 'small')
    }
    const started = performance.now()
    await Promise.all(Array.from({ length: PARALLEL }, work))
    return count / ((performance.now() - started) / 1000)
  }
  await printAll(PARALLEL * 2) // Starts all browsers.
  const rate = await printAll(PARALLEL_PAGES)
  const news: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const started = performance.now()
    await printWithNewBrowser(setting.candidate, `${setting.base}/small`)
    news.push(performance.now() - started)
  }
  printTable([
    ['small page', 'one at a time', 'back to back', `${PARALLEL} in parallel`, 'new browser'],
    [
      'p50',
      `${against(median(paused), goalMs, 0)} ms`,
      `${against(median(together), goalMs, 0)} ms`,
      `${rate.toFixed(1)} pages/s`,
      formatMs(median(news)),
    ],
  ])
  const names = Object.keys(pausedPhases[0] ?? {})
  print(
    `  phases, one at a time: ${names.map(name => `${name} ${formatMs(median(pausedPhases.map(timings => timings[name] ?? 0)))}`).join(', ')}`,
  )
}

async function comparePages(setting: Setting): Promise<void> {
  const { base, candidate } = setting
  const wkhtmltopdf = await findProgram(['wkhtmltopdf'], (url, output) => ['-q', url, output])
  const rows = [['back to back, p50', 'ours', 'new browser', 'wkhtmltopdf']]
  for (const name of Object.keys(SAMPLES)) {
    const url = `${base}/${name}`
    const [ours = Number.NaN, fresh = Number.NaN, other] = await interleave([
      () => printOurs(setting, name),
      () => printWithNewBrowser(candidate, url),
      wkhtmltopdf && (() => wkhtmltopdf(url)),
    ])
    rows.push([
      name,
      formatMs(ours),
      `${formatMs(fresh)}, ${against(ours / fresh, GOAL_AGAINST_NEW_BROWSER)}`,
      other === undefined ? 'not installed' : `${formatMs(other)}, ${against(ours / other, GOAL_AGAINST_WKHTMLTOPDF)}`,
    ])
  }
  printTable(rows)
}

async function compareWaiting(setting: Setting): Promise<void> {
  const [settled = Number.NaN, idle = Number.NaN] = await interleave([
    () => printOurs(setting, 'charts'),
    () => printOurs(setting, 'charts', { waitUntil: 'networkIdle' }),
  ])
  print(
    `  A page of charts: settled ${formatMs(settled)}, networkIdle ${formatMs(idle)}, ${against(settled / idle, GOAL_AGAINST_NETWORK_IDLE)}`,
  )
}

async function measureReturn(setting: Setting): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < RETURN_ROUNDS; round++) {
    await wait(PAUSE_MS)
    process.kill(setting.pages.status().pid ?? 0, 'SIGKILL')
    const started = performance.now()
    await printOurs(setting, 'small')
    times.push(performance.now() - started)
  }
  print(
    `  From a killed browser to the next PDF: ${against(Math.max(...times), GOAL_RETURN_MS, 0)} ms at most of ${times.length}`,
  )
}

async function measureGrowth(setting: Setting): Promise<void> {
  const measure = () => measureTreeBytes(setting.pages.status().pid ?? 0)
  for (let warm = 0; warm < WARM_UP_PAGES; warm++) await printOurs(setting, 'article')
  const before = measure()
  const started = performance.now()
  const queue = Array.from({ length: GROWTH_PAGES }, (_, index) => (index % 2 ? 'small' : 'article'))
  await Promise.all(
    Array.from({ length: availableParallelism() * 2 }, async () => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) await printOurs(setting, name)
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await wait(3000)
  print(
    `  ${GROWTH_PAGES} pages: ${(GROWTH_PAGES / seconds).toFixed(1)}/s; the browser holds ${formatMb(before)} before and ` +
      `${formatMb(measure())} after, ${against(measure() / before, GOAL_MEMORY)}`,
  )
}

async function printOurs({ pages, base }: Setting, name: string, options: object = {}): Promise<Timings> {
  const { content, timings } = await pages.print({
    source: { kind: 'url', url: `${base}/${name}` },
    options: pageOptions.parse(options),
    name: 'page',
    signal: new AbortController().signal,
  })
  content.release()
  if (content.byteLength < 1000) throw new Error(`${name} came out empty`)
  return timings
}

/** The median time of each program, measured in rotation. */
async function interleave(works: ((() => Promise<unknown>) | undefined)[]): Promise<(number | undefined)[]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      if (!work) continue
      const started = performance.now()
      await work()
      if (round > 0) times[index]?.push(performance.now() - started)
    }
  }
  return times.map(list => (list.length === 0 ? undefined : median(list)))
}
