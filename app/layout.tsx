import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { currentOrigin } from './_server/current-origin'
import { OPEN_GRAPH, SITE_DESCRIPTION, SITE_TITLE, TWITTER_CARD } from './_server/page-metadata'
import { CHOOSE_COLOR_SCHEME } from './_ui/frame/color-scheme'
import { codeFont, textFont } from './_ui/frame/fonts'
import { KEEP_CLICKS } from './_ui/frame/kept-clicks'
import { LegalPagesProvider } from './_ui/frame/legal-pages'
import { ReadyMark } from './_ui/frame/ready-mark'
import { getConfig } from '../lib/config'
import './globals.css'

// Every page contains the nonce of its own response, so no page can be prerendered.
export const dynamic = 'force-dynamic'

/** What every page has unless it says otherwise. Pages add their own with `describePage`. */
export async function generateMetadata(): Promise<Metadata> {
  return {
    metadataBase: new URL(await currentOrigin()),
    title: { default: SITE_TITLE, template: '%s · Sheaf' },
    description: SITE_DESCRIPTION,
    openGraph: OPEN_GRAPH,
    twitter: TWITTER_CARD,
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#161e1a' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const { TERMS_URL, PRIVACY_URL, OPERATOR_EMAIL, SOURCE_URL } = getConfig()
  return (
    // The script below keeps clicks, and chooses the color scheme before the first paint, which changes this element.
    <html lang="en" className={`${textFont.variable} ${codeFont.variable}`} suppressHydrationWarning>
      <head>
        {/* Our own constants. A browser hides the nonce of a script from the page once it has run. */}
        <script
          nonce={await currentNonce()}
          suppressHydrationWarning
          // oxlint-disable-next-line react/no-danger -- the script must run before the first paint
          dangerouslySetInnerHTML={{ __html: CHOOSE_COLOR_SCHEME + KEEP_CLICKS }}
        />
      </head>
      <body>
        <LegalPagesProvider
          hasTerms={TERMS_URL !== undefined}
          hasPrivacy={PRIVACY_URL !== undefined}
          contact={OPERATOR_EMAIL}
          source={SOURCE_URL}
        >
          {children}
        </LegalPagesProvider>
        <ReadyMark />
      </body>
    </html>
  )
}

/**
 * Returns the nonce of the current page, which the response's Content-Security-Policy allows for scripts. Undefined if
 * there is none.
 */
async function currentNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1]
}
