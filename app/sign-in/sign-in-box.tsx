import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { SiteFrame } from '../_ui/frame/site-frame'
import { SiteTheme } from '../_ui/frame/site-theme'
import classes from './sign-in.module.css'

/** A page for signing in: a title, one or two sentences, and a box with a form. */
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
