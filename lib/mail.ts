import { createTransport } from 'nodemailer'
import { type Config, getConfig } from './config'
import { singleton } from './registry'

/** Whether the configuration allows sending mail: SMTP_URL and MAIL_FROM are both set. */
export function canSendMail(config: { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined }): boolean {
  return config.SMTP_URL !== undefined && config.MAIL_FROM !== undefined
}

/**
 * Sends a plain-text mail, and the same content in HTML if given. Rejects if the server didn't accept the mail for its
 * recipient, and if SMTP_TLS requires encryption that the server doesn't offer.
 */
export async function sendMail(mail: { to: string; subject: string; text: string; html?: string }): Promise<void> {
  const { SMTP_URL, SMTP_TLS, MAIL_FROM } = getConfig()
  if (SMTP_URL === undefined || MAIL_FROM === undefined)
    throw new Error('SMTP_URL and MAIL_FROM must both be set to send email.')
  const transport = singleton('mail', () => openMailServer({ SMTP_URL, SMTP_TLS }))
  await transport.sendMail({ ...mail, to: { name: '', address: mail.to }, from: MAIL_FROM })
}

/** Returns the way to the mail server. Without TLS, it sends neither a password nor an email unless SMTP_TLS is off. */
export function openMailServer({ SMTP_URL, SMTP_TLS }: Pick<Config, 'SMTP_URL' | 'SMTP_TLS'>) {
  return createTransport({
    url: SMTP_URL,
    requireTLS: SMTP_TLS === 'required',
    ignoreTLS: SMTP_TLS === 'off',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
}
