import { BlockList, isIP } from 'node:net'

/**
 * IPv4 ranges that the IANA special-purpose address registry (RFC 6890 and later) reserves, including multicast and
 * class E.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // Publicly routable, but every machine of one cloud provider reaches internal services of the provider at this address.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The global unicast range of IPv6 (RFC 4291). Mapped, translated, local and multicast addresses are outside of it. */
const GLOBAL_IPV6 = '2000::/3'

/**
 * Special-purpose ranges inside the global range: protocols (including Teredo), documentation, and 6to4, which contains
 * an IPv4 address.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const specialRanges = createList([...SPECIAL_IPV4, ...SPECIAL_IPV6])
const globalIpv6Range = createList([GLOBAL_IPV6])

/** Returns whether an address is public. Expects the spelling of a resolver or socket. Other texts return `false`. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !specialRanges.check(address, 'ipv4')
  return (
    version === 6 &&
    !address.includes('%') &&
    globalIpv6Range.check(address, 'ipv6') &&
    !specialRanges.check(address, 'ipv6')
  )
}

/**
 * Returns whether a host can be recognized as not public without resolving it: a private address, or a name of this
 * machine or network. `host` is the `hostname` of a parsed URL, in which addresses have their canonical spelling.
 */
export function isPrivateHost(host: string): boolean {
  const name = plainHost(host)
  if (isIP(name) > 0) return !isPublicAddress(name)
  return name === '' || /(^|\.)(localhost|local|internal)$/.test(name)
}

/** Returns a host in lowercase, without the brackets of an IPv6 address and without the trailing dot of a full name. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '')
}

function createList(ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
