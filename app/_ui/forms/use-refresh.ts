'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

/**
 * Refreshes the page's data from the server, if the server is reachable. Otherwise Next.js would reload the whole page,
 * and the visitor would see the browser's error page. `probe` is a URL that returns 2xx if the page can be refreshed.
 */
export function useRefresh(probe = '/api/ready'): () => Promise<void> {
  const router = useRouter()
  return useCallback(async () => {
    if (await isReachable(probe)) router.refresh()
  }, [router, probe])
}

async function isReachable(probe: string): Promise<boolean> {
  try {
    return (await fetch(probe, { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
