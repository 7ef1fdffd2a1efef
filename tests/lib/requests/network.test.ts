import { describe, expect, it } from 'vitest'
import { findNetwork, readAddress } from '../../../lib/requests/network'

describe('the network that a limit counts', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9', null],
    ['203.0.113.9:4711', '203.0.113.9', null],
    ['::ffff:203.0.113.9', '203.0.113.9', null],
    ['::FFFF:cb00:7109', '203.0.113.9', null],
    ['[::ffff:203.0.113.9]:443', '203.0.113.9', null],
    ['2001:db8:7:1:2:3:4:5', '2001:db8:7:1::/64', '2001:db8:7::/48'],
    ['2001:0DB8:0007:0001::5', '2001:db8:7:1::/64', '2001:db8:7::/48'],
    ['[2001:db8:7:1::5]:4711', '2001:db8:7:1::/64', '2001:db8:7::/48'],
    ['2001:db8:7::5', '2001:db8:7::/64', '2001:db8:7::/48'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
    ['64:ff9b::203.0.113.9', '64:ff9b::/64', '64:ff9b::/48'],
    ['unknown', 'unknown', null],
    ['', '', null],
  ])('of %s is %s', (address, network, site) => {
    expect(findNetwork(address)).toEqual({ network, site })
  })

  it('is null for text that only resembles an IP address', () => {
    for (const text of ['203.0.113.256', '203.0.113', '2001:db8::1::2', '1:2:3:4:5:6:7:8:9', '203.0.113.9, 10.0.0.1'])
      expect(readAddress(text), text).toBeNull()
  })

  it('has at most 64 characters whatever a proxy wrote', () => {
    expect(findNetwork('x'.repeat(500)).network).toHaveLength(64)
  })
})
