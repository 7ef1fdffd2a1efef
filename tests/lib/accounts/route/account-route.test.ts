import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DatabaseTimeoutError } from '../../../../db/database-unavailable'
import { AccountRefusal } from '../../../../lib/accounts/account/account-refusal'
import { formRoute, openRoute, respondWithCsv } from '../../../../lib/accounts/route/account-route'
import { readConfig } from '../../../../lib/config'
import { RequestError } from '../../../../lib/errors'
import { type Exchange, exchangeStorage } from '../../../../lib/http-exchange'
import { getLog } from '../../../../lib/log'
import { placeSingleton } from '../../../../lib/registry'

const SITE = 'https://sheaf.example.test'
/** Only the address of the connection is read. */
const exchange = { req: { headers: {}, socket: { remoteAddress: '192.0.2.7' } } } as unknown as Exchange

beforeEach(() => void placeSingleton('config', readConfig({ PUBLIC_URL: SITE, LOG_LEVEL: 'silent' })))
afterEach(() => void vi.restoreAllMocks())

type Route = (request: Request) => Promise<Response>
async function post(route: Route, headers: Record<string, string | undefined> = {}) {
  const sent = { origin: SITE, host: 'sheaf.example.test', 'content-type': 'application/json', ...headers }
  const given = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const request = new Request(SITE, { method: 'POST', body: '{"email":"a@b.c"}', headers: given })
  const response = await exchangeStorage().run(exchange, () => route(request))
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status: response.status, json, headers: Object.fromEntries(response.headers) }
}

describe('a route of the account area', () => {
  it('passes the form, the address of the client and the host to its work', async () => {
    const route = openRoute(({ form, clientAddress, host }) =>
      Promise.resolve({ ...form, clientAddress, host: `${host}` }),
    )
    const json = { email: 'a@b.c', clientAddress: '192.0.2.7', host: 'sheaf.example.test' }
    expect(await post(route)).toMatchObject({ status: 200, json })
  })

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 403],
    [{ origin: undefined }, 403],
  ])('with the headers %o returns %i', async (headers, status) => {
    const work = vi.fn(() => Promise.resolve({}))
    const response = await post(openRoute(work), headers)
    expect([response.status, work.mock.calls.length]).toEqual([status, status === 200 ? 1 : 0])
    if (status === 200) return
    expect(response.json).toMatchObject({ error: 'foreign_origin', message: expect.stringContaining(SITE) as string })
    expect(
      await post(
        formRoute('/sign-in', () => Promise.resolve('/account')),
        headers,
      ),
    ).toMatchObject({ status })
  })

  it('says how to open a site without a known URL', async () => {
    placeSingleton('config', readConfig({ LOG_LEVEL: 'silent' }))
    const message = expect.stringContaining('Open this site as `localhost`') as string
    expect(await post(openRoute(() => Promise.resolve({})))).toMatchObject({ status: 403, json: { message } })
  })

  it.each([
    [new AccountRefusal(429, 'too_many', 'Wait.', { 'retry-after': '9' }), 429, 'too_many', '9'],
    [new RequestError('rate_limited', 'Wait.', { headers: { 'Retry-After': '8' } }), 429, 'rate_limited', '8'],
    [new DatabaseTimeoutError('No response'), 503, 'service_unavailable', '5'],
    [new Error('secret'), 500, 'internal_error', undefined],
  ])('responds to %o with %i', async (thrown, status, code, retryAfter) => {
    const log = vi.spyOn(getLog(), 'error')
    const { json, headers, ...response } = await post(openRoute(() => Promise.reject(thrown)))
    expect([response.status, json['error'], headers['retry-after']]).toEqual([status, code, retryAfter])
    expect(json['message']).not.toContain('secret')
    expect(log).toHaveBeenCalledTimes(status === 500 ? 1 : 0)
  })

  it('for plain forms redirects, with the code of a refusal as the problem', async () => {
    const form = (work: () => Promise<string>) => post(formRoute('/sign-in', work))
    expect(await form(() => Promise.resolve('/account'))).toMatchObject({
      status: 303,
      headers: { location: '/account' },
    })
    const refusal = new AccountRefusal(401, 'wrong_password', 'Wrong.')
    expect(await form(() => Promise.reject(refusal))).toMatchObject({
      status: 303,
      headers: { location: '/sign-in?problem=wrong_password' },
    })
    expect(await form(() => Promise.reject(new Error('secret')))).toMatchObject({ status: 500 })
  })
})

it('a table is downloaded as a file with its name', async () => {
  const { headers } = await respondWithCsv('requests', new Blob(['a']).stream())
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="sheaf-requests-\d{4}-\d\d-\d\d\.csv"/)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
})
