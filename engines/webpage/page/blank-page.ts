import { randomBytes } from 'node:crypto'
import type { Browser, BrowserContext, CDPSession, Page } from 'puppeteer'
import { EgressProxy } from '../egress/egress-proxy'
import type { ProxyCredentials } from '../egress/egress-proxy'
import { addPageScripts } from './page-scripts'

/**
 * An empty page in a browser context of its own, with a proxy of its own as its only way to the network. It is opened
 * before a request needs it. One request uses it, and then it is closed.
 */
export interface BlankPage {
  page: Page
  client: CDPSession
  /** Refuses everything until it is assigned to a request. */
  egress: EgressProxy
  /** Credentials of the proxy, if it requires them. */
  credentials: ProxyCredentials | undefined
  /** The default User-Agent of the browser. */
  userAgent: string
  /** Whether the page has neither crashed nor been closed. */
  readonly isUsable: boolean
  /** Ends all connections of the page at once, then closes it. Rejects if the browser is lost. */
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/**
 * Opens an empty page. `egressHost` is an address of this machine that a remote browser can reach. It is undefined for
 * a browser on this machine. Rejects if the browser is lost.
 */
export async function openBlankPage(browser: Browser, egressHost: string | undefined): Promise<BlankPage> {
  const credentials =
    egressHost === undefined
      ? undefined
      : { username: randomBytes(9).toString('hex'), password: randomBytes(18).toString('hex') }
  const listenHost = egressHost ?? LOOPBACK
  const egress = await EgressProxy.open({ listenHost, credentials })
  let context: BrowserContext | undefined
  const close = async () => {
    egress.close()
    await context?.close()
  }
  try {
    context = await browser.createBrowserContext({
      proxyServer: `http://${hostForUrl(listenHost)}:${egress.port}`,
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    })
    const page = await context.newPage()
    let isUsable = true
    for (const event of ['error', 'close'] as const) page.once(event, () => (isUsable = false))
    page.on('dialog', dialog => void dialog.dismiss().catch(() => {})) // The dialog may have closed with its page.
    page.on('popup', popup => void popup?.close().catch(() => {})) // The popup may have closed already.
    const [client, userAgent] = await Promise.all([page.createCDPSession(), browser.userAgent(), addPageScripts(page)])
    return {
      page,
      client,
      egress,
      credentials,
      userAgent: userAgent.replace('HeadlessChrome', 'Chrome'),
      get isUsable() {
        return isUsable
      },
      close,
    }
  } catch (error) {
    void close().catch(() => {}) // If the browser is lost, the context is lost too.
    throw error
  }
}

function hostForUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
