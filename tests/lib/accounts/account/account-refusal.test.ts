import { expect, it } from 'vitest'
import { isAccountRefusal, tooManyAttempts, tooManySignUps } from '../../../../lib/accounts/account/account-refusal'

it.each([
  [tooManyAttempts(60), 'Wait 1 minute and', '60'],
  [tooManyAttempts(61), 'Wait 2 minutes and', '61'],
  [tooManySignUps(3600), 'in 1 hour,', '3600'],
  [tooManySignUps(3601), 'in 2 hours,', '3601'],
])('%o says how long to wait', ({ message, status, headers }, words, seconds) => {
  expect(message).toContain(words)
  expect([status, headers]).toEqual([429, { 'retry-after': seconds }])
})

it('a refusal is known by its members, also from another bundle', () => {
  const foreign = Object.assign(new Error('no'), { name: 'AccountRefusal', status: 400, headers: {} })
  for (const refusal of [tooManyAttempts(1), foreign]) expect(isAccountRefusal(refusal)).toBe(true)
  const { name, status, headers } = foreign
  for (const other of [{ name, status, headers }, Object.assign(new Error('no'), { status, headers }), null])
    expect(isAccountRefusal(other)).toBe(false)
  for (const member of [{ status }, { headers }])
    expect(isAccountRefusal(Object.assign(new Error('no'), { name, ...member }))).toBe(false)
})
