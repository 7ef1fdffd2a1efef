import type { ReactNode } from 'react'
import { SiteFrame } from '../_ui/frame/site-frame'
import classes from './sign-in.module.css'

/** A page for signing in: a title, one or two sentences, and a box with a form. */
export function SignInBox({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <SiteFrame signedIn={false}>
      <div className={classes.box}>
        <h1>{title}</h1>
        <p className={classes.soft}>{lead}</p>
        <div className={classes.panel}>{children}</div>
      </div>
    </SiteFrame>
  )
}
