import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { createAccount } from '../../lib/accounts/account/accounts'
import { hashPassword } from '../../lib/accounts/account/password'
import { createKey } from '../../lib/accounts/key/keys'
import { createClock, createLedger, MONTHLY_CREDITS } from '../../lib/credits/ledger'
import { makeDataDir } from '../support/fresh-data-dir'
import type { MailServer, ReceivedMail } from '../support/mail-server'
import { findLink, startMailServer } from '../support/mail-server'
import { startService } from '../support/service'
import { startStripe, type StripeDouble } from '../support/stripe-double'
import { expect, freshEmail, MID_MONTH, PASSWORD, postCredentials, test as base } from './browser-test'

/** Accounts with unverified emails, as from before their server could send email. `poor` has one credit left. */
const ACCOUNTS = ['stranger', 'honest', 'window', 'bare', 'changed', 'looks', 'settings', 'poor'] as const

interface Account {
  email: string
  key: string
}

type Accounts = Record<(typeof ACCOUNTS)[number], Account>

interface Shared {
  mail: MailServer
  stripe: StripeDouble
  prepared: { dataDir: string; accounts: Accounts }
  accounts: Accounts
}

/** Browser tests of a service that sends email and sells credits, with accounts that are older than its mail server. */
export const test = base.extend<object, Shared>({
  mail: [
    // Playwright reads the fixture's dependencies from the pattern: none.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      const mail = await startMailServer()
      await provide(mail)
      await mail.stop()
    },
    { scope: 'worker' },
  ],
  stripe: [
    // As above.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      const stripe = await startStripe()
      await provide(stripe)
      await stripe.close()
    },
    { scope: 'worker' },
  ],
  prepared: [
    // As above.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      const dataDir = await makeDataDir()
      await provide({ dataDir, accounts: await openAccounts(dataDir) })
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  accounts: [async ({ prepared }, provide) => provide(prepared.accounts), { scope: 'worker' }],
  service: [
    async ({ mail, stripe, prepared: { dataDir } }, provide) => {
      const mailEnv = { SMTP_URL: mail.url, SMTP_TLS: 'off', MAIL_FROM: 'Sheaf <sheaf@example.com>' }
      // A NEXTAUTH_URL left over from elsewhere must not affect links and URLs.
      const env = {
        ...MID_MONTH,
        ...stripe.env,
        ...mailEnv,
        TRUSTED_PROXIES: '1',
        NEXTAUTH_URL: 'http://elsewhere.example',
      }
      const service = await startService({ dataDir, env })
      stripe.webhook = service.base
      await provide(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})

async function openAccounts(dataDir: string): Promise<Accounts> {
  const database = await openDatabase({ dataDir })
  try {
    const passwordHash = await hashPassword(PASSWORD)
    const opened: [string, Account][] = []
    for (const name of ACCOUNTS) {
      const email = freshEmail(name)
      const { account } = await createAccount({ email, passwordHash, verified: false }, database)
      const { id = '' } = account ?? {}
      opened.push([name, { email, key: (await createKey(id, database)).apiKey }])
      if (name === 'poor') await spendAllButOne(id, database)
    }
    return Object.fromEntries(opened) as Accounts // Every name has an entry.
  } finally {
    await database.close()
  }
}

async function spendAllButOne(accountId: string, database: Database): Promise<void> {
  const now = createClock(Number(MID_MONTH['CLOCK_OFFSET_MS']))
  const ledger = createLedger({ database, verifiedOnly: false, now })
  const requestIds = Array.from({ length: MONTHLY_CREDITS - 1 }, () => randomUUID())
  for (const requestId of requestIds) await ledger.charge({ requestId, accountId })
  await ledger.settle(requestIds)
}

/** A page of a browser that is signed in to an account with its password. */
export async function openSignedIn(browser: Browser, baseURL: string, { email }: Account): Promise<Page> {
  const context = await browser.newContext({ baseURL, extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.50' } })
  expect((await postCredentials(context.request, { email, password: PASSWORD })).status()).toBe(200)
  return context.newPage()
}

/** The emails sent to an address. */
export function mailsTo(mail: MailServer, email: string): ReceivedMail[] {
  return mail.received.filter(({ to }) => to.includes(email))
}

/** The link in the latest email to an address, once `count` emails arrived. */
export async function linkIn(mail: MailServer, email: string, count = 1): Promise<string> {
  await expect.poll(() => mailsTo(mail, email).length).toBe(count)
  const latest = mailsTo(mail, email).at(-1)
  return latest === undefined ? '' : findLink(latest)
}

/** Requests a sign-in link on the sign-in page. */
export async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click()
  await expect(page.getByText('We sent a link to')).toBeVisible()
}
