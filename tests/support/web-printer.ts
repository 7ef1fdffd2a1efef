import { EngineError } from '../../engines/errors'
import { collectContent, holdChunks } from '../../engines/output-content'
import { runJob } from '../../engines/jobs'
import type { Job, OutputFile } from '../../engines/types'
import { indexArchive } from '../../engines/webpage/archive/index-archive'
import { parseAllowedHosts } from '../../engines/webpage/egress/allowed-hosts'
import type { BrowserNotice } from '../../engines/webpage/browser/browser-opener'
import { pageOptions } from '../../engines/webpage/request/options'
import { PooledWebPrinter } from '../../engines/webpage/web-printer'
import type { PageRequest } from '../../engines/webpage/web-printer'
import { BrowserPrinter } from '../../engines/webpage/browser/browser-printer'
import type { PrinterSettings } from '../../engines/webpage/browser/browser-printer'
import { openHtml } from '../../engines/webpage/request/page-source'
import type { PageSource } from '../../engines/webpage/request/page-source'
import { bundleScript } from './bundled-script'

/** A page renderer for tests, with the product's browser and fonts. */
export interface TestRenderer {
  pages: PooledWebPrinter
  notices: BrowserNotice[]
  /** Prints a URL, or HTML, with the options of a request. */
  print(page: string | PageSource, options?: object, signal?: AbortSignal): Promise<PrintedPage>
  close(): Promise<void>
}

/** A printed PDF as one buffer. */
export interface PrintedPage {
  bytes: Buffer
  name: string
  warnings: string[]
}

/** Settings for the browser of the product. */
export const PRODUCT_BROWSER = {
  cacheDir: undefined,
  executablePath: undefined,
  endpoint: undefined,
  egressHost: undefined,
  searchPath: '',
  mayLackSandbox: true,
  mostPages: 4,
  mostPageBytes: 1500 * 2 ** 20,
}

/** Starts a renderer. `allowedHosts` has the format of WEBPAGE_ALLOWED_HOSTS. */
export async function startPageRenderer({
  allowedHosts = '',
  ...settings
}: Partial<PrinterSettings> & { allowedHosts?: string } = {}): Promise<TestRenderer> {
  const script = await bundleScript('engines/webpage/browser-fonts/make-fonts.ts')
  const notices: BrowserNotice[] = []
  const printer = new BrowserPrinter({
    ...PRODUCT_BROWSER,
    makeFontsPath: script.path,
    onNotice: notice => void (notice.isRoutine || notices.push(notice)),
    allowed: parseAllowedHosts(allowedHosts),
    mostMs: 60_000,
    ...settings,
  })
  const pages = new PooledWebPrinter({ printer, finish: runHere, maxOutputBytes: 512 * 2 ** 20 })
  return {
    pages,
    notices,
    async print(page, options = {}, signal = new AbortController().signal) {
      const source: PageSource =
        typeof page !== 'string'
          ? page
          : page.startsWith('http')
            ? { kind: 'url', url: page }
            : openHtml(page, undefined)
      const call: PageRequest = { source, options: pageOptions.parse(options), name: 'page', signal }
      const { content, name, warnings } = await pages.print(call)
      return { bytes: await collectContent(content), name, warnings }
    },
    async close() {
      await pages.close()
      script.remove()
    },
  }
}

/** The check of a zipped page, in this process instead of an engine's. */
export function indexHere(zip: Uint8Array): Promise<Uint8Array> {
  return Promise.resolve(Buffer.from(JSON.stringify(indexArchive(zip))))
}

/** The last step of printing, in this process instead of an engine's. */
async function runHere({ files, ...job }: Job): Promise<OutputFile> {
  const whole = files.map(({ name, chunks }) => ({ name, bytes: new Uint8Array(Buffer.concat(chunks)) }))
  const { chunks, ...result } = await runJob({ ...job, files: whole }, () => {})
  if (chunks.length === 0) throw new EngineError('internal', 'nothing was made')
  return { ...result, content: holdChunks(chunks) }
}
