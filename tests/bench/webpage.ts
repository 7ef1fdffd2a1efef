import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { createEngines, createWebPrinter } from '../../engines/create-engines'
import type { Engines, WebPrinter } from '../../engines/create-engines'
import { findCacheFolder } from '../../engines/webpage/browser/cache-folder'
import { launchBrowser } from '../../engines/webpage/browser/launch-browser'
import type { LaunchSettings } from '../../engines/webpage/browser/launch-browser'
import { measureTreeBytes } from '../../engines/webpage/browser/process-memory'
import { pageOptions } from '../../engines/webpage/request/options'
import { readAllowedHosts } from '../../engines/webpage/request/page-source'
import { makeFonts, unpackBrowser } from '../../engines/webpage/browser/unpack-browser'
import { against, formatMb, formatMs, median, print, printTable } from './report'

const ROUNDS = 15
const SLOW_ROUNDS = 5
const RENDERS = 500
const PROGRAM_MS = 60_000

/** Goals for the ratio of our time to another program's, by page and program. */
const GOALS: Record<string, Partial<Record<Rival, number>>> = {
  small: { 'new browser': 0.4, wkhtmltopdf: 0.45, 'chromium command line': 0.15 },
  article: { wkhtmltopdf: 0.6 },
}
const GOAL_AGAINST_NETWORK_IDLE = 0.4
const GOAL_MEMORY = 1.5
const GOAL_RETURN_MS = 1000

type Rival = 'new browser' | 'chromium command line' | 'wkhtmltopdf' | 'weasyprint'

interface Setting {
  base: string
  pages: WebPrinter
  launch: LaunchSettings
}

/**
 * Web pages side by side with a new browser for every page and with command-line programs, if they are installed. Then
 * memory over 500 pages, and the time from a killed browser to the next PDF.
 */
