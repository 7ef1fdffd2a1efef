import { describe, expect, it } from 'vitest'
import type { Socket } from 'node:net'
import { parseAllowedHosts } from '../../../../engines/webpage/egress/allowed-hosts'
import { createLocalAddresses } from '../../../../engines/webpage/egress/local-addresses'
import { createEgressPolicy } from '../../../../engines/webpage/egress/egress-policy'

const PUBLIC = '93.184.216.34'

/** IP addresses of the machine, as if the machine were on the internet itself. */
const INTERFACES = {
  lo: [{ address: '127.0.0.1', family: 'IPv4' }],
  eth0: [
    { address: '8.8.4.4', family: 'IPv4' },
    { address: '2a00:1450:4001:82a::7', family: 'IPv6' },
    { address: 'fe80::1%eth0', family: 'IPv6' },
  ],
}

function reachWith(names: Record<string, string[]>, allowed = '') {
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    const addresses = names[name]
    if (!addresses) throw new Error('ENOTFOUND')
    return addresses
  }
  return {
    reach: createEgressPolicy({
      allowed: parseAllowedHosts(allowed),
      isLocalAddress: createLocalAddresses(() => INTERFACES),
      resolve,
    }),
    asked,
  }
}

/** The IP addresses that a socket to a target would get. */
function addressesOf(target: Awaited<ReturnType<ReturnType<typeof createEgressPolicy>>>): Promise<string[]> {
  return new Promise((resolve, reject) => {
    if (!target) return reject(new Error('there is no target'))
    target.dial.lookup('any.name', { all: true }, (error, addresses) =>
      error ? reject(error) : resolve([addresses].flat().map(one => (typeof one === 'string' ? one : one.address))),
    )
  })
}

describe('the egress policy', () => {
  it('allows a name if all its IP addresses are public, and only these addresses', async () => {
    const { reach } = reachWith({ 'a.test': [PUBLIC, '2606:4700::1111'] })
    expect(await addressesOf(await reach('A.test.', 443))).toEqual([PUBLIC, '2606:4700::1111'])
  })

  it.each([
    ['a name with one private IP address of several', { 'a.test': [PUBLIC, '10.0.0.1'] }, 'a.test'],
    ['a name with only a private IP address', { 'a.test': ['127.0.0.1'] }, 'a.test'],
    ['an IP address that embeds a private one', { 'a.test': ['64:ff9b::a00:1'] }, 'a.test'],
    ['a name without an IP address', { 'a.test': [] }, 'a.test'],
    ['an unknown name', {}, 'a.test'],
    ['a private IP address', {}, '169.254.169.254'],
    ['loopback in brackets', {}, '[::1]'],
    ['a name with only a public IP address of this machine', { 'a.test': ['8.8.4.4'] }, 'a.test'],
    ['a name with one public IP address of this machine', { 'a.test': [PUBLIC, '8.8.4.4'] }, 'a.test'],
    [
      "an IP address in the network of this machine's public one",
      { 'a.test': ['2a00:1450:4001:82a:ffff::1'] },
      'a.test',
    ],
    ['an IP address that embeds one of this machine', { 'a.test': ['::ffff:8.8.4.4'] }, 'a.test'],
    ['an IP address that is translated to one of this machine', { 'a.test': ['64:ff9b::808:404'] }, 'a.test'],
    ['a 6to4 address of this machine', { 'a.test': ['2002:808:404::1'] }, 'a.test'],
    ['a public IP address of this machine', {}, '8.8.4.4'],
    ['a public IP address of this machine in brackets', {}, '[2a00:1450:4001:82a::7]'],
    [
      'a name of this machine, whatever a resolver returns',
      { localhost: [PUBLIC], 'x.localhost': [PUBLIC] },
      'x.localhost',
    ],
  ])('forbids %s', async (_why, names, host) => {
    expect(await reachWith(names).reach(host, 80)).toBeUndefined()
  })

  it("resolves a name once for a page, so that the name can't change its IP address", async () => {
    let responses = 0
    const reach = createEgressPolicy({
      allowed: parseAllowedHosts(''),
      isLocalAddress: () => false,
      resolve: async () => (responses++ === 0 ? [PUBLIC] : ['127.0.0.1']),
    })
    expect(await addressesOf(await reach('a.test', 80))).toEqual([PUBLIC])
    expect(await addressesOf(await reach('a.test', 443))).toEqual([PUBLIC])
    expect(responses).toBe(1)
  })

  it('accepts public IP addresses without DNS', async () => {
    const { reach, asked } = reachWith({})
    expect((await reach(PUBLIC, 8080))?.dial).toMatchObject({ host: PUBLIC, port: 8080 })
    expect(asked).toEqual([])
  })

  it('allows hosts that the operator allows', async () => {
    const { reach, asked } = reachWith({}, '127.0.0.1:4310,inner.test=127.0.0.1:4311')
    expect((await reach('127.0.0.1', 4310))?.dial.port).toBe(4310)
    expect(await reach('127.0.0.1', 4311)).toBeUndefined()
    const mapped = await reach('inner.test', 80)
    expect(mapped?.dial.port).toBe(4311)
    expect(await addressesOf(mapped)).toEqual(['127.0.0.1'])
    expect(asked).toEqual([])
  })

  it('allows a public IP address of this machine if the operator allows it, at that port', async () => {
    const { reach } = reachWith({ 'own.test': ['8.8.4.4'] }, '8.8.4.4:4310,mine.test=8.8.4.4:4311')
    expect(await addressesOf(await reach('8.8.4.4', 4310))).toEqual(['8.8.4.4'])
    expect(await addressesOf(await reach('mine.test', 80))).toEqual(['8.8.4.4'])
    expect(await reach('8.8.4.4', 80)).toBeUndefined()
    expect(await reach('own.test', 4310)).toBeUndefined()
  })

  it('forbids an IP address that this machine got after the name was resolved', async () => {
    const own = new Set<string>()
    const reach = createEgressPolicy({
      allowed: parseAllowedHosts(''),
      isLocalAddress: address => own.has(address),
      resolve: async () => [PUBLIC],
    })
    const target = await reach('a.test', 80)
    expect(target?.isRight({ remoteAddress: PUBLIC } as Socket)).toBe(true)
    own.add(PUBLIC)
    expect(target?.isRight({ remoteAddress: PUBLIC } as Socket)).toBe(false)
    expect(await reach('a.test', 80)).toBeUndefined()
  })

  it("checks the socket's peer again", async () => {
    const target = await reachWith({ 'a.test': [PUBLIC] }).reach('a.test', 80)
    // These are all the properties that the check reads.
    const leadsTo = (remoteAddress: string | undefined) => target?.isRight({ remoteAddress } as Socket)
    expect([leadsTo(PUBLIC), leadsTo('127.0.0.1'), leadsTo(undefined)]).toEqual([true, false, false])
  })
})
