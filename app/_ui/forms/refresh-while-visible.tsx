'use client'

import { useEffect } from 'react'
import { useRefresh } from './use-refresh'

const EVERY_MS = 20_000

/**
 * Keeps what the server rendered up to date: when the visitor comes back to the page, and every 20 s, or `everyMs`,
 * while it is seen.
 */
export function RefreshWhileVisible({ everyMs = EVERY_MS }: { everyMs?: number }) {
  const refreshPage = useRefresh()
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void refreshPage()
    }
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [refreshPage, everyMs])
  return null
}
