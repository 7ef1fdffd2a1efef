import { expect, test, vi } from 'vitest'
import { waitForDatabase } from '../../../lib/start/wait-for-database'

const away = (code: string): Error => Object.assign(new Error(code), { code })

test('a database that starts later is used when it responds, and the wait is reported once', async () => {
  const use = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(away('ECONNREFUSED'))
    .mockRejectedValueOnce(away('57P03'))
    .mockResolvedValue('rows')
  const onWait = vi.fn()
  expect(await waitForDatabase(use, { mostMs: 10_000, onWait })).toBe('rows')
  expect(use).toHaveBeenCalledTimes(3)
  expect(onWait).toHaveBeenCalledTimes(1)
})

test('after the longest wait, the last error is thrown', async () => {
  const use = vi.fn<() => Promise<string>>().mockRejectedValue(away('CONNECT_TIMEOUT'))
  await expect(waitForDatabase(use, { mostMs: 30, onWait: () => {} })).rejects.toThrow('CONNECT_TIMEOUT')
  expect(use.mock.calls.length).toBeGreaterThan(1)
})

test('an error that a later attempt has too is thrown immediately', async () => {
  const use = vi.fn<() => Promise<string>>().mockRejectedValue(away('28P01'))
  await expect(waitForDatabase(use, { mostMs: 10_000, onWait: () => expect.unreachable() })).rejects.toThrow('28P01')
  expect(use).toHaveBeenCalledTimes(1)
})
