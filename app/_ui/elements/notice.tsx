import type { ComponentProps, ReactNode } from 'react'
import classes from './notice.module.css'

interface Props extends Omit<ComponentProps<'div'>, 'title'> {
  kind?: 'information' | 'warning' | 'failure'
  title?: ReactNode
}

/** A message in a box. Screen readers announce it at once, unless it has another `role`. */
export function Notice({ kind = 'information', title, role = 'alert', children, ...others }: Props) {
  return (
    <div {...others} role={role} className={`${classes.notice} ${classes[kind] ?? ''}`}>
      {title !== undefined && <div className={classes.title}>{title}</div>}
      <div className={classes.message}>{children}</div>
    </div>
  )
}
