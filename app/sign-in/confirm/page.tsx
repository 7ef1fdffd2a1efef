import { Alert, Button, Group } from '@mantine/core'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { Ending } from '../../../lib/accounts/sign-in/first-address-proof'
import { describeHeldProof } from '../../../lib/accounts/sign-in/pending-address-proof'
import { currentAccount } from '../../../lib/accounts/session/session'
import { relativeDay } from '../../_server/dates'
import { FailureNote } from '../../_ui/forms/failure-note'
import classes from '../sign-in.module.css'
import { SignInBox } from '../sign-in-box'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Confirm your address' }

const CHANGED = 'The account has changed since you saw this list. Nothing has ended yet. Check it again.'
const PROBLEM = 'That did not work, and nothing has ended. Try again in a moment.'
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
      There is an account for <strong>{heldProof.email}</strong>, but nobody has confirmed the address until now. It may
      have been set up by someone else.
    </>
  )
  return (
    <SignInBox title="Confirm your address" lead={lead}>
      {hasChanged && <FailureNote>{CHANGED}</FailureNote>}
      {search['problem'] !== undefined && <FailureNote>{PROBLEM}</FailureNote>}
      <div>
        <p>If you continue, these end for good:</p>
        <ul className={classes.endings}>
          {heldProof.endings.map((ending, index) => (
            <li key={index}>
              <EndingText ending={ending} />
            </li>
          ))}
          <li>All sessions: every browser that is signed in to the account</li>
        </ul>
        <p>The credits and the history stay.</p>
      </div>
      <Alert title="Did you set this up yourself?">
        Choose “Cancel” and sign in the way you did before.{' '}
        {heldProof.isLink ? 'Then open the link again in that browser.' : 'Then confirm your address in the settings.'}{' '}
        Nothing ends that way.
      </Alert>
      <form action="/api/sign-in/confirm" method="post">
        <input type="hidden" name="seen" value={heldProof.fingerprint} />
        <input type="hidden" name="final" value={hasChanged ? 'yes' : 'no'} />
        <Group>
          <Button type="submit" name="answer" value="continue" color="red">
            Continue and end these
          </Button>
          <Button type="submit" name="answer" value="cancel" variant="default">
            Cancel
          </Button>
        </Group>
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
          {ending.lastUsedAt === null ? 'never used' : `last used ${relativeDay(ending.lastUsedAt)}`}: requests with it
          get 401
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
