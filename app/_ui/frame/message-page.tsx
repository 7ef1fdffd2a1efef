import type { ReactNode } from 'react'
import classes from './message-page.module.css'
import { SiteFrame } from './site-frame'

/** A page with a single message, such as an error. */
export function MessagePage({
  title,
  isAlert = false,
  children,
}: {
  title: string
  isAlert?: boolean
  children: ReactNode
}) {
  return (
    <SiteFrame signedIn={false}>
      <div className={classes.box} role={isAlert ? 'alert' : undefined}>
        <h1>{title}</h1>
        {children}
      </div>
    </SiteFrame>
  )
}
