import { z } from 'zod'

const MAX_TEMPLATE_BYTES = 20_000
const MAX_HEADERS = 32

/**
 * Headers that belong to the connection or have a separate option (RFC 9110, 7.6.1; Fetch, forbidden request-headers).
 */
const RESERVED_HEADERS =
  /^(host|connection|content-length|cookie2?|keep-alive|te|trailer|transfer-encoding|upgrade|expect|via|proxy-.*|sec-.*|authorization)$/i

const HEADER_OPTIONS: Readonly<Record<string, string>> = { cookie: 'cookies', authorization: 'httpAuth' }

/** Option for HTML in the header or footer of every page. */
export function templateOption(meaning: string) {
  return z
    .string()
    .refine(value => Buffer.byteLength(value) <= MAX_TEMPLATE_BYTES, `is larger than ${MAX_TEMPLATE_BYTES} bytes`)
    .meta({ maxLength: MAX_TEMPLATE_BYTES })
    .optional()
    .describe(
      `${meaning}, at most 20 kB, without scripts and without resources of its own but data: addresses. Elements ` +
        `of the classes \`pageNumber\`, \`totalPages\`, \`title\`, \`url\` and \`date\` are filled in. Text is 9 px ` +
        'unless a style says otherwise.',
    )
}

const headerName = z.string().superRefine((name, context) => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message })
  const option = HEADER_OPTIONS[name.toLowerCase()]
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) refuse('is no name of a header; use letters, digits and dashes')
  else if (option !== undefined) refuse(`is set by the option ${option}`)
  else if (RESERVED_HEADERS.test(name)) refuse("can't be set; it belongs to the connection")
})

const headerValue = z
  .string()
  .max(4096)
  .regex(/^[\x20-\x7e\t]*$/, 'holds a line break or a character that is not printable ASCII')

/** Headers of requests to the page's own origin. */
export const headersOption = z
  .record(headerName, headerValue)
  .refine(headers => Object.keys(headers).length <= MAX_HEADERS, `has more than ${MAX_HEADERS} headers`)
  .meta({ maxProperties: MAX_HEADERS })
  .optional()
  .describe('Headers that are sent to the origin of `url`, and to no other; at most 32.')

/** The characters of a cookie value (RFC 6265, 4.1.1). */
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
/** The same without the equals sign, which ends the name. */
const COOKIE_NAME = /^[\x21\x23-\x2b\x2d-\x3a\x3c\x3e-\x5b\x5d-\x7e]+$/

/** Cookies that are set before the page is loaded (RFC 6265, 4.1.1). */
export const cookiesOption = z
  .array(
    z.strictObject({
      name: z
        .string()
        .min(1)
        .max(256)
        .regex(COOKIE_NAME, 'must be a cookie name, without spaces, quotes, commas, semicolons, backslashes or "="')
        .describe('Name.'),
      value: z
        .string()
        .max(4096)
        .regex(COOKIE_VALUE, 'holds a character that a cookie may not have; encode it')
        .describe('Value.'),
      domain: z
        .string()
        .min(1)
        .max(253)
        .regex(/^\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, 'is no host')
        .optional()
        .describe('Host that gets it, with those below it. Default: the host of the page.'),
      path: z
        .string()
        .max(1024)
        .regex(/^\/[\x21-\x3a\x3c-\x7e]*$/, 'has to begin with a slash')
        .optional()
        .describe('Path that gets it. Default: all.'),
      secure: z.boolean().optional().describe('Whether it goes over https only.'),
      httpOnly: z.boolean().optional().describe("Whether scripts can't read it."),
      sameSite: z.enum(['Strict', 'Lax', 'None']).optional().describe('When it goes along from other sites.'),
    }),
  )
  .max(50)
  .optional()
  .describe('Cookies that the page finds, at most 50.')

const credential = z
  .string()
  .max(200)
  .refine(value => !/\p{Cc}/u.test(value), 'holds a control character')

/** Username and password for the page's own origin. */
export const authOption = z
  .strictObject({
    username: credential
      .min(1)
      .regex(/^[^:]*$/, 'holds a colon')
      .describe('Name.'),
    password: credential.describe('Password.'),
  })
  .optional()
  .describe('Name and password for pages that ask for them (HTTP authentication); given to the origin of `url` only.')

/** A BCP 47 language tag. */
export const localeOption = z
  .string()
  .max(35)
  .refine(
    value => isAccepted(() => Intl.getCanonicalLocales(value).length === 1),
    'is no language tag; use for example "en-GB" or "de"',
  )
  .optional()
  .describe('Language that the page is told is preferred, and in which it formats dates and numbers, such as `de-DE`.')

/** A name of the IANA time zone database. */
export const timeZoneOption = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]/, 'is no time zone; use for example "Europe/Berlin"')
  .refine(
    value => isAccepted(() => Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))),
    'is no time zone; use for example "Europe/Berlin"',
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
