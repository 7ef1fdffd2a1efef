import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { Ending } from '../../../lib/accounts/sign-in/first-address-proof'
import { describeHeldProof } from '../../../lib/accounts/sign-in/pending-address-proof'
import { currentAccount } from '../../../lib/accounts/session/session'
import { relativeDay } from '../../_server/dates'
import { describePage } from '../../_server/page-metadata'
import { FailureNote } from '../../_ui/forms/failure-note'
import classes from '../sign-in.module.css'
import { SignInBox } from '../sign-in-box'
import { Button } from '../../_ui/elements/button'
import { Notice } from '../../_ui/elements/notice'
import forms from '../../_ui/forms/form.module.css'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'Confirm your email address',
  description: 'See what ends when you confirm your email address, and continue or cancel.',
  path: '/sign-in/confirm',
  isPrivate: true,
})

const CHANGED = 'The account changed since you saw this list. Nothing was removed yet. Check the list again.'
const PROBLEM = 'The request failed. Nothing was removed. Try again.'
const SERVICES = new Map([
  ['github', 'GitHub'],
  ['google', 'Google'],
])

type Search = Promise<Record<string, string | string[] | undefined>>

/** Lists what ends with the first proof of an address, before anything ends. Works without scripts. */
export default async function ConfirmPage({ searchParams }: { searchParams: Search }) {
  const search = await searchParams
  const heldProof = await describeHeldProof()
  if (heldProof === null) redirect((await currentAccount()) === null ? '/sign-in?error=Verification' : '/account')
  const hasChanged = search['changed'] !== undefined
  const lead = (
    <>
      An account for <strong>{heldProof.email}</strong> exists, but its address was never confirmed. Someone else may
      have created this account.
    </>
  )
  return (
    <SignInBox title="Confirm your email address" lead={lead}>
      {hasChanged && <FailureNote>{CHANGED}</FailureNote>}
      {search['problem'] !== undefined && <FailureNote>{PROBLEM}</FailureNote>}
      <div>
        <p>If you continue, Sheaf permanently removes:</p>
        <ul className={classes.endings}>
          {heldProof.endings.map((ending, index) => (
            <li key={index}>
              <EndingText ending={ending} />
            </li>
          ))}
          <li>All sessions in every browser</li>
        </ul>
        <p>Credits and history stay.</p>
      </div>
      <Notice title="Is this your account?">
        Choose “Cancel” and sign in the way you did before.{' '}
        {heldProof.isLink ? 'Then open the link again in that browser.' : 'Then confirm your address in the settings.'}{' '}
        Then nothing is removed.
      </Notice>
      <form action="/api/sign-in/confirm" method="post">
        <input type="hidden" name="seen" value={heldProof.fingerprint} />
        <input type="hidden" name="final" value={hasChanged ? 'yes' : 'no'} />
        <div className={forms.row}>
          <Button type="submit" name="answer" value="continue" look="danger">
            Continue and remove these
          </Button>
          <Button type="submit" name="answer" value="cancel" look="secondary">
            Cancel
          </Button>
        </div>
      </form>
    </SignInBox>
  )
}

function EndingText({ ending }: { ending: Ending }) {
  switch (ending.kind) {
    case 'key':
      return (
        <>
          API key <code>{ending.masked}</code>,{' '}
          {ending.lastUsedAt === null ? 'never used' : `last used ${relativeDay(ending.lastUsedAt)}`}. Requests with
          this key return 401.
        </>
      )
    case 'password':
      return <>The password</>
    case 'identity':
      return <>Sign-in with {SERVICES.get(ending.provider) ?? ending.provider}</>
    case 'top-up':
      return (
        <>
          Automatic top-up of ${ending.dollars}
          {ending.card !== null && ` from ${ending.card}`}
        </>
      )
  }
}
