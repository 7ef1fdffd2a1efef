import { type RefObject, useEffect, useRef } from 'react'

/** Returns a reference for an image or a link that gets a URL of the blob, while the component shows it. */
export function useBlobUrl<Shown extends HTMLImageElement | HTMLAnchorElement>(blob: Blob): RefObject<Shown | null> {
  const shown = useRef<Shown>(null)
  useEffect(() => {
    const url = URL.createObjectURL(blob)
    shown.current?.setAttribute(shown.current instanceof HTMLImageElement ? 'src' : 'href', url)
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return shown
}
