import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../contract/client'
import { listDescendants } from '../hostile/chaos/processes'
import { findTestBrowser } from '../support/browser'
import { startCanary, type Canary } from '../support/site'

const PAGE_MEGABYTES = 700

let folder: string
let program: string
let canary: Canary
let server: Awaited<ReturnType<typeof startBrowserServer>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-test-'))
  canary = await startCanary()
  const { executablePath, env } = await findTestBrowser()
  program = join(folder, 'chromium')
  writeFileSync(
    program,
    `#!/bin/sh\nLD_LIBRARY_PATH='${env['LD_LIBRARY_PATH']}' FONTCONFIG_FILE='${env['FONTCONFIG_FILE']}' exec ` +
      `'${executablePath}' "$@"\n`,
    { mode: 0o755 },
  )
  server = await startBrowserServer(program)
})
afterAll(async () => {
  await server?.stop()
  await canary?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts deploy/browser.mjs on a free port. */
async function startBrowserServer(program: string) {
  const child = spawn(process.execPath, ['deploy/browser.mjs', '--no-sandbox'], {
    env: {
      NODE_ENV: 'production',
      PATH: '/usr/bin:/bin',
      PORT: '0',
      WEB_PAGE_RSS_MB: String(PAGE_MEGABYTES),
      TMPDIR: folder,
      PUPPETEER_EXECUTABLE_PATH: program,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return {
    pid: child.pid ?? 0,
    address: `127.0.0.1:${/port (\d+)/.exec(line)?.[1]}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const open = () => connect({ browserWSEndpoint: `ws://${server.address}`, defaultViewport: null })
/** Waits for this number of browsers. A browser that starts a process has the same command twice for a moment. */
const waitForBrowsers = (count: number) =>
  eventually(
    () => Promise.resolve(listBrowsers()),
    browsers => browsers.length === count,
  )
const listBrowsers = () =>
  listDescendants(server.pid).filter(({ command }) => command.includes('--headless') && !command.includes('--type='))

it('answers probes', async () => {
  expect((await fetch(`http://${server.address}/health`)).status).toBe(200)
  expect((await fetch(`http://${server.address}/json/version`)).status).toBe(404)
})

it('starts a separate browser for each connection, which ends with it', async () => {
  const [one, two] = await Promise.all([open(), open()])
  await waitForBrowsers(2)
  const page = await two.newPage()
  await one.disconnect()
  await waitForBrowsers(1)
  await page.setContent('<p>Ag')
  expect(Buffer.from(await page.pdf()).includes('/FontDescriptor')).toBe(true)
  await two.disconnect()
  await waitForBrowsers(0)
})

it('restarts a browser that ends before it listens', async () => {
  writeFileSync(
    program,
    readFileSync(program, 'utf8').replace('\n', `\n[ -e '${folder}/tried' ] || { touch '${folder}/tried'; exit 3; }\n`),
  )
  const browser = await open()
  expect(existsSync(join(folder, 'tried'))).toBe(true)
  await waitForBrowsers(1)
  await browser.disconnect()
  await waitForBrowsers(0)
})

it('ends a browser whose processes use too much memory together', async () => {
  const browser = await open()
  let isLost = false
  browser.on('disconnected', () => (isLost = true))
  const page = await browser.newPage()
  await page.evaluate(
    megabytes =>
      void Object.assign(globalThis, {
        all: Array.from({ length: megabytes }, (_, i) => new Uint8Array(2 ** 20).fill(i)),
      }),
    100,
  )
  expect(isLost).toBe(false)
  await page
    .evaluate(
      megabytes =>
        void Object.assign(globalThis, {
          more: Array.from({ length: megabytes }, (_, i) => new Uint8Array(2 ** 20).fill(i)),
        }),
      PAGE_MEGABYTES,
    )
    .catch(() => {}) // The browser was ended.
  await eventually(
    () => Promise.resolve(isLost),
    lost => lost,
  )
  await waitForBrowsers(0)
})

it("can't reach the network by itself", async () => {
  const browser = await open()
  const page = await browser.newPage()
  const seen = await page.evaluate(
    url => fetch(url, { mode: 'no-cors' }).then(() => 'reached', String),
    `http://127.0.0.1:${canary.port}/`,
  )
  await browser.disconnect()
  expect([seen, canary.touched]).toEqual([expect.stringContaining('Failed to fetch'), []])
})
