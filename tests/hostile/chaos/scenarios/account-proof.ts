import type { FailPoint } from '../../../../lib/config'
import { type MailServer, startMailServer } from '../../../support/mail-server'
import type { Service } from '../../../support/service'
import { type Scenario, type Context, judge } from '../scenario'
import { withDatabase } from '../edit-database'
import {
  agree,
  askForLink,
  CONFIRM_PAGE,
  followLink,
  isSignedIn,
  openLink,
  readConfirmPage,
  statusOf,
} from '../prove-address'
import { createVisitor, makeAddress, PASSWORD } from '../visitor'

const ACCOUNTS = 60
const KILLS = 20
/** Requests of the stranger that race with the owner's confirmation. Each is sent this many times. */
const RIVALS = 4
const OTHER_PASSWORD = 'another good password'
/** Where the server is killed during the owner's confirmation, in turn. */
const POINTS: FailPoint[] = ['proof-half-done', 'proof-done', 'proof-begun']

interface Opened {
  email: string
  key: string
}

type Problem = string | undefined

/** Strangers who open accounts for the emails of others, and owners who verify these emails later. */
export const accountProof: Scenario = {
  name: 'account-proof',
  quickOn: 'pglite',
  description:
    `Strangers create ${ACCOUNTS} accounts with other people's email addresses. Each owner sees what Sheaf will ` +
    'remove, and confirms. Then no password, session or key of the stranger works. If the owner is already signed ' +
    `in, Sheaf removes nothing. Meanwhile, the server is killed ${KILLS} times.`,
  async run(context) {
    const { environment, times } = context
    const mail = await startMailServer()
    try {
      const [left, ...accounts] = await openAccounts(context, 1 + 2 * times(ACCOUNTS) + times(KILLS))
      const env = {
        SMTP_URL: mail.url,
        SMTP_TLS: 'off',
        MAIL_FROM: 'Sheaf <sheaf@example.test>',
        TRUSTED_PROXIES: '1',
      }
      await environment.start(env)
      const taken: { asked: Problem; ended: Problem[] }[] = []
      for (const one of accounts.splice(0, times(ACCOUNTS)))
        taken.push(await takeBack(environment.service(), mail, one))
      const kept: Problem[] = []
      for (const one of accounts.splice(0, times(ACCOUNTS)))
        kept.push(await proveSignedIn(environment.service(), mail, one))
      const whole: Problem[] = []
      for (const [index, one] of accounts.entries()) {
        await environment.stop()
        await environment.start({ ...env, TEST_MODE: '1', FAIL_POINT: POINTS[index % POINTS.length] ?? '' })
        whole.push(await killAmid(context, { mail, env }, one))
      }
      return [
        judge(
          'nothing ends before its owner was told what will',
          taken.map(({ asked }) => asked),
        ),
        judge(
          'afterwards the stranger has no session, password or key, whatever they send meanwhile',
          taken.flatMap(({ ended }) => ended),
        ),
        judge('nothing ends in a browser that is signed in to the account', kept),
        judge('kill -9 amid of it: everything has ended or nothing has', whole),
        judge(
          'the account command has to be forced for an address that nobody has proved',
          await commandUnproved(environment.service(), left),
        ),
        judge(
          'sign-ins of strangers elsewhere are gone, and no token of one is kept',
          await findIdentities(context, left),
        ),
      ]
    } finally {
      await mail.stop()
    }
  },
}

/** Accounts with a stranger's password, key and linked sign-in, from before the server could send email. */
async function openAccounts({ environment }: Context, count: number): Promise<Opened[]> {
  await environment.start({})
  const opened: Opened[] = []
  for (let index = 0; index < count; index += 1) {
    const email = `owner-${index}@example.test`
    opened.push({ email, key: await environment.service().createKey(email, { password: PASSWORD }) })
  }
  await withDatabase(environment, async run => {
    await run('update users set email_verified = null')
    return run(`
      insert into oauth_accounts (user_id, type, provider, provider_account_id, access_token)
      select id, 'oauth', 'github', 'stranger of ' || email, 'gho_secret' from users`)
  })
  return opened
}

/**
 * A verification in a browser without a session: first the page, then the confirmation, while a stranger tries
 * everything.
 */
