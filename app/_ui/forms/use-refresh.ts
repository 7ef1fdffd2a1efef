'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

/**
 * Refreshes the page's data from the server, if the server is reachable. Otherwise Next.js would reload the whole page,
 * and the visitor would see the browser's error page.
 */
export function useRefresh(): () => Promise<void> {
  const router = useRouter()
  return useCallback(async () => {
    if (await isReachable()) router.refresh()
  }, [router])
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/api/ready', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
