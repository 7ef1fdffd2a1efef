import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { SiteFrame } from '../_ui/frame/site-frame'
import { SiteTheme } from '../_ui/frame/site-theme'
import classes from './sign-in.module.css'

/** A page about signing in: a title, a sentence or two, and a box with what can be done. */
export function SignInBox({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <SiteFrame signedIn={false}>
      <div className={classes.box}>
        <h1>{title}</h1>
        <p className={classes.soft}>{lead}</p>
        <SiteTheme>
          <Paper withBorder radius="lg" p="xl">
            <Stack>{children}</Stack>
          </Paper>
        </SiteTheme>
      </div>
    </SiteFrame>
  )
}
