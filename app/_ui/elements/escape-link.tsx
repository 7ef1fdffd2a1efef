'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** A link that leaves a view. The Escape key follows the link, unless the visitor types or a dialog is open. */
export function EscapeLink({ href, children }: { href: string; children: ReactNode }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      const isBusy = event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null
      if (!isBusy && document.querySelector('dialog[open]') === null) link.current?.click()
    }
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  }, [])
  return (
    <a ref={link} href={href}>
      {children}
    </a>
  )
}
