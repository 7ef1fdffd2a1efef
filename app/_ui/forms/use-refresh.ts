'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

/**
 * Has the server make the page's data anew, when it can be reached: Next.js would otherwise load the whole page anew
 * and leave the visitor with the browser's own error in its place.
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
