import { describePage } from '../../_server/page-metadata'
import { SignInBox } from '../sign-in-box'

export const metadata = describePage({
  title: 'Account deleted',
  description: 'What Sheaf deletes with an account, and what it keeps.',
  path: '/sign-in/deleted',
  isPrivate: true,
})

/** Where the deletion of an account ends. Says the same as the settings page before it. */
export default function DeletedPage() {
  return (
    <SignInBox
      title="Account deleted"
      lead="You are signed out everywhere. Requests with your API key return 401 from now on."
    >
      <p>
        Deleted: your email address, name, password, API key, linked sign-ins, request log, usage and remaining credits.
      </p>
      <p>
        Kept: the credit ledger, under an ID that isn’t linked to you. If you bought credits, your invoices stay,
        because the law requires this.
      </p>
      <p>
        <a href="/docs/privacy">What Sheaf stores</a> · <a href="/">Start page</a>
      </p>
    </SignInBox>
  )
}
