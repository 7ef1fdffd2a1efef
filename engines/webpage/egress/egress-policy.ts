import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { findAllowedHost } from './allowed-hosts'
import type { AllowedHosts } from './allowed-hosts'
import type { IsLocalAddress } from './local-addresses'
import { isPrivateHost, isPublicAddress, plainHost } from './public-address'

/** Where a host may be dialled: settings for a socket, and whether a socket that was made so leads where it should. */
export interface Target {
  dial: { host: string; port: number; autoSelectFamily: true; lookup: LookupFunction }
  isRight(socket: Socket): boolean
}

/** Finds where a host of a page is; undefined when it must not or can't be reached, without telling which. */
export type EgressPolicy = (host: string, port: number) => Promise<Target | undefined>

/** Gives all addresses of a name; rejects, or gives none, when there are none. */
export type ResolveName = (name: string) => Promise<string[]>

interface ReachSettings {
  allowed: AllowedHosts
  /** Tells addresses of this machine, which pages must not reach however public they are. */
  isOwn: IsLocalAddress
  resolve?: ResolveName
}

/**
 * The rule for one page: a host is resolved once, all of its addresses have to be public and none may be this
 * machine's, and those are dialled and no others, whatever the name says later. What the operator allows is dialled as
 * it stands.
 */
export function createEgressPolicy({ allowed, isOwn, resolve = resolveName }: ReachSettings): EgressPolicy {
  const known = new Map<string, Promise<string[]>>()
  const isForeign = (address: string) => isPublicAddress(address) && !isOwn(address)
  const find = (name: string) => {
    const found = known.get(name) ?? findAddresses(name, resolve)
    known.set(name, found)
    return found
  }
  return async (host, port) => {
    const target = findAllowedHost(allowed, host, port)
    const name = plainHost(host)
    if (target) return aim({ name, addresses: await findAllowedAddresses(target.address), port: target.port })
    const addresses = isPrivateHost(name) ? [] : await find(name)
    // Interfaces of this machine come and go, so addresses that are known are looked at again, and so are sockets.
    return addresses.every(isForeign) ? aim({ name, addresses, port, isForeign }) : undefined
  }
}

/** Asks the name servers themselves: local files and the naming services of this network know private names. */
async function resolveName(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2500, tries: 2 })
  const responses = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return responses.flatMap(response => (response.status === 'fulfilled' ? response.value : []))
}

async function findAddresses(name: string, resolve: ResolveName): Promise<string[]> {
  return isIP(name) > 0 ? [name] : resolve(name).catch(() => [])
}

async function findAllowedAddresses(host: string): Promise<string[]> {
  if (isIP(host) > 0) return [host]
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

interface Aim {
  name: string
  addresses: string[]
  port: number
  isForeign?: (address: string) => boolean
}

/**
 * A socket's host is the name, by which connections are told apart and kept; where it leads is what was found, and
 * checked once more.
 */
function aim({ name, addresses, port, isForeign = () => true }: Aim): Target | undefined {
  const [first] = addresses
  if (first === undefined) return undefined
  const pinned = addresses.map(address => ({ address, family: isIP(address) }))
  const lookupPinned: LookupFunction = (_name, options, response) => {
    if (options.all) response(null, pinned)
    else response(null, first, isIP(first))
  }
  return {
    dial: { host: isIP(name) > 0 ? first : name, port, autoSelectFamily: true, lookup: lookupPinned },
    isRight: ({ remoteAddress }) =>
      remoteAddress !== undefined && addresses.includes(remoteAddress) && isForeign(remoteAddress),
  }
}
