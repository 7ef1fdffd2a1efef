import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from './public-address'

/** Returns the network interfaces of this machine, in the format of `os.networkInterfaces`. */
export type ListInterfaces = () => NodeJS.Dict<{ address: string; family: string }[]>

/** Returns whether an address belongs to this machine or to the network of one of its addresses. */
export type IsLocalAddress = (address: string) => boolean

/** Interfaces can change. The list is read again after this time. */
const FRESH_MS = 1000
/** Prefix length of an IPv6 network (RFC 4291). Neighboring machines and further addresses of this machine share it. */
const NETWORK_BITS = 64

/**
 * Recognizes addresses of this machine: the addresses of all interfaces, and the /64 network of each public IPv6
 * address. IPv6 addresses that contain an IPv4 address need no check here, because none of them counts as public
 * (public-address.ts).
 */
export function createLocalAddresses(
  list: ListInterfaces = networkInterfaces,
  now = () => performance.now(),
): IsLocalAddress {
  let localAddresses: BlockList | undefined
  let readAtMs = 0
  return address => {
    const family = isIP(address)
    if (family === 0) return false
    if (localAddresses === undefined || now() - readAtMs > FRESH_MS) {
      localAddresses = readAddresses(list)
      readAtMs = now()
    }
    return localAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function readAddresses(list: ListInterfaces): BlockList {
  const localAddresses = new BlockList()
  for (const { address } of Object.values(list()).flatMap(interfaces => interfaces ?? [])) {
    const [plain = ''] = address.split('%')
    const family = isIP(plain)
    if (family === 0) continue
    localAddresses.addAddress(plain, family === 6 ? 'ipv6' : 'ipv4')
    if (family === 6 && isPublicAddress(plain)) localAddresses.addSubnet(plain, NETWORK_BITS, 'ipv6')
  }
  return localAddresses
}
