'use client'

import { useEffect } from 'react'
import { useRefresh } from './use-refresh'

const EVERY_MS = 20_000

/**
 * Refreshes the server-rendered page when the visitor returns to it, and every `everyMs` (20 s by default) while it is
 * visible. See `useRefresh` for `probe`.
 */
export function RefreshWhileVisible({ everyMs = EVERY_MS, probe }: { everyMs?: number; probe?: string }) {
  const refreshPage = useRefresh(probe)
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
