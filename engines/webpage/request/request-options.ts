import * as z from 'zod'
import { boundedRecord, boundedText } from '../../options/bounded-text'
import { inForm } from '../../options/form-hints'

const MAX_TEMPLATE_BYTES = 20_000
const TEMPLATE_TOO_LONG = 'must have at most 20,000 bytes.'
const MAX_HEADERS = 32

/**
 * Headers that belong to the connection or have a separate option (RFC 9110, 7.6.1; Fetch, forbidden request-headers).
 */
const RESERVED_HEADERS =
  /^(host|connection|content-length|cookie2?|keep-alive|te|trailer|transfer-encoding|upgrade|expect|via|proxy-.*|sec-.*|authorization)$/i

const HEADER_OPTIONS: Readonly<Record<string, string>> = { cookie: 'cookies', authorization: 'httpAuth' }

/** Option for HTML in the header or footer of every page. */
export function templateOption(meaning: string) {
  return boundedText(MAX_TEMPLATE_BYTES, TEMPLATE_TOO_LONG)
    .refine(value => Buffer.byteLength(value) <= MAX_TEMPLATE_BYTES, TEMPLATE_TOO_LONG)
    .optional()
    .describe(
      `${meaning}, at most 20,000 bytes in UTF-8. Scripts don't run, and only \`data:\` URLs can load resources. ` +
        'Sheaf fills in elements with the classes `pageNumber`, `totalPages`, `title`, `url` and `date`. Text is 9 ' +
        'px by default.',
    )
}

const headerName = boundedText(100).superRefine((name, context) => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message })
  const option = HEADER_OPTIONS[name.toLowerCase()]
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse('must be a header name. Use letters, digits and hyphens.')
  else if (option !== undefined) refuse(`must be set with the option ${option}.`)
  else if (RESERVED_HEADERS.test(name)) refuse("can't be set. It belongs to the connection.")
})

const headerValue = boundedText(4096)
  .regex(/^[\x20-\x7e\t]*$/, 'must have printable ASCII characters only, without line breaks.')
  .meta(inForm({ isSecret: true }))

/** Headers of requests to the page's own origin. */
export const headersOption = boundedRecord(headerName, headerValue, MAX_HEADERS, 'headers')
  .optional()
  .describe('Headers to send to the origin of `url` only, at most 32.')

/** The characters of a cookie value (RFC 6265, 4.1.1). */
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
/** The same without the equals sign, which ends the name. */
const COOKIE_NAME = /^[\x21\x23-\x2b\x2d-\x3a\x3c\x3e-\x5b\x5d-\x7e]+$/

/** Cookies that are set before the page is loaded (RFC 6265, 4.1.1). */
export const cookiesOption = z
  .array(
    z.strictObject({
      name: boundedText(256)
        .min(1)
        .regex(COOKIE_NAME, 'must be a cookie name, without spaces, quotes, commas, semicolons, backslashes or "="')
        .describe('Name of the cookie.'),
      value: boundedText(4096)
        .regex(COOKIE_VALUE, "must not contain characters that cookies don't allow. Encode the value.")
        .describe('Value of the cookie.')
        .meta(inForm({ isSecret: true })),
      domain: boundedText(253)
        .min(1)
        .regex(/^\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, 'must be a host name.')
        .optional()
        .describe('Domain of the cookie, including its subdomains. Default: the host of the page.'),
      path: boundedText(1024)
        .regex(/^\/[\x21-\x3a\x3c-\x7e]*$/, 'must start with a slash.')
        .optional()
        .describe('Path of the cookie. Default: all paths.'),
      secure: z
        .boolean()
        .optional()
        .describe('If `true`, the browser sends the cookie over HTTPS only.')
        .meta(inForm({ label: 'HTTPS only' })),
      httpOnly: z
        .boolean()
        .optional()
        .describe("If `true`, scripts can't read the cookie.")
        .meta(inForm({ label: 'Hide from scripts' })),
      sameSite: z
        .enum(['Strict', 'Lax', 'None'])
        .optional()
        .describe('When the browser sends the cookie with requests from other sites.')
        .meta(inForm({ label: 'Requests from other sites' })),
    }),
  )
  .max(50)
  .optional()
  .describe('Cookies for the page.')

const credential = boundedText(200).refine(value => !/\p{Cc}/u.test(value), 'must not contain control characters.')

/** Username and password for the page's own origin. */
export const authOption = z
  .strictObject({
    username: credential
      .min(1)
      .regex(/^[^:]*$/, 'must not contain a colon.')
      .describe('User name.'),
    password: credential.describe('Password.').meta(inForm({ isSecret: true })),
  })
  .optional()
  .describe('User name and password for HTTP authentication. The browser sends them to the origin of `url` only.')

/** A BCP 47 language tag. */
export const localeOption = boundedText(35)
  .refine(
    value => isAccepted(() => Intl.getCanonicalLocales(value).length === 1),
    'must be a language tag, such as "en-GB" or "de".',
  )
  .optional()
  .describe(
    'Language that the browser requests (`Accept-Language`), and format of dates and numbers in scripts. For ' +
      'example, `de-DE`.',
  )

/** A name of the IANA time zone database. */
export const timeZoneOption = boundedText(64)
  .regex(/^[A-Za-z]/, 'must be a time zone, such as "Europe/Berlin".')
  .refine(
    value => isAccepted(() => Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))),
    'must be a time zone, such as "Europe/Berlin".',
  )
  .optional()
  .describe('Time zone of the page, such as `Europe/Berlin`.')

/** Returns whether a function of Intl accepts its argument. Otherwise the function throws. */
function isAccepted(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false // The error contains no further information.
  }
}
