import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Account } from '../../lib/accounts/account/accounts'
import { ACCOUNT_PAGE } from '../../lib/accounts/sign-in/next-path'
import { PATH_HEADER } from '../../lib/http/server/path-header'
import { currentAccount } from '../../lib/accounts/session/session'

/**
 * Returns the account of the current page, read once per page. If nobody is signed in, redirects to the sign-in page,
 * which then leads back.
 */
export const signedInAccount = cache(async (): Promise<Account> => {
  const account = await currentAccount()
  if (account) return account
  const path = (await headers()).get(PATH_HEADER) ?? ACCOUNT_PAGE
  return redirect(path === ACCOUNT_PAGE ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`)
})
