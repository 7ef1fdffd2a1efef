import { beforeEach, expect, it, vi } from 'vitest'
import { readConfig } from '../../../lib/config'
import { respondWithOutline } from '../../../lib/playground/outline'
import { placeSingleton } from '../../../lib/registry'

const { account, parseJsonField } = vi.hoisted(() => ({ account: { id: 'a' }, parseJsonField: vi.fn() }))
vi.mock('../../../lib/accounts/session/session', () => ({ currentAccount: () => Promise.resolve({ ...account }) }))
vi.mock('../../../lib/body/json-body', () => ({ parseJsonField }))

const SITE = 'http://localhost:3000'

beforeEach(() => {
  placeSingleton('config', readConfig({ PUBLIC_URL: SITE, AUTH_SECRET: 'x'.repeat(40), LOG_LEVEL: 'silent' }))
})

const send = () =>
  respondWithOutline(
    new Request(`${SITE}/api/account/outline`, {
      method: 'POST',
      headers: { origin: SITE, host: 'localhost:3000', 'sec-fetch-site': 'same-origin' },
      body: '{}',
    }),
  )

it('parses no further request of an account, and no third one of all, while others run', async () => {
  const ends: (() => void)[] = []
  parseJsonField.mockImplementation(() => new Promise(resolve => ends.push(() => resolve({}))))
  const first = send()
  await vi.waitFor(() => expect(parseJsonField).toHaveBeenCalledTimes(1))
  expect((await send()).status).toBe(503)
  account.id = 'b'
  const second = send()
  await vi.waitFor(() => expect(parseJsonField).toHaveBeenCalledTimes(2))
  account.id = 'c'
  expect((await send()).status).toBe(503)
  expect(parseJsonField).toHaveBeenCalledTimes(2)
  for (const end of ends) end()
  expect([(await first).status, (await second).status]).toEqual([400, 400])
})
