import { Alert, Anchor, Button, Text, TextInput } from '@mantine/core'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { signInWays } from '../../../lib/accounts/sign-in/sign-in-ways'
import { getConfig } from '../../../lib/config'
import { FailureNote } from '../../_ui/forms/failure-note'
import { SignInBox } from '../sign-in-box'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Forgot password' }

// Codes that the form's route puts into the URL. Any other code gets the general message.
const PROBLEMS = new Map([
  ['invalid_address', 'That isn’t an email address.'],
  ['too_many_attempts', 'Too many links were sent. Use one of those, or wait 15 minutes and try again.'],
  ['mail_not_sent', 'The mail could not be sent. Check the address and try again in a moment.'],
])
const LEAD = 'Enter your email address. You get a link that signs you in, and then you can choose a new password.'
const NO_MAIL = 'This server can’t send mail, so its operator has to set a new password for you.'
const OTHER_PROBLEM = 'That did not work. Try again in a moment.'

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
      <form action="/api/sign-in/forgot-password" method="post">
        <TextInput
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          size="md"
          required
          withAsterisk={false}
          maxLength={254}
        />
        <Button type="submit" size="md" fullWidth mt="md">
          Send me a link
        </Button>
      </form>
      <BackToSignIn />
    </SignInBox>
  )
}

function LinkSent() {
  return (
    <SignInBox title="Check your mail" lead="A link is on its way to the address that you entered.">
      <p role="status">
        The link works once, within an hour, in this browser or another. It signs you in. You then have 15 minutes to
        choose a new password.
      </p>
      <BackToSignIn />
    </SignInBox>
  )
}

function AskOperator({ missing }: { missing: string | null }) {
  const operator = getConfig().OPERATOR_EMAIL
  return (
    <SignInBox title="Forgot password" lead={NO_MAIL}>
      {missing !== null && <Alert color="yellow">{missing}</Alert>}
      {operator === undefined ? (
        <p>
          Ask the person who runs this server. The{' '}
          <Anchor href="/docs/self-hosting#account-command" underline="always">
            account command
          </Anchor>{' '}
          sets a new password.
        </p>
      ) : (
        <p>
          Write to <a href={`mailto:${operator}`}>{operator}</a> and name the email address of your account.
        </p>
      )}
      <BackToSignIn />
    </SignInBox>
  )
}

function BackToSignIn() {
  return (
    <Text>
      <Anchor href="/sign-in" underline="always">
        Back to sign-in
      </Anchor>
    </Text>
  )
}
