import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Account } from '../../lib/accounts/account/accounts'
import { currentAccount } from '../../lib/accounts/session/session'

/**
 * Returns the account of the current page, read once per page. Redirects to the sign-in page if nobody is signed in.
 */
export const signedInAccount = cache(async (): Promise<Account> => {
  const account = await currentAccount()
  return account ?? redirect('/sign-in')
})
