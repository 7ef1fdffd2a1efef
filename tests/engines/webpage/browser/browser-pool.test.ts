import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findTestBrowser } from '../../../support/browser'
import { startPageRenderer } from '../../../support/web-printer'
import type { TestRenderer } from '../../../support/web-printer'
import { readPageTexts } from '../../../support/page-texts'
import { startSite } from '../../../support/site'
import type { TestSite } from '../../../support/site'
import { waitFor } from '../../../support/wait-for'

let site: TestSite
let renderer: TestRenderer
let release = () => {}
let released = Promise.resolve()

beforeAll(async () => {
  site = await startSite({
    '/held':
      '<p id="x">early</p><script>fetch("/go").then(() => { x.textContent = "HELD WORDS"; x.className = "ready" })</script>',
    '/go': (_request, response) => void released.then(() => response.end()),
    '/late':
      '<p id="x">early</p><script>setTimeout(() => { x.textContent = "LATE WORDS"; x.className = "ready" }, ' +
      '1200)</script>',
    '/secret': (request, response) => {
      if (request.headers.authorization === `Basic ${Buffer.from('ada:pw').toString('base64')}`)
        response.end('<p>SECRET WORDS')
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    },
    '/hog': '<script>onload = () => { const all = []; for (;;) all.push(new Uint8Array(5e7).fill(1)) }</script>',
  })
  renderer = await startPageRenderer({ allowedHosts: site.host })
  await renderer.pages.ready()
})

afterAll(async () => {
  await renderer?.close()
  await site?.close()
})

/** Browser processes that descend from a process, by type. The main browser process has no type. */
function listProcesses(root: number): { pid: number; type: string }[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'latin1'))?.[1])
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1')
        return [{ pid: Number(name), parent, command }]
      } catch {
        return [] // The process ended in the meantime.
      }
    })
  const family = new Set([root])
  for (let size = 0; size !== family.size;) {
    size = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  return all
    .filter(({ pid, command }) => family.has(pid) && /chrom/i.test(command) && !command.startsWith('/bin/sh'))
    .map(({ pid, command }) => ({ pid, type: /--type=([\w-]+)/.exec(command)?.[1] ?? 'browser' }))
}

const find = (type: string, root = process.pid) =>
  listProcesses(root)
    .filter(process => process.type === type)
    .map(({ pid }) => pid)

/** Starts a page that waits until `release` is called. Resolves when the page waits. */
async function startHeldPage(printer = renderer) {
  released = new Promise(resolve => (release = resolve))
  const before = site.requests.length
  const result = printer.print(`${site.base}/held`, { waitForSelector: '.ready' })
  result.catch(() => {}) // The test awaits it later.
  await waitFor(() => expect(site.requests.slice(before)).toContain('GET /go'))
  return { result }
}

