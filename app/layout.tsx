import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import './globals.css'

// Every page carries the nonce of its own answer, so none can be made at build time.
export const dynamic = 'force-dynamic'

export const metadata: Metadata = {
  title: { default: 'Sheaf: an HTTP API for PDF files', template: '%s · Sheaf' },
  description: 'Merge, split, fill, redact and recognise PDF files, render web pages and draw invoices with one HTTP call each.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#161e1a' },
  ],
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
