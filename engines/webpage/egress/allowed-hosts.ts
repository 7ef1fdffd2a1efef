import { isIP } from 'node:net'
import { plainHost } from './public-address'

/** Target of an allowed host: its own address or the one it is mapped to, and a port if the list specifies one. */
interface AllowedTarget {
  address: string
  port: number | undefined
}

/** Hosts that pages may reach although they aren't public, by `host` or `host:port`. */
export type AllowedHosts = ReadonlyMap<string, AllowedTarget>

const ENTRY = /^(\[[0-9a-f:.]+\]|[^\s:=[\]]+)(?::(\d{1,5}))?(?:=(\[[0-9a-f:.]+\]|[^\s:=[\]]+)(?::(\d{1,5}))?)?$/i

/**
 * Reads a list such as `127.0.0.1:4310, public.test=127.0.0.1:4311`. Entries are hosts, or names with the address that
 * they resolve to. An entry without a port allows every port. Throws an Error that names an invalid entry.
 */
export function parseAllowedHosts(list: string): AllowedHosts {
  const entries = list
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  return new Map(entries.map(parseEntry))
}

/** Returns the target of an allowed host. Undefined if the host isn't on the list. */
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
  const [hostPort, targetPort] = ports
  const key = hostPort === undefined ? plainHost(host) : `${plainHost(host)}:${hostPort}`
  return [key, { address: canonicalAddress(plainHost(address ?? host)), port: targetPort ?? hostPort }]
}

/** Spells an IP address as sockets do. Other texts stay unchanged. */
function canonicalAddress(text: string): string {
  return isIP(text) === 6 ? plainHost(new URL(`http://[${text}]`).hostname) : text
}
