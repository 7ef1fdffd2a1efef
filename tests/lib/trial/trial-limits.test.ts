import { expect, it } from 'vitest'
import { createTrialLimits } from '../../../lib/trial/trial-limits'

const refusal = (enter: () => unknown) => {
  try {
    enter()
    return null
  } catch (error) {
    return error
  }
}

it('runs one request of a network at a time, and does not count a refused one', () => {
  const limits = createTrialLimits(() => 0)
  const leave = limits.enter('192.0.2.1')
  for (let count = 0; count < 10; count++)
    expect(refusal(() => limits.enter('192.0.2.1'))).toMatchObject({
      code: 'rate_limited',
      message: 'Your network is already running a trial. Try again in 2 seconds.',
      headers: { 'Retry-After': '2' },
    })
  limits.enter('192.0.2.2')()
  leave()
  limits.enter('192.0.2.1')()
})

it('runs four requests of different networks at a time', () => {
  const limits = createTrialLimits(() => 0)
  const leaves = [1, 2, 3, 4].map(host => limits.enter(`192.0.2.${host}`))
  expect(refusal(() => limits.enter('192.0.2.5'))).toMatchObject({
    code: 'rate_limited',
    message: 'Too many visitors are using the trial right now. Try again in 2 seconds.',
  })
  leaves[2]?.()
  limits.enter('192.0.2.5')()
})

it('allows five requests in an hour for each network', () => {
  let now = 0
  const limits = createTrialLimits(() => now)
  for (let count = 0; count < 5; count++) limits.enter('192.0.2.1')()
  now = 100_000
  expect(refusal(() => limits.enter('192.0.2.1'))).toMatchObject({
    message: 'Trial limit reached: 5 requests per hour. Try again in 59 minutes, or create an account.',
    headers: { 'Retry-After': '3500' },
  })
  limits.enter('192.0.2.2')()
  now = 3_600_000
  limits.enter('192.0.2.1')()
})
