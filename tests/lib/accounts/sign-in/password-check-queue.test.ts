import { describe, expect, it } from 'vitest'
import { verifyPassword } from '../../../../lib/accounts/account/password'
import { inPasswordCheckQueue } from '../../../../lib/accounts/sign-in/password-check-queue'

/** Work that waits for a release, and counts how many pieces run at once. */
function createWork() {
  const state = { running: 0, most: 0 }
  let release = () => {}
  const gate = new Promise<void>(resolve => (release = resolve))
  const run = async () => {
    state.running += 1
    state.most = Math.max(state.most, state.running)
    await gate
    state.running -= 1
  }
  return { state, run, release: () => release() }
}

describe('password checks', () => {
  it('of one network wait for each other, and others overtake them', async () => {
    const flood = createWork()
    const waiting = Array.from({ length: 50 }, (_, index) => inPasswordCheckQueue(`2001:db8:7:${index}::1`, flood.run))
    await inPasswordCheckQueue('203.0.113.9', () => Promise.resolve())
    expect(flood.state).toEqual({ running: 2, most: 2 })
    flood.release()
    await Promise.all(waiting)
    expect(flood.state.most).toBe(2)
  })

  it('beyond the limit are refused at once, and the rest run', async () => {
    const cheapHash = 'scrypt$10$8$1$c2FsdA$aGFzaA'
    const check = () => verifyPassword('correct horse battery', cheapHash)
    const all = await Promise.allSettled(Array.from({ length: 60 }, check))
    const refused = all.filter(one => one.status === 'rejected')
    expect(refused).toHaveLength(18) // Two checks run and 40 wait.
    for (const { reason } of refused)
      expect(reason).toMatchObject({ status: 503, code: 'service_unavailable', headers: { 'retry-after': '5' } })
    expect(await check()).toBe(false)
  })
})
