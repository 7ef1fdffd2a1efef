import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SMALL_OUTPUT_BYTES } from '../../../../engines/output-content'
import { readConfig } from '../../../../lib/config'
import { findPage } from '../../../../lib/docs/pages/all'
import { writeMarkdown } from '../../../../lib/docs/pages/markdown'

const ORIGIN = 'https://api.example.com'

function readPage(slug: string, environment: Record<string, string> = {}): string {
  const page = findPage(slug, { origin: ORIGIN, config: readConfig(environment) })
  if (!page) throw new Error(`there is no page ${slug}`)
  return writeMarkdown(page, { origin: ORIGIN })
}

const readRow = (text: string, start: string) =>
  text
    .split('\n')
    .find(line => line.startsWith(`| ${start}`))
    ?.split(' | ')
    .at(-1)

describe('the privacy page states the times of the queries that delete data', () => {
  const text = readPage('privacy')

  it.each([
    ['Attempts to use a rotated key', '90 days', 'keys', "rotated_at <= now() - interval '90 days'"],
    ['Failed sign-ins', '1 day', 'sign-in-attempts', "attempted_at <= now() - interval '1 day'"],
    ['Successful sign-ins', '90 days', 'sign-in-attempts', "last_at <= now() - interval '90 days'"],
    ['Links in emails', '1 day', 'mail-tokens', "expires <= now() - interval '1 day'"],
    ['`Idempotency-Key`', '24 hours', 'credits', "created_at <= now() - interval '24 hours'"],
    ['Number of requests per day', '400 days', 'usage', '400'],
    ['Events from Stripe', '90 days', 'purchases', "received_at <= clock_timestamp() - interval '90 days'"],
  ])('%s: %s', (start, time, file, rule) => {
    expect(readRow(text, start)).toContain(time)
    expect(readFileSync(`db/queries/${file}.ts`, 'utf8')).toContain(rule)
  })

  it('and of the configuration', () => {
    const changed = readPage('privacy', { CALL_LOG_DAYS: '7', LEDGER_DAYS: '500' })
    expect(readRow(text, 'Request log')).toContain('90 days')
    expect(readRow(changed, 'Request log')).toContain('7 days')
    expect(readRow(changed, 'Also in the request log')).toContain('7 days')
    expect(readRow(text, 'Ledger')).toContain('Unlimited')
    expect(readRow(changed, 'Ledger')).toContain('500 days')
  })

  it('and of the session', () => {
    expect(text).toContain('A session lasts up to 30 days')
    expect(readFileSync('lib/accounts/session/session.ts', 'utf8')).toContain('SESSION_SECONDS = 30 * 24 * 60 * 60')
  })
})

describe('numbers on other pages are those of the code', () => {
  it.each([
    ['idempotency', '1 to 255 printable ASCII', 'lib/http/request/request-head.ts', 'MAX_IDEMPOTENCY_KEY_LENGTH = 255'],
    ['pricing', '60 times a minute', 'lib/http/limits/process-limits.ts', 'count: 60, periodMs: 60_000'],
    ['api-basics', '2,000 characters', 'engines/options/selector-grammar.ts', 'MAX_SELECTOR_LENGTH = 2000'],
    ['api-basics', '20,000 pages', 'engines/options/selector-grammar.ts', 'MAX_SELECTED = 20_000'],
    ['limits', '10 s plus 1 s per 10 MB', 'lib/operations/pdf-tool.ts', 'LEAST_TIME_MS = 10_000'],
    ['limits', '10 s plus 1 s per 10 MB', 'lib/operations/pdf-tool.ts', 'TIME_PER_BYTE_MS = 1000 / 10e6'],
    ['limits', '10 minutes', 'lib/http/request/read-body.ts', 'MAX_MS = 600_000'],
    ['rate-limits', 'The delay is up to 10 seconds', 'lib/http/limits/refusal-rate.ts', 'MOST_DELAY_MS = 10_000'],
    [
      'rate-limits',
      'at most one 429 a second and one 402 a minute',
      'lib/http/record-request.ts',
      'rate_limited: 1000 }',
    ],
    ['security', '10 failed attempts', 'lib/accounts/sign-in/attempt-limit.ts', 'perAddress: 10,'],
    ['security', 'every 15 minutes', 'lib/accounts/sign-in/attempt-limit.ts', 'WINDOW_MS = 15 * 60_000'],
    ['security', 'A `/48` gets 30 attempts', 'lib/accounts/sign-in/attempt-limit.ts', 'perSiteAddress: 30,'],
    ['security', 'all networks together get 50', 'lib/accounts/sign-in/attempt-limit.ts', 'perEmail: 50,'],
    ['invoice-generator', 'up to 10 MB', 'lib/operations/invoice.ts', 'MAX_LOGO_BYTES = 10 * 2 ** 20'],
  ])('/docs/%s: %s', (slug, words, file, constant) => {
    expect(readPage(slug)).toContain(words)
    expect(readFileSync(file, 'utf8')).toContain(constant)
  })

  it('states the default shares of an account', () => {
    const { ACCOUNT_SHARE, ACCOUNT_WAITING, FAILED_WORK_MS, BODY_MIN_RATE, READ_MIN_RATE } = readConfig({})
    expect([ACCOUNT_SHARE, ACCOUNT_WAITING, FAILED_WORK_MS / 60_000]).toEqual([0.5, 64, 10])
    expect([BODY_MIN_RATE, READ_MIN_RATE]).toEqual([64 * 1024, 64 * 1024])
    expect(SMALL_OUTPUT_BYTES).toBe(2 ** 20)
    const text = readPage('security')
    for (const words of [
      'half of the upload memory',
      'half of the disk space for responses',
      'Downloads of other accounts leave room for responses up to 1 MB',
      '64 waiting requests',
      '10 minutes of failed work',
      '64 KB/s',
    ])
      expect(text).toContain(words)
  })

  it('says that free credits need a confirmed address, if they do on this server', () => {
    const words = 'only after you confirm your email address'
    expect(readPage('pricing', { DATABASE_URL: 'postgres://localhost/sheaf' })).toContain(words)
    expect(readPage('pricing')).not.toContain(words)
    expect(readFileSync('lib/credits/ledger.ts', 'utf8')).toContain(
      'verifiedOnly: getConfig().DATABASE_URL !== undefined',
    )
  })

  it('names the contact of this server', () => {
    expect(readPage('errors', { OPERATOR_EMAIL: 'help@example.com' })).toContain('Write to help@example.com')
    expect(readPage('errors')).toContain('This server publishes no support address')
  })

  it('states how much of the upload memory an account can use', () => {
    expect(readPage('rate-limits')).toContain('256 MB of memory. That is enough for 2 uploads of 100 MB')
    expect(readPage('rate-limits', { ACCOUNT_SHARE: '0.2' })).toContain('That is enough for 1 upload of 100 MB')
  })

  it('states the limits of an endpoint, not only those of the server', () => {
    expect(readPage('webpage-to-pdf')).toContain('Pages: up to `maxPages`, which is at most 2,000.')
    expect(readPage('pdf-ocr')).toContain('Pages: 10,000 in the input, at most 200 of them processed in one request.')
  })

  it('states the concurrency and the queue of this server', () => {
    expect(readPage('rate-limits', { KEY_CONCURRENCY: '3' })).toContain('can run 3 requests at the same time')
    expect(readPage('rate-limits', { KEY_RPS: '12' })).toContain('12 requests per second')
  })
})
