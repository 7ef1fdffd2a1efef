import { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BrowserNotice } from '../../../../engines/webpage/browser/browser-opener'
import { parseAllowedHosts } from '../../../../engines/webpage/egress/allowed-hosts'
import { pageOptions } from '../../../../engines/webpage/request/options'
import { PrinterProcess } from '../../../../engines/webpage/browser/printer-process'
import { openHtml } from '../../../../engines/webpage/request/page-source'
import { bundleScript } from '../../../support/bundled-script'
import { readPageTexts } from '../../../support/page-texts'
import { startSite } from '../../../support/site'
import type { TestSite } from '../../../support/site'
import { waitFor } from '../../../support/wait-for'
import { PRODUCT_BROWSER } from '../../../support/web-printer'

const notices: BrowserNotice[] = []
let printer: PrinterProcess
let site: TestSite
let isHeld = true
let remove: () => void
let spoolFolder: string

beforeAll(async () => {
  site = await startSite({ '/script': (_request, response) => void (isHeld || response.end()) })
  const [child, fonts] = await Promise.all([
    bundleScript('engines/webpage/browser/child.ts'),
    bundleScript('engines/webpage/browser-fonts/make-fonts.ts'),
  ])
  spoolFolder = mkdtempSync(join(tmpdir(), 'sheaf-spool-'))
  remove = () => {
    for (const script of [child, fonts]) script.remove()
    rmSync(spoolFolder, { recursive: true })
  }
  printer = new PrinterProcess({
    childPath: child.path,
    makeFontsPath: fonts.path,
    spoolFolder,
    ...PRODUCT_BROWSER,
    allowed: parseAllowedHosts(site.host),
    mostMs: 60_000,
    onNotice: notice => void (notice.isRoutine || notices.push(notice)),
  })
  await printer.ready()
})

afterAll(async () => {
  await printer?.close()
  await site?.close()
  remove?.()
})

async function print(html: string, options: object = {}, signal = new AbortController().signal): Promise<string> {
  const { chunks } = await printer.print(
    { source: openHtml(html, undefined), options: pageOptions.parse(options) },
    signal,
  )
  return (await readPageTexts(Buffer.concat(chunks))).join('')
}

/** A page whose PDF has more than 1 MB: noise that doesn't compress, as an image. */
const LARGE_PAGE = `<p>LARGE</p><canvas id="c" width="1200" height="1000"></canvas><script>
  const context = document.getElementById('c').getContext('2d')
  const image = context.createImageData(1200, 1000)
  for (let index = 0; index < image.data.length; index += 1) image.data[index] = index % 4 === 3 ? 255 : Math.random() * 256
  context.putImageData(image, 0, 0)
</script>`

/** The printer process: our only child process with that name. */
function findProcess(): number {
  const found = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .find(name => {
      try {
        return (
          readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith('sheaf-pages') &&
          readFileSync(`/proc/${name}/status`, 'latin1').includes(`PPid:\t${process.pid}\n`)
        )
      } catch {
        return false // The process ended in the meantime.
      }
    })
  return Number(found)
}

describe('the process that prints pages', () => {
  it('prints, and reports the state of its browser', async () => {
    expect(await print('<p>FROM AFAR')).toContain('FROM AFAR')
    expect(printer.status()).toMatchObject({ state: 'ready', version: expect.stringContaining('Chrome/') as string })
    expect(printer.residentBytes()).toBeGreaterThan(100e6) // Chrome's processes use more.
  })

  it('writes a large print to a file, so that the service never holds it', async () => {
    const source = openHtml(LARGE_PAGE, undefined)
    const page = await printer.print({ source, options: pageOptions.parse({}) }, new AbortController().signal)
    expect(page.chunks).toEqual([])
    const bytes = readFileSync(page.path ?? '')
    expect(bytes.length).toBe(page.byteLength)
    expect(bytes.length).toBeGreaterThan(2 ** 20)
    expect((await readPageTexts(bytes)).join('')).toContain('LARGE')
  })

  it("returns the reason if a page can't be printed", async () => {
    await expect(print('<p>x', { waitForSelector: '#never', waitForTimeout: 0.2 })).rejects.toThrowError(
      expect.objectContaining({
        reason: 'not_rendered',
        problems: [expect.objectContaining({ param: 'waitForSelector' })],
      }) as Error,
    )
  })

  it('cancels a page after its client disconnects', async () => {
    const controller = new AbortController()
    const printing = print('<p>x', { waitDelay: 20 }, controller.signal)
    await waitFor(() => expect(printer.status().running).toBe(1))
    controller.abort()
    await expect(printing).rejects.toThrowError(expect.objectContaining({ reason: 'canceled' }) as Error)
    await expect(print('<p>x', {}, AbortSignal.abort())).rejects.toThrowError(
      expect.objectContaining({ reason: 'canceled' }) as Error,
    )
  })

  it('isolates the service from pages that flood their browser with events', async () => {
    const report = vi.spyOn(ChildProcess.prototype, 'emit')
    await expect(
      print('<script>for (;;) console.log("x".repeat(1000), { a: 1 })</script>', { timeout: 2 }),
    ).rejects.toThrowError(/could not be converted/)
    expect(report.mock.calls.length).toBeLessThan(1000) // Status reports, and none of the events.
    report.mockRestore()
    expect(await print('<p>AFTER THE FLOOD')).toContain('AFTER THE FLOOD')
  })

  it('is restarted if it ends, and prints its current page again', async () => {
    const printing = print(`<p>TWICE</p><script src="${site.base}/script"></script>`)
    await waitFor(() => expect(site.requests).toEqual(['GET /script']))
    isHeld = false
    process.kill(findProcess(), 'SIGKILL')
    expect(await printing).toContain('TWICE')
    expect(site.requests).toEqual(['GET /script', 'GET /script'])
    expect(notices).toMatchObject([
      { isTrouble: false, message: expect.stringContaining('another one is started') as string },
    ])
  })
})
