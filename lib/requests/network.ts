import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** A parsed address: IPv4 as text, IPv6 as eight numbers of 16 bits. */
export type ParsedAddress = { version: 4; text: string } | { version: 6; groups: number[] }

/** The longest address with a zone, brackets and a port is shorter. */
const MAX_ADDRESS_LENGTH = 200

/**
 * Parses an address as sockets and proxies write it: with a zone, in brackets, with a port. An IPv4-mapped IPv6 address
 * becomes the IPv4 address. Returns null for anything else.
 */
export function readAddress(address: string): ParsedAddress | null {
  if (address.length > MAX_ADDRESS_LENGTH) return null
  const [text = ''] = withoutPort(address.trim()).split('%', 1)
  if (isIPv4(text)) return { version: 4, text }
  if (!isIPv6(text)) return null
  const groups = readGroups(text)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  return isMapped
    ? {
        version: 4,
        text: [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.'),
      }
    : { version: 6, groups }
}

/** Returns the first bits of an IPv6 address, a multiple of 16, as a prefix such as `2001:db8:7::/48`. */
export function writePrefix(groups: number[], bits: number): string {
  const prefix = groups
    .slice(0, bits / 16)
    .map(group => group.toString(16))
    .join(':')
  const withoutLastZeros = prefix.replace(/(^|:)0(:0)*$/, '') // `2001:db8:0:0` becomes `2001:db8`.
  return `${withoutLastZeros}::/${bits}`
}

/** The networks that limits count as one client. */
export interface ClientNetwork {
  /** An IPv4 address, or the /64 of an IPv6 address, which is the minimum for one connection. */
  network: string
  /** The /48 of an IPv6 address, which is a typical size for one site. Null for IPv4. */
  site: string | null
}

/** Returns the networks of a client's address. A text that isn't a valid address represents itself. */
export function findNetwork(address: string): ClientNetwork {
  const parsed = readAddress(address)
  if (parsed === null) return { network: address.slice(0, 64), site: null }
  if (parsed.version === 4) return { network: parsed.text, site: null }
  return { network: writePrefix(parsed.groups, 64), site: writePrefix(parsed.groups, 48) }
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4')
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

/** Returns whether an address is of this machine. */
export function isLoopback(address: string): boolean {
  return isListed(LOOPBACK, address)
}

/** Returns whether an address is of this machine or of a private network, as that of a proxy usually is. */
export function isPrivate(address: string): boolean {
  return isListed(PRIVATE, address)
}

function isListed(list: BlockList, address: string): boolean {
  const parsed = readAddress(address)
  if (parsed === null) return false
  if (parsed.version === 4) return list.check(parsed.text, 'ipv4')
  return list.check(parsed.groups.map(group => group.toString(16)).join(':'), 'ipv6')
}

function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}

/** Parses a valid address: at most one `::`, and possibly a dotted end instead of the last two groups. */
function readGroups(text: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)
  const end = dotted?.slice(1).map(Number)
  const asGroups = end === undefined ? '' : `${pair(end[0], end[1])}:${pair(end[2], end[3])}`
  const plain = `${text.slice(0, dotted?.index)}${asGroups}`
  const [head = [], tail] = plain.split('::').map(half =>
    half
      .split(':')
      .filter(group => group !== '')
      .map(group => Number.parseInt(group, 16)),
  )
  if (tail === undefined) return head
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

function pair(high = 0, low = 0): string {
  return (high * 256 + low).toString(16)
}
