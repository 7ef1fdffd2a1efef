import { type FailPoint, getConfig } from './config'
import { singleton } from './registry'

/**
 * Kills this process as a power failure would, if FAIL_POINT names this point. With `FAIL_POINT=charged:5`, when the
 * point is reached for the fifth time. The configuration only allows FAIL_POINT in tests.
 *
 * The points are after the charge of a request, after its file was sent and before that is recorded, before a refund,
 * after Stripe's response to an automatic payment, and before, during and after the changes of a first proof of an address.
 */
export function failPoint(point: FailPoint): void {
  const [name, count = 1] = getConfig().FAIL_POINT?.split(':') ?? []
  if (name !== point) return
  const passes = singleton('fail point', () => ({ left: Number(count) }))
  passes.left -= 1
  if (passes.left === 0) process.kill(process.pid, 'SIGKILL')
}
