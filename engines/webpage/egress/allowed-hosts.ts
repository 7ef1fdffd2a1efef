import { isIP } from 'node:net'
import { plainHost } from './public-address'

/** Where an allowed host is: an address of its own, or the one that its name stands for; a port where one was named. */
interface AllowedTarget {
  address: string
  port: number | undefined
}

/** Hosts that pages may reach although they are not public, by `host` or `host:port`. */
export type AllowedHosts = ReadonlyMap<string, AllowedTarget>

const ENTRY = /^(\[[0-9a-f:.]+\]|[^\s:=[\]]+)(?::(\d{1,5}))?(?:=(\[[0-9a-f:.]+\]|[^\s:=[\]]+)(?::(\d{1,5}))?)?$/i

/**
 * Reads a list such as `127.0.0.1:4310, public.test=127.0.0.1:4311`: hosts, or names with the address that they stand
 * for. Without a port every port is meant. Throws an Error that names the entry which is none.
 */
export function parseAllowedHosts(list: string): AllowedHosts {
  const entries = list
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  return new Map(entries.map(parseEntry))
}

/** Where an allowed host is; undefined when it is not on the list. */
export function findAllowedHost(
  allowed: AllowedHosts,
  host: string,
  port: number,
): { address: string; port: number } | undefined {
  const name = plainHost(host)
  const target = allowed.get(`${name}:${port}`) ?? allowed.get(name)
  return target && { address: target.address, port: target.port ?? port }
}

function parseEntry(entry: string): [string, AllowedTarget] {
  const [, host, port, address, addressPort] = ENTRY.exec(entry) ?? []
  const ports = [port, addressPort].map(text => (text === undefined ? undefined : Number(text)))
  const isWrong =
    host === undefined ||
    ports.some(number => number !== undefined && (number < 1 || number > 65_535)) ||
    (address !== undefined && isIP(plainHost(address)) === 0)
  if (isWrong) throw new Error(`"${entry.slice(0, 100)}" is neither host:port nor name=address:port`)
  const [own, mapped] = ports
  const key = own === undefined ? plainHost(host) : `${plainHost(host)}:${own}`
  return [key, { address: canonicalAddress(plainHost(address ?? host)), port: mapped ?? own }]
}

/** The spelling of an address by which sockets name it; other texts stay. */
function canonicalAddress(text: string): string {
  return isIP(text) === 6 ? plainHost(new URL(`http://[${text}]`).hostname) : text
}