export async function measurePages(
  enginePath: string,
  printing: { childPath: string; makeFontsPath: string },
): Promise<void> {
  const site = await serveSamples()
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}` // The server listens on a port.
  const engines = createEngines({
    childPath: enginePath,
    count: availableParallelism(),
    maxRssBytes: 1500 * 2 ** 20,
    maxQueue: 1000,
  })
  const cache = findCacheFolder(undefined)
  const [unpacked, fontsPath] = await Promise.all([unpackBrowser(cache), makeFonts(cache, printing.makeFontsPath)])
  const pages = startPages(engines, { base, ...printing })
  const setting: Setting = { base, pages, launch: { ...unpacked, fontsPath, hasSandbox: true } }
  try {
    await Promise.all([engines.ready(), pages.ready()])
    await comparePages(setting)
    await compareWaiting(setting)
    await measureReturn(setting)
    await measureGrowth(setting)
  } finally {
    await pages.close()
    await engines.close()
    site.close()
  }
}

function startPages(
  engines: Engines,
  { base, ...printing }: { base: string; childPath: string; makeFontsPath: string },
): WebPrinter {
  return createWebPrinter({
    cacheDir: undefined,
    executablePath: undefined,
    endpoint: undefined,
    egressHost: undefined,
    searchPath: '',
    mayLackSandbox: false,
    mostPages: 2 * availableParallelism(),
    mostPageBytes: 1500 * 2 ** 20,
    ...printing,
    allowed: readAllowedHosts(new URL(base).host),
    mostMs: 60_000,
    finish: (job, page) => engines.run(job, { ...page, openTimeoutMs: 5000, toolTimeoutMs: 30_000 }),
    onNotice: ({ message }) => print(`  (${message})`),
  })
}

async function comparePages(setting: Setting): Promise<void> {
  const rivals: [Rival, ((url: string) => Promise<void>) | undefined][] = [
    ['new browser', url => printWithNewBrowser(setting.launch, url)],
    [
      'chromium command line',
      await findProgram(['chromium', 'google-chrome'], (url, output) => [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        `--print-to-pdf=${output}`,
        url,
      ]),
    ],
    ['wkhtmltopdf', await findProgram(['wkhtmltopdf'], (url, output) => ['-q', url, output])],
    ['weasyprint', await findProgram(['weasyprint'], (url, output) => ['-q', url, output])],
  ]
  const rows = [['p50 of a page', 'ours', ...rivals.map(([name]) => name)]]
  for (const name of Object.keys(SAMPLES)) {
    const url = `${setting.base}/${name}`
    const times = await interleave([() => printOurs(setting, url), ...rivals.map(([, run]) => run && (() => run(url)))])
    const [ours = Number.NaN, ...others] = times
    const cells = rivals.map(([rival], index) => {
      const time = others[index]
      const goal = GOALS[name]?.[rival]
      return time === undefined
        ? 'not installed'
        : `${formatMs(time)}, ${goal === undefined ? `${(ours / time).toFixed(2)} ` : against(ours / time, goal)}`
    })
    rows.push([name, formatMs(ours), ...cells])
  }
  print('\nWeb pages, one at a time; quotients are ours / theirs')
  printTable(rows)
}

async function compareWaiting(setting: Setting): Promise<void> {
  const url = `${setting.base}/charts`
  const [settled = Number.NaN, idle = Number.NaN] = await interleave([
    () => printOurs(setting, url),
    () => printOurs(setting, url, { waitUntil: 'networkIdle' }),
  ])
  print(
    `\nA page of charts: settled ${formatMs(settled)}, networkIdle ${formatMs(idle)}, ${against(settled / idle, GOAL_AGAINST_NETWORK_IDLE)}`,
  )
}

/** Finds the browser as the process of ours that has a browser profile. */
async function measureReturn(setting: Setting): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < SLOW_ROUNDS; round++) {
    process.kill(setting.pages.status().pid ?? 0, 'SIGKILL')
    const started = performance.now()
    await printOurs(setting, `${setting.base}/small`)
    times.push(performance.now() - started)
  }
  print(
    `\nFrom a killed browser to the next PDF: ${against(Math.max(...times), GOAL_RETURN_MS, 0)} ms at most of ${times.length}`,
  )
}

async function measureGrowth(setting: Setting): Promise<void> {
  const measure = () => measureTreeBytes(setting.pages.status().pid ?? 0)
  for (let warm = 0; warm < 20; warm++) await printOurs(setting, `${setting.base}/article`)
  const before = measure()
  const started = performance.now()
  const queue = Array.from({ length: RENDERS }, (_, index) => (index % 2 ? 'small' : 'article'))
  await Promise.all(
    Array.from({ length: availableParallelism() * 2 }, async () => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop())
        await printOurs(setting, `${setting.base}/${name}`)
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await new Promise(resolve => {
    setTimeout(resolve, 3000)
  })
  print(
    `\n${RENDERS} pages: ${(RENDERS / seconds).toFixed(1)}/s; the browser holds ${formatMb(before)} before and ` +
      `${formatMb(measure())} after, ${against(measure() / before, GOAL_MEMORY)}`,
  )
}

async function printOurs({ pages }: Setting, url: string, options: object = {}): Promise<void> {
  const { byteLength } = await pages.print({
    source: { kind: 'url', url },
    options: pageOptions.parse(options),
    name: 'page',
    signal: new AbortController().signal,
  })
  if (byteLength < 1000) throw new Error(`${url} came out empty`)
}

/** What most programs do: start a browser for the page, wait for `load`, and print. */
async function printWithNewBrowser(launch: LaunchSettings, url: string): Promise<void> {
  const running = await launchBrowser(launch)
  try {
    const context = await running.browser.createBrowserContext({ proxyServer: 'direct://' })
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'load' })
    await page.pdf({ format: 'a4', printBackground: true })
  } finally {
    await running.close()
  }
}

/** A run of the first program that is installed. Undefined if none is. */
async function findProgram(
  names: string[],
  args: (url: string, output: string) => string[],
): Promise<((url: string) => Promise<void>) | undefined> {
  for (const name of names)
    if ((await run(name, ['--version']).catch(() => -1)) === 0)
      return url => runProgram(name, output => args(url, output))
  return undefined
}

async function runProgram(name: string, args: (output: string) => string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-bench-'))
  const code = await run(name, args(join(folder, 'page.pdf'))).finally(() =>
    rmSync(folder, { recursive: true, force: true }),
  )
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
}

async function run(name: string, args: string[]): Promise<number> {
  const child = spawn(name, args, { stdio: 'ignore', timeout: PROGRAM_MS })
  const [code] = (await once(child, 'exit')) as [number | null] // Rejects with `error` if the program doesn't exist.
  return code ?? -1
}

/** The median time of each program, measured in rotation. */
async function interleave(works: ((() => Promise<void>) | undefined)[]): Promise<(number | undefined)[]> {
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

const page = (body: string) =>
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sample</title><style>body { font: 12pt/1.4 ' +
  `sans-serif } td { border: 1px solid #ccc; padding: 3px }</style>${body}`
const words = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => ['paper', 'quill', 'letter', 'margin', 'ledger', 'binding', 'sheet', 'folio'][(index * 7) % 8],
  ).join(' ')

/** Pages of four kinds, by name. */
const SAMPLES: Record<string, string> = {
  small: page('<h1>Delivery note</h1><p>Two boxes.</p>'),
  article: page(
    Array.from(
      { length: 40 },
      (_, index) =>
        '<h2>Part ' +
        `${index + 1}</h2><p>${words(180)}.</p><table>${`<tr><td>${words(3)}<td>12<td>3.50</tr>`.repeat(6)}</table>`,
    ).join(''),
  ),
  charts: page(
    '<div id="all"></div><script>onload = async () => { for (let n = 0; n < 6; n++) { const data = await (await ' +
      'fetch("/data")).json(); const c = document.createElement("canvas"); c.width = 600; c.height = 300; ' +
      'all.append(c); const g = c.getContext("2d"); data.forEach((v, i) => { g.fillStyle = `hsl(${i * 9} 70% 50%)`; ' +
      'g.fillRect(i * 15, 300 - v, 12, v) }) } }</script>',
  ),
  images: page(Array.from({ length: 12 }, (_, index) => `<img src="/picture${index}" width="300">`).join('')),
}

/** A bitmap of noise that no writer can compress: 740 kB. */
const IMAGE = makeImage(500, 493)

async function serveSamples(): Promise<Server> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1)
    const sample = SAMPLES[name]
    if (sample !== undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(sample)
    else if (name === 'data') response.end(JSON.stringify(Array.from({ length: 40 }, (_, index) => (index * 37) % 290)))
    else if (name.startsWith('picture')) response.writeHead(200, { 'content-type': 'image/bmp' }).end(IMAGE)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function makeImage(width: number, height: number): Buffer {
  const pixels = randomBytes(width * height * 3)
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(head.length + pixels.length, 2)
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  return Buffer.concat([head, pixels])
}
