'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

/** Needs the session and the database, as the pages of the account area do. No request is later, so the result is empty. */
const ACCOUNT_PROBE = '/api/account/latest-call?after=9999-12-31T00:00:00Z'

/**
 * Refreshes the page's data from the server, if the server is reachable. Otherwise Next.js would reload the whole page,
 * and the visitor would see the browser's error page. `probe` is a URL that returns 2xx if the page can be refreshed.
 */
export function useRefresh(probe = ACCOUNT_PROBE): () => Promise<void> {
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
