import type { IncomingMessage } from 'node:http'
import { clientAddress } from './client-address'
import { readAddress, writePrefix } from './network'
import { getConfig } from '../config'

/** What is kept of a client: enough to find the server that calls, and not enough to find a person. */
export interface CallClient {
  /** `203.0.113.0/24` or `2001:db8:7::/48`; null when the address is none. */
  address: string | null
  /** Names and versions of programs, such as `curl/8.5.0` or `Chrome/142`. */
  agent: string | null
}

/** The client of a request. */
export function describeClient(req: IncomingMessage): CallClient {
  return {
    address: describeNetwork(clientAddress(req, getConfig().TRUSTED_PROXIES)),
    agent: shortenAgent(req.headers['user-agent']),
  }
}

/** The network of an address: its first 24 bits, or 48 of IPv6; null of anything that is no address. */
export function describeNetwork(address: string): string | null {
  const parsed = readAddress(address)
  if (parsed === null) return null
  return parsed.version === 6 ? writePrefix(parsed.groups, 48) : `${parsed.text.split('.').slice(0, 3).join('.')}.0/24`
}

/** Browsers, in the order in which their name tells more than those that follow. */
const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Version']
const MOST_AGENT_CHARACTERS = 60

/**
 * The programs that a User-Agent names (RFC 9110 §10.1.5), without comments; of a browser its own name and main version
 * only.
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
