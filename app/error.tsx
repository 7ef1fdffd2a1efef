'use client'

import { SiteFrame } from './_ui/site-frame'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <SiteFrame signedIn={false}>
      <div className="narrow stack" role="alert">
        <h1>This page could not be shown</h1>
        <p>The fault is on our side. Try again in a moment.</p>
        {error.digest !== undefined && (
          <p className="soft">
            Reference for the operator: <code>{error.digest}</code>
          </p>
        )}
        <p>
          <button type="button" className="button" onClick={reset}>
            Try again
          </button>
        </p>
      </div>
    </SiteFrame>
  )
}
