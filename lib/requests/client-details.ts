import type { IncomingMessage } from 'node:http'
import { clientAddress } from './client-address'
import { findNetwork, readAddress, writePrefix } from './network'
import { getConfig } from '../config'

/** The stored details of a client. They identify the calling server, but not a person. */
export interface ClientDetails {
  /** `203.0.113.0/24` or `2001:db8:7::/48`. Null if the address isn't valid. */
  address: string | null
  /** Names and versions of programs, such as `curl/8.5.0` or `Chrome/142`. */
  agent: string | null
}

/** Returns the client of a request. */
export function describeClient(req: IncomingMessage): ClientDetails {
  return {
    address: describeNetwork(clientAddress(req, getConfig().TRUSTED_PROXIES)),
    agent: shortenAgent(req.headers['user-agent']),
  }
}

/** Returns the network that limits count for a request: an IPv4 address, or the /48 of an IPv6 address. */
export function limitedNetwork(req: IncomingMessage): string {
  const { network, site } = findNetwork(clientAddress(req, getConfig().TRUSTED_PROXIES))
  return site ?? network
}

/** Returns the network of an address: its first 24 bits, or 48 for IPv6. Null if the address isn't valid. */
export function describeNetwork(address: string): string | null {
  const parsed = readAddress(address)
  if (parsed === null) return null
  return parsed.version === 6 ? writePrefix(parsed.groups, 48) : `${parsed.text.split('.').slice(0, 3).join('.')}.0/24`
}

/** Browsers, the most specific name first. */
const BROWSERS = ['Edg', 'OPR', 'Firefox', 'HeadlessChrome', 'Chrome', 'Version']
const MOST_AGENT_CHARACTERS = 60

/**
 * Returns the programs in a User-Agent (RFC 9110 §10.1.5), without comments. For a browser, only its name and major
 * version.
 */
export function shortenAgent(header: string | undefined): string | null {
  const products = (header ?? '')
    .slice(0, 500)
    .replace(/\([^()]*\)/g, ' ')
    .split(/\s+/)
    .filter(word => /^[A-Za-z][\w.+-]*(\/[\w.+-]+)?$/.test(word))
  if (products[0]?.startsWith('Mozilla/') === true) {
    for (const browser of BROWSERS) {
      const version = products.find(product => product.startsWith(`${browser}/`))?.match(/\/(\d+)/)?.[1]
      if (version !== undefined) return `${browser === 'Version' ? 'Safari' : browser}/${version}`
    }
  }
  const text = products.slice(0, 2).join(' ').slice(0, MOST_AGENT_CHARACTERS)
  return text === '' ? null : text
}
