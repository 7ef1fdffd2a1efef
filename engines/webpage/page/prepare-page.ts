import type { BrowserContext, CDPSession, CookieData, Page } from 'puppeteer'
import { notRendered } from './page-guard'
import type { PageGuard } from './page-guard'
import { useExactGlyphPositions } from './page-scripts'
import type { PageOptions } from '../request/options'

const VIEWPORT_HEIGHT = 900

interface PageSettings {
  /** A CDP session of the page. */
  client: CDPSession
  /** The URL from which the page will be loaded. */
  url: string
  options: PageOptions
  /** Credentials of the proxy, if it requires them. */
  credentials: { username: string; password: string } | undefined
  /** The default User-Agent of the browser. */
  userAgent: string
}

/** Applies all options to a new page, before it is loaded. */
export async function preparePage(
  page: Page,
  guard: PageGuard,
  { client, url, options, credentials, userAgent }: PageSettings,
): Promise<void> {
  const { viewportWidth, deviceScaleFactor, javascript, locale, timezone, cookies, extraHeaders, httpAuth } = options
  const needsInterception = extraHeaders !== undefined || httpAuth !== undefined || credentials !== undefined
  const steps: (Promise<unknown> | undefined)[] = [
    page.setViewport({ width: viewportWidth, height: VIEWPORT_HEIGHT, deviceScaleFactor }),
    emulateMedia(client, options),
    client.send('Emulation.setUserAgentOverride', {
      userAgent: options.userAgent ?? userAgent,
      ...(locale === undefined ? {} : { acceptLanguage: locale }),
    }),
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
 * Loads the page and emulates the requested media type. The emulation is repeated after the navigation, because
 * Chromium 147 forgets the media type, but not the color scheme, if the page moves to another process.
 */
export async function openUrl(
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

/** Hides elements that must not be printed. An invalid selector hides nothing. */
export async function styleForPrint(
  page: Page,
  guard: PageGuard,
  { hideSelectors, blockCookieBanners, javascript }: PageOptions,
): Promise<void> {
  if (!javascript) await guard.race(page.evaluate(useExactGlyphPositions)) // Without JavaScript, the page had no scripts on new documents.
  const selectors = [...hideSelectors, ...(blockCookieBanners ? COOKIE_BANNERS : [])]
  if (selectors.length === 0) return
  await guard.race(
    page.evaluate(
      (hiddenSelectors, unlocks) => {
        // The Content Security Policy of the page doesn't block constructed style sheets.
        const sheet = new CSSStyleSheet()
        for (const selector of hiddenSelectors) {
          try {
            sheet.insertRule(`${selector} { display: none !important }`)
          } catch {
            // The browser doesn't support this selector.
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

/**
 * Adds headers to requests of the page's origin, and answers authentication challenges of the proxy and of that origin.
 */
async function intercept(
  client: CDPSession,
  origin: string,
  { extraHeaders = {}, httpAuth, credentials }: Secrets,
): Promise<void> {
  const ignore = () => {} // The request may have ended.
  client.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isSameOrigin = URL.canParse(request.url) && new URL(request.url).origin === origin
    const addedHeaders = Object.entries(extraHeaders).map(([name, value]) => ({ name, value }))
    const otherHeaders = Object.entries(request.headers)
      .filter(([name]) => !addedHeaders.some(header => header.name.toLowerCase() === name.toLowerCase()))
      .map(([name, value]) => ({ name, value }))
    void client
      .send('Fetch.continueRequest', {
        requestId,
        ...(isSameOrigin && addedHeaders.length > 0 ? { headers: [...otherHeaders, ...addedHeaders] } : {}),
      })
      .catch(ignore)
  })
  const tried = new Set<string>()
  client.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const isProxy = authChallenge.source === 'Proxy'
    const knownCredentials = isProxy ? credentials : authChallenge.origin === origin ? httpAuth : undefined
    const challenge = `${authChallenge.source} ${requestId}`
    const isFirst = knownCredentials !== undefined && !tried.has(challenge)
    tried.add(challenge)
    void client
      .send('Fetch.continueWithAuth', {
        requestId,
        authChallengeResponse: isFirst
          ? { response: 'ProvideCredentials', ...knownCredentials }
          : { response: 'CancelAuth' },
      })
      .catch(ignore)
  })
  await client.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: '*' }] })
}

/** Selectors for the banners of well-known consent tools, and for common names of custom banners. */
const COOKIE_BANNERS: readonly string[] = [
  '#onetrust-consent-sdk',
  '#onetrust-banner-sdk',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '#usercentrics-root',
  '#usercentrics-cmp-ui',
  '#didomi-host',
  '#truste-consent-track',
  '#consent_blackbar',
  '#cmpbox',
  '#cmpbox2',
  '#iubenda-cs-banner',
  '#cookie-law-info-bar',
  '#cookie-notice',
  '#cookie-banner',
  '#cookie-bar',
  '#cookie-consent',
  '#cookieConsent',
  '#cookiescript_injected',
  '#gdpr-cookie-message',
  '#klaro',
  '#hs-eu-cookie-confirmation',
  '#tarteaucitronRoot',
  '#axeptio_overlay',
  '#BorlabsCookieBox',
  '[id^="sp_message_container_"]',
  '.qc-cmp2-container',
  '.fc-consent-root',
  '.osano-cm-window',
  '.cc-window',
  '.cc-banner',
  '.cky-consent-container',
  '.cmplz-cookiebanner',
  '.termly-styles-root',
  '.evidon-banner',
  '.cookie-banner',
  '.cookie-bar',
  '.cookie-consent',
  '.cookie-notice',
  '.cookieconsent',
  '[aria-label="Cookie banner" i]',
  '[aria-label="Cookie consent" i]',
]
