import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createLocalAddresses } from '../../../../engines/webpage/egress/local-addresses'

const v4 = (address: string) => ({ address, family: 'IPv4' })
const v6 = (address: string) => ({ address, family: 'IPv6' })

describe('IP addresses of this machine', () => {
  const isOwn = createLocalAddresses(() => ({
    lo: [v4('127.0.0.1'), v6('::1')],
    eth0: [v4('8.8.4.4'), v6('2A00:1450:4001:82a:0:0:0:7'), v6('fd00:1::5'), v6('fe80::1%eth0')],
    down0: undefined,
  }))

  it.each(['127.0.0.1', '::1', '8.8.4.4', '2a00:1450:4001:82a::7', 'fd00:1::5', 'fe80::1', '::ffff:8.8.4.4'])(
    'include %s',
    address => {
      expect(isOwn(address)).toBe(true)
    },
  )

  it.each(['2a00:1450:4001:82a::', '2a00:1450:4001:82a::8', '2a00:1450:4001:82a:ffff:ffff:ffff:ffff'])(
    'include the network of %s',
    address => {
      expect(isOwn(address)).toBe(true)
    },
  )

  it.each([
    '8.8.4.5',
    '8.8.8.8',
    '2a00:1450:4001:82b::7',
    '2a00:1450:4001:829:ffff::',
    'fd00:1::6',
    'fe80::2',
    '::2',
    'a.test',
    '',
  ])('do not include %j', address => {
    expect(isOwn(address)).toBe(false)
  })

  it('are read again if the list is a second old', () => {
    let nowMs = 0
    const interfaces = { eth0: [v4('8.8.4.4')] }
    const isOwnNow = createLocalAddresses(
      () => interfaces,
      () => nowMs,
    )
    expect([isOwnNow('8.8.4.4'), isOwnNow('9.9.9.9')]).toEqual([true, false])
    interfaces.eth0 = [v4('9.9.9.9')]
    nowMs = 500
    expect([isOwnNow('8.8.4.4'), isOwnNow('9.9.9.9')]).toEqual([true, false])
    nowMs = 1500
    expect([isOwnNow('8.8.4.4'), isOwnNow('9.9.9.9')]).toEqual([false, true])
  })

  it('are the addresses that the system lists', () => {
    const all = Object.values(networkInterfaces())
      .flatMap(interfaces => interfaces ?? [])
      .map(({ address }) => address)
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter(address => !createLocalAddresses()(address))).toEqual([])
  })
})
