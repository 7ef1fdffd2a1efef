import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { findAllowedHost } from './allowed-hosts'
import type { AllowedHosts } from './allowed-hosts'
import type { IsLocalAddress } from './local-addresses'
import { isPrivateHost, isPublicAddress, plainHost } from './public-address'

/** Settings for a socket to a host, and a check that the connected socket leads to an allowed address. */
export interface Target {
  dial: { host: string; port: number; autoSelectFamily: true; lookup: LookupFunction }
  isRight(socket: Socket): boolean
}

/**
 * Returns the target of a host that a page requests. Undefined if the host isn't allowed or can't be resolved, without
 * a distinction between the two.
 */
export type EgressPolicy = (host: string, port: number) => Promise<Target | undefined>

/** Returns all addresses of a name. Rejects or returns an empty array if the name has none. */
export type ResolveName = (name: string) => Promise<string[]>

interface ReachSettings {
  allowed: AllowedHosts
  /** Recognizes addresses of this machine. Pages must not reach them, even if they are public. */
  isLocalAddress: IsLocalAddress
  resolve?: ResolveName
}

/**
 * Creates the policy for one page. A host is resolved once. All of its addresses must be public, and none may belong to
 * this machine. Only these addresses are dialed, even if the name resolves to others later. Hosts that the operator
 * allows are dialed without these checks.
 */
export function createEgressPolicy({ allowed, isLocalAddress, resolve = resolveName }: ReachSettings): EgressPolicy {
  const addressesByName = new Map<string, Promise<string[]>>()
  const isForeign = (address: string) => isPublicAddress(address) && !isLocalAddress(address)
  const find = (name: string) => {
    const addresses = addressesByName.get(name) ?? findAddresses(name, resolve)
    addressesByName.set(name, addresses)
    return addresses
  }
  return async (host, port) => {
    const target = findAllowedHost(allowed, host, port)
    const name = plainHost(host)
    if (target) return aim({ name, addresses: await findAllowedAddresses(target.address), port: target.port })
    const addresses = isPrivateHost(name) ? [] : await find(name)
    // Interfaces of this machine can change, so the policy checks known addresses again, and connected sockets too.
    return addresses.every(isForeign) ? aim({ name, addresses, port, isForeign }) : undefined
  }
}

/** Queries the name servers directly, because local files and network naming services know private names. */
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
 * The host of a socket is the name, because the agent keeps connections by host. The socket connects only to the
 * resolved addresses, which are checked again after the connection.
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
