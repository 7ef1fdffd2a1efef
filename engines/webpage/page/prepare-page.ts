import type { BrowserContext, CDPSession, CookieData, Page } from 'puppeteer'
import { COOKIE_BANNERS } from './cookie-banners'
import { notRendered } from './page-guard'
import type { PageGuard } from './page-guard'
import type { PageOptions } from '../request/options'

const VIEWPORT_HEIGHT = 900

interface PageSettings {
  /** A session of the page. */
  client: CDPSession
  /** The address that the page will be loaded from. */
  url: string
  options: PageOptions
  /** Of the proxy, where it asks for them. */
  credentials: { username: string; password: string } | undefined
  /** As the browser calls itself. */
  userAgent: string
}

/** Gives a fresh page everything that was asked for, before it is sent anywhere. */
export async function preparePage(
  page: Page,
  guard: PageGuard,
  { client, url, options, credentials, userAgent }: PageSettings,
): Promise<void> {
  const { viewportWidth, deviceScaleFactor, javascript, locale, timezone, cookies, extraHeaders, httpAuth } = options
  page.on('dialog', dialog => void dialog.dismiss().catch(() => {})) // it may be gone with its page
  page.on('popup', popup => void popup?.close().catch(() => {})) // as above
  const needsInterception = extraHeaders !== undefined || httpAuth !== undefined || credentials !== undefined
  const steps: (Promise<unknown> | undefined)[] = [
    page.setViewport({ width: viewportWidth, height: VIEWPORT_HEIGHT, deviceScaleFactor }),
    emulateMedia(client, options),
    client.send('Emulation.setUserAgentOverride', {
      userAgent: options.userAgent ?? userAgent,
      ...(locale === undefined ? {} : { acceptLanguage: locale }),
    }),
    page.evaluateOnNewDocument(silence),
    page.evaluateOnNewDocument(placeExactly),
    javascript ? undefined : page.setJavaScriptEnabled(false),
    locale === undefined
      ? undefined
      : client.send('Emulation.setLocaleOverride', { locale: locale.replaceAll('-', '_') }),
    timezone === undefined ? undefined : page.emulateTimezone(timezone),
    cookies && setCookies(page.browserContext(), url, cookies),
    needsInterception ? intercept(client, new URL(url).origin, { extraHeaders, httpAuth, credentials }) : undefined,
  ]
  await guard.race(Promise.all(steps.filter(step => step !== undefined)))
}

/**
 * Sends the page to its address and shows it as on the medium that is asked for. That is said once more when the page
 * is there: in the process that it moves to, Chromium 147 remembers the color scheme and forgets the medium.
 */
export async function openAddress(
  client: CDPSession,
  guard: PageGuard,
  { url, options }: Pick<PageSettings, 'url' | 'options'>,
): Promise<void> {
  const { errorText } = await guard.race(client.send('Page.navigate', { url }))
  if (errorText) throw notRendered(errorText)
  await guard.race(emulateMedia(client, options))
}

function emulateMedia(client: CDPSession, { mediaType, colorScheme }: PageOptions): Promise<void> {
  return client.send('Emulation.setEmulatedMedia', {
    media: mediaType,
    features: colorScheme === undefined ? [] : [{ name: 'prefers-color-scheme', value: colorScheme }],
  })
}

/**
 * Does to the document what is wanted of its print: hides what is not to be seen; a selector that is none hides
 * nothing.
 */
export async function styleForPrint(
  page: Page,
  guard: PageGuard,
  { hideSelectors, blockCookieBanners, javascript }: PageOptions,
): Promise<void> {
  if (!javascript) await guard.race(page.evaluate(placeExactly)) // nothing was done to its documents before
  const selectors = [...hideSelectors, ...(blockCookieBanners ? COOKIE_BANNERS : [])]
  if (selectors.length === 0) return
  await guard.race(
    page.evaluate(
      (all, unlocks) => {
        // Sheets that are made so are not kept out by a policy of the page.
        const sheet = new CSSStyleSheet()
        for (const selector of all) {
          try {
            sheet.insertRule(`${selector} { display: none !important }`)
          } catch {
            // not a selector of this browser
          }
        }
        if (unlocks) sheet.insertRule('html, body { overflow: visible !important; position: static !important }')
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      },
      selectors,
      blockCookieBanners,
    ),
  )
}

/** Letters are otherwise placed at whole pixels of a screen, which tears words apart on paper. */
function placeExactly(): void {
  const sheet = new CSSStyleSheet()
  sheet.insertRule('* { text-rendering: geometricPrecision !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** Nobody is there to look at windows, and every word of a console would be sent to us. */
function silence(): void {
  const ignore = () => undefined
  for (const name of Object.keys(console))
    if (typeof Reflect.get(console, name) === 'function') Reflect.set(console, name, ignore)
  window.open = () => null
  window.print = () => undefined
}

async function setCookies(
  context: BrowserContext,
  url: string,
  cookies: NonNullable<PageOptions['cookies']>,
): Promise<void> {
  const { hostname, protocol } = new URL(url)
  const data = cookies.map(
    ({ name, value, domain = hostname, path = '/', secure = false, httpOnly = false, sameSite }): CookieData => {
      const isSecure = secure || (sameSite === 'None' && protocol === 'https:')
      return { name, value, domain, path, secure: isSecure, httpOnly, ...(sameSite ? { sameSite } : {}) }
    },
  )
  await context.setCookie(...data)
}

interface Secrets extends Pick<PageOptions, 'extraHeaders' | 'httpAuth'> {
  credentials: PageSettings['credentials']
}

/** Adds headers, and answers those who ask for a name and a password: each only where it belongs. */
async function intercept(
  client: CDPSession,
  origin: string,
  { extraHeaders = {}, httpAuth, credentials }: Secrets,
): Promise<void> {
  const ignore = () => {} // the request may be gone
  client.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isOwn = URL.canParse(request.url) && new URL(request.url).origin === origin
    const own = Object.entries(extraHeaders).map(([name, value]) => ({ name, value }))
    const kept = Object.entries(request.headers)
      .filter(([name]) => !own.some(header => header.name.toLowerCase() === name.toLowerCase()))
      .map(([name, value]) => ({ name, value }))
    void client
      .send('Fetch.continueRequest', { requestId, ...(isOwn && own.length > 0 ? { headers: [...kept, ...own] } : {}) })
      .catch(ignore)
  })
  const tried = new Set<string>()
  client.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const isProxy = authChallenge.source === 'Proxy'
    const known = isProxy ? credentials : authChallenge.origin === origin ? httpAuth : undefined
    const challenge = `${authChallenge.source} ${requestId}`
    const isFirst = known !== undefined && !tried.has(challenge)
    tried.add(challenge)
    void client
      .send('Fetch.continueWithAuth', {
        requestId,
        authChallengeResponse: isFirst ? { response: 'ProvideCredentials', ...known } : { response: 'CancelAuth' },
      })
      .catch(ignore)
  })
  await client.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: '*' }] })
}
