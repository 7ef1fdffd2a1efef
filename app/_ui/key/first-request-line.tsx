'use client'

import { useEffect, useState } from 'react'
import classes from './first-request-line.module.css'
import { CheckIcon } from '../elements/icons'
import { useRefresh } from '../forms/use-refresh'

interface LatestRequest {
  requestId: string
  operation: string
  status: number
  error: string | null
  ms: number
}

const EVERY_MS = 2000
/** After this time, an open page stops asking. */
const LONGEST_MS = 10 * 60_000

/**
 * Waits for the account's next request after `since` (ISO 8601), shows its result, and refreshes the page, which
 * contains the balance and the last use of the key.
 */
export function FirstRequestLine({ since }: { since: string }) {
  const [request, setRequest] = useState<LatestRequest | null>(null)
  const refresh = useRefresh()

  // Each refresh of the page passes a later time, but this component keeps the first one.
  const [firstSince] = useState(since)

  useEffect(() => {
    const started = Date.now()
    let after = firstSince
    const poll = async (): Promise<void> => {
      const latestRequest = await fetchLatestRequest(after)
      if (latestRequest === null) return
      after = latestRequest.at
      setRequest(latestRequest)
      void refresh()
    }
    const timer = setInterval(() => {
      if (Date.now() - started > LONGEST_MS) clearInterval(timer)
      else if (document.visibilityState === 'visible') void poll()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [firstSince, refresh])

  const isGood = request !== null && request.status < 400
  return (
    <p
      role="status"
      className={
        request === null ? classes.line : isGood ? `${classes.line} ${classes.good}` : `${classes.line} ${classes.bad}`
      }
    >
      {request === null && (
        <>
          <span className={classes.waiting} aria-hidden /> Waiting for a request. The result appears here.
        </>
      )}
      {request !== null && (
        <>
          {isGood && <CheckIcon />}
          <span>
            {isGood ? 'Request received: ' : 'Request failed: '}
            {request.operation}, {request.status}
            {request.error !== null && (
              <>
                {' '}
                <a href={`/docs/errors#${request.error}`}>{request.error}</a>
              </>
            )}
            , {request.ms} ms, <a href={`/account/calls?request=${request.requestId}`}>{request.requestId}</a>
          </span>
        </>
      )}
    </p>
  )
}

async function fetchLatestRequest(after: string): Promise<(LatestRequest & { at: string }) | null> {
  try {
    const response = await fetch(`/api/account/latest-call?after=${encodeURIComponent(after)}`, { cache: 'no-store' })
    if (!response.ok) return null
    // Our own route returns this shape.
    const body = (await response.json()) as { call: (LatestRequest & { at: string }) | null }
    return body.call
  } catch {
    return null // There is no connection now. The next round asks again.
  }
}
