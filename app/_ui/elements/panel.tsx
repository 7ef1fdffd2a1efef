import type { ReactNode } from 'react'
import classes from './panel.module.css'

/** A section of a page with a heading. `aside` is to the right of the heading. */
export function Panel({
  id,
  title,
  aside,
  children,
}: {
  id: string
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
