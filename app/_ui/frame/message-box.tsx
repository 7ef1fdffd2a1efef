import type { ReactNode } from 'react'
import classes from './message-box.module.css'

/** The content of a page with a single message, such as an error. */
export function MessageBox({
  title,
  isAlert = false,
  children,
}: {
  title: string
  isAlert?: boolean
  children: ReactNode
}) {
  return (
    <div className={classes.box} role={isAlert ? 'alert' : undefined}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
