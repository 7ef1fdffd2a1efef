import type { ReactNode } from 'react'
import classes from './link-button.module.css'

/** A link that looks like the buttons of the account area, for pages that load no components. */
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
    <a href={href} className={primary ? `${classes.button} ${classes.primary}` : classes.button}>
      {children}
    </a>
  )
}
