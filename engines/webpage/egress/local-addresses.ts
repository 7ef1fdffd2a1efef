import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from './public-address'

/** Gives the network interfaces of this machine, as `os.networkInterfaces` does. */
export type ListInterfaces = () => NodeJS.Dict<{ address: string; family: string }[]>

/** Whether an address is one of this machine, or in the network of one. */
export type IsLocalAddress = (address: string) => boolean

/** Interfaces come and go; a list is asked for again when it is older than that. */
const FRESH_MS = 1000
/** Bits of an IPv6 network (RFC 4291): machines beside this one, and further addresses of this one, share them. */
const NETWORK_BITS = 64

/**
 * Tells addresses of this machine: every one of its interfaces, and the /64 of each public IPv6 address. Forms that
 * carry an IPv4 address inside an IPv6 one need no check here, for none of them counts as public (public-address.ts).
 */
export function createLocalAddresses(
  list: ListInterfaces = networkInterfaces,
  now = () => performance.now(),
): IsLocalAddress {
  let own: BlockList | undefined
  let readAtMs = 0
  return address => {
    const family = isIP(address)
    if (family === 0) return false
    if (own === undefined || now() - readAtMs > FRESH_MS) {
      own = readAddresses(list)
      readAtMs = now()
    }
    return own.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function readAddresses(list: ListInterfaces): BlockList {
  const own = new BlockList()
  for (const { address } of Object.values(list()).flatMap(interfaces => interfaces ?? [])) {
    const [plain = ''] = address.split('%')
    const family = isIP(plain)
    if (family === 0) continue
    own.addAddress(plain, family === 6 ? 'ipv6' : 'ipv4')
    if (family === 6 && isPublicAddress(plain)) own.addSubnet(plain, NETWORK_BITS, 'ipv6')
  }
  return own
}
