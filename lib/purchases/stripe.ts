import { Stripe } from 'stripe'
import { getConfig } from '../config'
import { singleton } from '../registry'

const TIMEOUT_MS = 15_000
const RETRIES = 2

/** Returns whether credits can be bought. */
export function isSelling(): boolean {
  return getConfig().STRIPE_SECRET_KEY !== undefined
}

/** Returns the client of Stripe's API. Throws an Error if credits can't be bought. */
export function getStripe(): Stripe {
  const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = getConfig()
  if (STRIPE_SECRET_KEY === undefined) throw new Error("STRIPE_SECRET_KEY isn't set")
  return singleton(
    'stripe',
    () =>
      new Stripe(STRIPE_SECRET_KEY, {
        timeout: TIMEOUT_MS,
        maxNetworkRetries: RETRIES,
        telemetry: false,
        ...(STRIPE_API_BASE === undefined ? {} : describeHost(STRIPE_API_BASE)),
      }),
  )
}

function describeHost(base: string) {
  const { protocol, hostname, port } = new URL(base)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  }
}
