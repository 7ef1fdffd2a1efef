import type { Page } from '@playwright/test'
import type { MailServer, ReceivedMail } from '../support/mail-server'
import { findLink, startMailServer } from '../support/mail-server'
import { expect, test as base } from './browser-test'

/** Browser tests with a separate mail server. The test's service must be configured to use it. */
export const test = base.extend<object, { mail: MailServer }>({
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
})

/** The variables of a service that sends its emails there. */
export function mailEnvironment(mail: MailServer): Record<string, string> {
  return { SMTP_URL: mail.url, SMTP_TLS: 'off', MAIL_FROM: 'Sheaf <sheaf@example.com>' }
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
