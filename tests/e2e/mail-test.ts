import type { Page } from '@playwright/test'
import type { MailServer, ReceivedMail } from '../support/mail-server'
import { findLink, startMailServer } from '../support/mail-server'
import { expect, test as base } from './browser-test'

/** Tests in a browser with a mail server of their own; their service has to be told of it. */
export const test = base.extend<object, { mail: MailServer }>({
  mail: [
    // Playwright reads from the pattern what a fixture needs: nothing.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      const mail = await startMailServer()
      await provide(mail)
      await mail.stop()
    },
    { scope: 'worker' },
  ],
})

/** The variables of a service that sends its mails there. */
export function mailEnvironment(mail: MailServer): Record<string, string> {
  return { SMTP_URL: mail.url, MAIL_FROM: 'Sheaf <sheaf@example.com>' }
}

/** The mails that an address got. */
export function mailsTo(mail: MailServer, email: string): ReceivedMail[] {
  return mail.received.filter(({ to }) => to.includes(email))
}

/** The link in the latest mail to an address, once it has as many as that. */
export async function linkIn(mail: MailServer, email: string, count = 1): Promise<string> {
  await expect.poll(() => mailsTo(mail, email).length).toBe(count)
  const latest = mailsTo(mail, email).at(-1)
  return latest === undefined ? '' : findLink(latest)
}

/** Asks for a sign-in link on the sign-in page. */
export async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click()
  await expect(page.getByText('A link was sent to')).toBeVisible()
}
