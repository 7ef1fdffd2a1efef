import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { signInWays } from '../../../lib/accounts/sign-in/sign-in-ways'
import { getConfig } from '../../../lib/config'
import { describePage } from '../../_server/page-metadata'
import { FailureNote } from '../../_ui/forms/failure-note'
import forms from '../../_ui/forms/form.module.css'
import { SignInBox } from '../sign-in-box'
import { Button } from '../../_ui/elements/button'
import { Notice } from '../../_ui/elements/notice'
import { TextField } from '../../_ui/elements/field'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'Forgot password',
  description: 'Get a link by email that signs you in, and then choose a new password.',
  path: '/sign-in/forgot',
  isPrivate: true,
})

// Codes that the form's route puts into the URL. Any other code gets the general message.
const PROBLEMS = new Map([
  ['invalid_address', 'This isn’t a valid email address.'],
  ['too_many_attempts', 'Too many links were sent. Use a link that you have, or try again in 15 minutes.'],
  ['mail_not_sent', 'The email was not sent. Check the address and try again.'],
])
const LEAD = 'Enter your email address. You get a link that signs you in. Then you can choose a new password.'
const NO_MAIL = 'This server can’t send email. The operator must set a new password for you.'
const OTHER_PROBLEM = 'The request failed. Try again.'

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function ForgotPasswordPage({ searchParams }: { searchParams: Search }) {
  const [search, host] = [await searchParams, (await headers()).get('host')]
  const { mail, missing } = signInWays(host)
  const problem = search['problem']
  if (!mail) return <AskOperator missing={missing} />
  if (search['sent'] !== undefined) return <LinkSent />
  return (
    <SignInBox title="Forgot password" lead={LEAD}>
      {typeof problem === 'string' && <FailureNote>{PROBLEMS.get(problem) ?? OTHER_PROBLEM}</FailureNote>}
      <form action="/api/sign-in/forgot-password" method="post" className={forms.stack}>
        <TextField
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          size="large"
          required
          maxLength={254}
        />
        <Button type="submit" size="large">
          Send me a link
        </Button>
      </form>
      <BackToSignIn />
    </SignInBox>
  )
}

function LinkSent() {
  return (
    <SignInBox title="Check your email" lead="We sent a link to the address that you entered.">
      <p role="status">
        The link works once in any browser and expires after 1 hour. You have 15 minutes to choose a new password after
        you open the link.
      </p>
      <BackToSignIn />
    </SignInBox>
  )
}

function AskOperator({ missing }: { missing: string | null }) {
  const operator = getConfig().OPERATOR_EMAIL
  return (
    <SignInBox title="Forgot password" lead={NO_MAIL}>
      {missing !== null && <Notice kind="warning">{missing}</Notice>}
      {operator === undefined ? (
        <p>
          Ask the person who runs this server. The <a href="/docs/self-hosting#account-command">account command</a> sets
          a new password.
        </p>
      ) : (
        <p>
          Write to <a href={`mailto:${operator}`}>{operator}</a> with the email address of your account.
        </p>
      )}
      <BackToSignIn />
    </SignInBox>
  )
}

function BackToSignIn() {
  return (
    <p>
      <a href="/sign-in">Back to sign-in</a>
    </p>
  )
}
