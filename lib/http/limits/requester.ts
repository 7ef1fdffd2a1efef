import type { RunningRequest } from '../../requests/request'

/** Whose request it is, as far as limits need to know. */
export interface Requester {
  accountId: string
  /** The network of the client. Accounts of one network that never paid share limits. */
  network: string
  /** Whether the account bought credits or got some from the operator. */
  hasPaid: boolean
}

/** Returns whose request it is. Throws an Error before the request is authenticated. */
export function requesterOf({ caller, network }: Pick<RunningRequest, 'caller' | 'network'>): Requester {
  if (!caller) throw new Error('A request without a caller passed the authentication')
  return { accountId: caller.accountId, network, hasPaid: caller.hasPaid === true }
}
