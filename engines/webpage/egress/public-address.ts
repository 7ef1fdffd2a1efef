import { BlockList, isIP } from 'node:net'

/**
 * What the registries of special-purpose addresses (IANA, RFC 6890 and later) set aside in IPv4, multicast and the
 * reserved end included.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // public by its number, but every machine of one cloud reaches that cloud's own services there
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

/**
 * All that is given out to the public in IPv6 (RFC 4291): mapped, translated, local and multicast addresses lie
 * outside.
 */
const GLOBAL_IPV6 = '2000::/3'

/**
 * What is set aside inside of it: protocols (Teredo among them), documentation, 6to4, which carries an IPv4 address.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const special = createList([...SPECIAL_IPV4, ...SPECIAL_IPV6])
const globalIpv6 = createList([GLOBAL_IPV6])

/** Whether an address, as a resolver or a socket writes it, is one of the public internet; false for anything else. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && !address.includes('%') && globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/**
 * Whether a host says by its text that it is not public: an address that is not, or a name of this machine or network.
 * `host` is what a parsed URL has as its `hostname`, in which addresses have their usual spelling.
 */
export function isPrivateHost(host: string): boolean {
  const name = plainHost(host)
  if (isIP(name) > 0) return !isPublicAddress(name)
  return name === '' || /(^|\.)(localhost|local|internal)$/.test(name)
}

/** A host without the brackets of an IPv6 address and the dot of a complete name, in lower case. */
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
