import type { IncomingMessage } from 'node:http'
import type { Database } from '../../../db/database'
import type { AttemptLimits } from '../../../db/queries/sign-in-attempts'
import { describeNetwork } from '../../requests/client-details'
import { isBehindUnknownProxy, isForwarded } from '../../requests/client-address'
import { isLoopback } from '../../requests/network'
import { type Config, getConfig } from '../../config'
import { exchangeStorage } from '../../http-exchange'
import { getLog } from '../../log'
import { singleton } from '../../registry'
import { isOriginTrusted } from '../../site-origin'
import { tooManySignUps } from '../account/account-refusal'
import { beginAttempt } from './attempt-limit'

const DAY_MS = 86_400_000

/** Accounts of one site (a `/24` of IPv4, a `/48` of IPv6) for each account of one of its networks. */
const NETWORKS_PER_SITE = 10

/** What is counted: a form that was sent, or an account that opens. A mailed sign-up is both, at different times. */
type Step = 'sign-up form' | 'new account'

type Request = Pick<IncomingMessage, 'headers' | 'socket'>

interface SignUpLimitDependencies {
  /** The request of the visitor, if the server received one. */
  req?: Request | undefined
  config?: Config
  database?: Database
}

/**
 * Counts a sign-up of the client's network and site, over all instances and restarts. Visitors on the machine of a
 * server that isn't public aren't counted. Throws AccountRefusal `too_many_sign_ups`.
 */
export async function countSignUp(
  step: Step,
  clientAddress: string,
  { req = exchangeStorage().getStore()?.req, config = getConfig(), database }: SignUpLimitDependencies = {},
): Promise<void> {
  if (req !== undefined && isOnThisMachine(req, config)) return
  // Behind an unknown proxy, one network may be everybody, so only the limit of a site applies.
  const isShared = req !== undefined && isBehindUnknownProxy(req, config.TRUSTED_PROXIES)
  if (isShared) warnOnce()
  const limits = limitsOf(config.SIGN_UPS_PER_NETWORK, isShared ? NETWORKS_PER_SITE : 1)
  const attempt = await beginAttempt(
    { email: step, ip: clientAddress, site: describeNetwork(clientAddress) },
    { limits, ...(database === undefined ? {} : { database }) },
  )
  if (!attempt.isAllowed) throw tooManySignUps(attempt.retryAfterS)
}

function warnOnce(): void {
  singleton('unknown-proxy', () => {
    getLog().warn('sign-ups arrive through a proxy. Set TRUSTED_PROXIES, so that limits count each client by itself')
    return true
  })
}

function limitsOf(perNetwork: number, networks: number): AttemptLimits {
  return { windowMs: DAY_MS, perAddress: perNetwork * networks, perSiteAddress: perNetwork * NETWORKS_PER_SITE }
}

/**
 * Whether a person at this machine uses a server that only this machine reaches. A proxy on the same machine connects
 * from loopback too, so nothing may point to a proxy or to a public name.
 */
function isOnThisMachine(req: Request, config: Config): boolean {
  const host = config.PUBLIC_URL === undefined ? req.headers.host : new URL(config.PUBLIC_URL).host
  return (
    config.TRUSTED_PROXIES === 0 &&
    !isForwarded(req) &&
    isLoopback(req.socket.remoteAddress ?? '') &&
    isOriginTrusted(host, {})
  )
}
