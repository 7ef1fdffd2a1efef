import type { ReactNode } from 'react'
import classes from './message-page.module.css'
import { SiteFrame } from './site-frame'

/** A page that says one thing, such as that there is no such page. */
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
