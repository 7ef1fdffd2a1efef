import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { currentNonce } from './_server/current-nonce'
import { CHOOSE_COLOR_SCHEME } from './_ui/frame/color-scheme'
import { codeFont, textFont } from './_ui/frame/fonts'
import './globals.css'

// Every page contains the nonce of its own response, so no page can be prerendered.
export const dynamic = 'force-dynamic'

export const metadata: Metadata = {
  title: { default: 'Sheaf: the PDF API for developers', template: '%s · Sheaf' },
  description:
    'Merge, split, fill, redact and OCR PDF files, convert web pages to PDF, and generate invoices with one request.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#161e1a' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The script below chooses the color scheme before the first paint, and thereby changes this element.
    <html lang="en" className={`${textFont.variable} ${codeFont.variable}`} suppressHydrationWarning>
      <head>
        {/* Our own constant. A browser hides the nonce of a script from the page once it has run. */}
        <script
          nonce={await currentNonce()}
          suppressHydrationWarning
          // oxlint-disable-next-line react/no-danger -- the script must run before the first paint
          dangerouslySetInnerHTML={{ __html: CHOOSE_COLOR_SCHEME }}
        />
      </head>
      <body>{children}</body>
    </html>
  )
}