describe('the browser', () => {
  it('reports its state', async () => {
    await renderer.print('<p>x')
    expect(renderer.pages.status()).toMatchObject({
      state: 'ready',
      version: expect.stringMatching(/^Chrome\/\d+/) as string,
      sandbox: expect.any(Boolean) as boolean,
      running: 0,
    })
  })

  it('is replaced if it is killed, and the new browser prints the current page', async () => {
    const printing = await startHeldPage()
    const [pid = 0] = find('browser')
    process.kill(pid, 'SIGKILL')
    await renderer.print('<p>x')
    release()
    expect((await readPageTexts((await printing.result).bytes)).join('')).toContain('HELD WORDS')
    expect(find('browser')).not.toContain(pid)
  })

  it('is replaced if the script that started it is killed', async () => {
    const { executablePath, env } = await findTestBrowser()
    const folder = mkdtempSync(join(tmpdir(), 'sheaf-test-'))
    const script = join(folder, 'browser')
    const libraries = `LD_LIBRARY_PATH='${env['LD_LIBRARY_PATH']}'`
    writeFileSync(script, `#!/bin/sh\n${libraries} '${executablePath}' "$@"\n`)
    chmodSync(folder, 0o755)
    chmodSync(script, 0o755)
    const scripted = await startPageRenderer({ executablePath: script })
    try {
      await scripted.print('<p>x')
      const { pid = 0 } = scripted.pages.status()
      const before = find('browser')
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => scripted.pages.status().pid, { timeout: 60_000 }).not.toBe(pid)
      await scripted.print('<p>x')
      expect(before).not.toContain(pid)
      await expect.poll(() => before.every(old => find('browser').includes(old)), { timeout: 60_000 }).toBe(false)
    } finally {
      await scripted.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('survives a page that crashes, which fails without a retry', async () => {
    const single = await startPageRenderer({ allowedHosts: site.host, mostPages: 1 })
    try {
      const before = site.requests.length
      const printing = await startHeldPage(single)
      for (const pid of find('renderer', single.pages.status().pid)) process.kill(pid, 'SIGKILL')
      await expect(printing.result).rejects.toMatchObject({ reason: 'not_rendered' })
      expect(site.requests.slice(before).filter(request => request === 'GET /held')).toHaveLength(1)
      await single.print('<p>x')
      expect(single.pages.status()).toMatchObject({ started: 1, printed: 1 })
    } finally {
      await single.close()
    }
  })

  it('ends a page that uses all its memory, and continues', async () => {
    await expect(renderer.print(`${site.base}/hog`, { timeout: 20 })).rejects.toThrowError(/could not be converted/)
    await renderer.print('<p>x')
  })

  it('keeps no context and no renderer of finished pages', async () => {
    await Promise.all(Array.from({ length: 6 }, () => renderer.print('<p>x')))
    // Each browser has a blank page, and may have a spare renderer.
    const count = () => find('renderer').length - 2 * find('browser').length
    await expect.poll(count, { timeout: 60_000 }).toBeLessThanOrEqual(0)
    expect(renderer.pages.status().running).toBe(0)
  })

  it('prints one page at a time per browser, with as many browsers as allowed pages', async () => {
    released = new Promise(resolve => (release = resolve))
    const printing = Array.from({ length: 6 }, () => renderer.print(`${site.base}/held`, { waitForSelector: '.ready' }))
    await waitFor(() => expect(renderer.pages.status().running).toBe(4))
    expect(find('browser')).toHaveLength(4)
    release()
    await Promise.all(printing)
  })

  it('can be missing: requests get an error, and nothing else fails', async () => {
    const without = await startPageRenderer({ executablePath: '/nonexistent/chrome' })
    await expect(without.print('<p>x')).rejects.toThrowError(expect.objectContaining({ reason: 'busy' }) as Error)
    expect(without.pages.status()).toMatchObject({ state: 'unavailable' })
    expect(without.notices).toMatchObject([
      {
        isTrouble: true,
        cause: expect.objectContaining({
          message: expect.stringContaining('PUPPETEER_EXECUTABLE_PATH names /nonexistent/chrome') as string,
        }) as Error,
      },
    ])
    await without.close()
  })

  it('can be remote and unreachable, and the error states the reason', async () => {
    const away = await startPageRenderer({ endpoint: 'ws://127.0.0.1:9/' })
    await expect(away.print('<p>x')).rejects.toThrowError(expect.objectContaining({ reason: 'busy' }) as Error)
    expect(away.notices).toMatchObject([
      {
        isTrouble: true,
        cause: expect.objectContaining({ message: expect.stringContaining('ECONNREFUSED') as string }) as Error,
      },
    ])
    await away.close()
  })

  it('can be remote, and uses the proxy with separate credentials for each page', async () => {
    const remote = await launch({ ...(await findTestBrowser()), headless: true })
    const own = await startPageRenderer({
      allowedHosts: site.host,
      endpoint: remote.wsEndpoint(),
      egressHost: '127.0.0.1',
    })
    try {
      const { bytes } = await own.print(`${site.base}/late`, { waitForSelector: '.ready' })
      expect((await readPageTexts(bytes)).join('')).toContain('LATE WORDS')
      const asked = await own.print(`${site.base}/secret`, { httpAuth: { username: 'ada', password: 'pw' } })
      expect((await readPageTexts(asked.bytes)).join('')).toContain('SECRET WORDS')
      const hasSandbox = !remote.process()?.spawnargs.includes('--no-sandbox')
      expect(own.pages.status()).toMatchObject({
        version: expect.stringMatching(/Chrome\/\d+\./) as string,
        sandbox: hasSandbox,
      })
    } finally {
      await own.close()
      await remote.close()
    }
  })
})
