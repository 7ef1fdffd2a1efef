import { eventually, sendRequest, toolPath } from '../../contract/client'
import { findLink, type MailServer } from '../../support/mail-server'
import { createVisitor, makeAddress, type Visitor } from './visitor'

/** The page that lists what will end. */
export const CONFIRM_PAGE = '/sign-in/confirm'

/** Requests a sign-in link as the page does, and returns the emailed link. */
export async function askForLink(visitor: Visitor, mail: Pick<MailServer, 'received'>, email: string): Promise<string> {
  const mails = () => Promise.resolve(mail.received.filter(({ to }) => to.includes(email)))
  const before = (await mails()).length
  const { json } = await visitor.get('/api/auth/csrf')
  await visitor.post('/api/auth/signin/email', { email, csrfToken: String(json['csrfToken']), json: 'true' })
  const [latest] = (await eventually(mails, found => found.length > before)).slice(-1)
  return latest === undefined ? '' : findLink(latest)
}

/** Follows a link and returns its redirect. Throws an Error if there is none. */
export async function openLink(visitor: Visitor, link: string): Promise<string> {
  const { pathname, search } = new URL(link)
  const { status, headers, bytes } = await visitor.get(`${pathname}${search}`)
  if (headers.location === undefined) throw new Error(`${link} got ${status}: ${bytes.toString('utf8').slice(0, 300)}`)
  return headers.location
}

/**
 * A browser without a session that follows an emailed link to the page. Throws an Error if the link leads elsewhere.
 */
export async function followLink(
  base: string,
  mail: MailServer,
  email: string,
): Promise<{ owner: Visitor; page: string }> {
  const owner = createVisitor(base, { address: makeAddress() })
  const location = await openLink(owner, await askForLink(owner, mail, email))
  if (!location.includes(CONFIRM_PAGE)) throw new Error(`the link of ${email} leads to ${location}`)
  return { owner, page: await readConfirmPage(owner) }
}

/** The current content of the page. */
export async function readConfirmPage(visitor: Visitor, { hasChanged = false } = {}): Promise<string> {
  return (await visitor.get(`${CONFIRM_PAGE}${hasChanged ? '?changed' : ''}`)).bytes.toString('utf8')
}

/** Submits the form of the page to confirm what will end. */
export async function agree(visitor: Visitor, page: string): Promise<void> {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  await visitor.post('/api/sign-in/confirm', { answer: 'continue', seen: field('seen'), final: field('final') })
}

/** Returns whether the browser has a session. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return Object.keys((await visitor.get('/api/auth/session')).json).length > 0
}

/** The status of a request with a key and an invalid Content-Type: 401 if the key is invalid. */
export async function statusOf(base: string, key: string): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'text/plain' }
  return (await sendRequest(base, { path: toolPath('rotate-pdf'), headers, body: 'x' })).status
}
