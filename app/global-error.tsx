'use client'

import ErrorPage from './error'
import './globals.css'

/** Shown when even the frame of the pages fails; it has to bring its own document. */
export default function GlobalError(properties: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <ErrorPage {...properties} />
      </body>
    </html>
  )
}
