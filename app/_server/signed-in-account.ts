import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Account } from '../../lib/accounts/account/accounts'
import { currentAccount } from '../../lib/accounts/session/session'

/** The account whose page is being made, asked for once a page; whoever is not signed in is sent to the sign-in. */
export const signedInAccount = cache(async (): Promise<Account> => {
  const account = await currentAccount()
  return account ?? redirect('/sign-in')
})
