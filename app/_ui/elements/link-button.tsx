import type { ReactNode } from 'react'
import { buttonClass } from './button'

/** A link that looks like a button. */
export function LinkButton({
  href,
  primary = false,
  children,
}: {
  href: string
  primary?: boolean
  children: ReactNode
}) {
  return (
    <a href={href} className={buttonClass({ look: primary ? 'primary' : 'secondary', size: 'large' })}>
      {children}
    </a>
  )
}
