import type { ReactNode } from 'react'
import { signedInAccount } from '../_server/signed-in-account'
import { SignOutButton } from '../_ui/forms/sign-out'
import { SiteFrame } from '../_ui/frame/site-frame'
import { AccountNav } from '../_ui/frame/account-nav'
import classes from './account.module.css'

export default async function AccountLayout({ children }: { children: ReactNode }) {
  const account = await signedInAccount()
  return (
    <SiteFrame signedIn wide>
      <div className={classes.layout}>
        <div className={classes.side}>
          <AccountNav />
          <div className={classes.who}>
            <p className={classes.email} title={account.email}>
              {account.email}
            </p>
            <SignOutButton />
          </div>
        </div>
        <div className={classes.page}>{children}</div>
      </div>
    </SiteFrame>
  )
}