async function takeBack(
  { base }: Service,
  mail: MailServer,
  { email, key }: Opened,
): Promise<{ asked: Problem; ended: Problem[] }> {
  const stranger = createVisitor(base, { address: makeAddress() })
  await stranger.signIn(email, PASSWORD)
  const { owner, page } = await followLink(base, mail, email)
  const last4 = key.slice(-4)
  const isNamed = page.includes(last4) && page.includes('GitHub') && page.includes('The password')
  const isKept = (await statusOf(base, key)) !== 401 && (await isSignedIn(stranger))
  const rivals = Array.from({ length: RIVALS }, () => [
    stranger.post('/api/account/key/rotate', { last4 }),
    stranger.post('/api/account/key', {}),
    stranger.post('/api/account/password', { current: PASSWORD, password: OTHER_PASSWORD }),
  ]).flat()
  const [, ...responses] = await Promise.all([agree(owner, page), ...rivals])
  // If the stranger was faster, the owner sees the page again.
  if (!(await isSignedIn(owner))) await agree(owner, await readConfirmPage(owner, { hasChanged: true }))

  const made = responses.flatMap(({ json }) => (typeof json['apiKey'] === 'string' ? [json['apiKey']] : []))
  const ended: Problem[] = [
    (await isSignedIn(owner)) ? undefined : `${email}: the owner is not signed in`,
    (await isSignedIn(stranger)) ? `${email}: the stranger is still signed in` : undefined,
  ]
  for (const one of [key, ...made])
    ended.push((await statusOf(base, one)) === 401 ? undefined : `${email}: a key of the stranger works`)
  for (const password of [PASSWORD, OTHER_PASSWORD]) {
    const { status } = await createVisitor(base, { address: makeAddress() }).signIn(email, password)
    ended.push(status === 401 ? undefined : `${email}: a password of the stranger got ${status}`)
  }
  return {
    asked: isNamed && isKept ? undefined : `${email}: named in full ${isNamed}, nothing ended before ${isKept}`,
    ended,
  }
}

/**
 * A verification in the browser that is signed in to the account, and a link that is opened later in another browser.
 */
async function proveSignedIn({ base }: Service, mail: MailServer, { email, key }: Opened): Promise<Problem> {
  const owner = createVisitor(base, { address: makeAddress() })
  await owner.signIn(email, PASSWORD)
  const followed = await openLink(owner, await askForLink(owner, mail, email))
  if (followed.includes(CONFIRM_PAGE)) return `${email}: a browser that is signed in was asked`
  const elsewhere = createVisitor(base, { address: makeAddress() })
  const later = await openLink(elsewhere, await askForLink(elsewhere, mail, email))
  if (later.includes(CONFIRM_PAGE)) return `${email}: a browser was asked although the address is proved`
  const isKept = (await isSignedIn(owner)) && (await isSignedIn(elsewhere)) && (await statusOf(base, key)) !== 401
  return isKept ? undefined : `${email}: a session or the key has ended`
}

/** The server is killed during the owner's confirmation. Then everything on the list has ended, or nothing. */
async function killAmid(
  { environment }: Context,
  { mail, env }: { mail: MailServer; env: Record<string, string> },
  { email, key }: Opened,
): Promise<Problem> {
  const { owner, page } = await followLink(environment.service().base, mail, email)
  const wasKilled = await agree(owner, page).then(
    () => false,
    () => true, // The connection breaks.
  )
  await environment.kill()
  const { base } = await environment.start(env)
  if (!wasKilled) return `${email}: the server was not killed`
  const hasKey = (await statusOf(base, key)) !== 401
  const hasPassword = (await createVisitor(base, { address: makeAddress() }).signIn(email, PASSWORD)).status === 200
  if (hasKey !== hasPassword) return `${email}: the ${hasKey ? 'key' : 'password'} alone is left`
  if (!hasKey) return undefined
  const again = await followLink(base, mail, email)
  await agree(again.owner, again.page)
  return (await statusOf(base, key)) === 401 ? undefined : `${email}: could not be taken back after the kill`
}

async function commandUnproved({ account }: Service, opened: Opened | undefined): Promise<Problem[]> {
  const email = opened?.email ?? ''
  const refusal = await account(email, { credits: 5 }).then(() => 'it was done', String)
  const forced = await account(email, { credits: 5, force: true })
  return [
    refusal.includes("hasn't confirmed") ? undefined : refusal,
    forced.creditBalance >= 5 ? undefined : 'forced, it added nothing',
  ]
}

/** Accounts that were verified in a signed-in browser keep everything. */
async function findIdentities({ environment, times }: Context, left: Opened | undefined): Promise<Problem[]> {
  return withDatabase(environment, async run => {
    const rows = await run(
      'select access_token as token, email from oauth_accounts join users on users.id = user_id where email <> $1',
      [left?.email],
    )
    const tokens: Problem[] = rows.map(({ token, email }) =>
      token === null ? undefined : `${String(email)}: a token is kept`,
    )
    return [...tokens, rows.length === times(ACCOUNTS) ? undefined : `${rows.length} of ${times(ACCOUNTS)} are linked`]
  })
}
