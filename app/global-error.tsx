'use client'

import ErrorPage from './error'
import './globals.css'

/** Shown if the root layout fails. This page must include its own document. */
export default function GlobalError(properties: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <ErrorPage {...properties} />
      </body>
    </html>
  )
}
