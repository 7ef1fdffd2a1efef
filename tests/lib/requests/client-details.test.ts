import { describe, expect, it } from 'vitest'
import { describeNetwork, shortenAgent } from '../../../lib/requests/client-details'

describe('the network of a client', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:7:1:2:3:4:5', '2001:db8:7::/48'],
    ['2001:0DB8:0007::5', '2001:db8:7::/48'],
    ['2001:db8::5', '2001:db8::/48'],
    ['2001:0:7::', '2001:0:7::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['::1', '::/48'],
    ['::1.2.3.4.5', null],
    ['64:ff9b::192.0.2.33', '64:ff9b::/48'],
    ['unknown', null],
    ['', null],
    ['203.0.113.77, 10.0.0.1', null],
  ])('of %s is %s', (address, network) => {
    expect(describeNetwork(address)).toBe(network)
  })
})

describe('the stored part of a User-Agent', () => {
  it.each([
    ['curl/8.5.0', 'curl/8.5.0'],
    ['python-requests/2.32.3', 'python-requests/2.32.3'],
    ['node', 'node'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      'Chrome/142',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 ' +
        'Safari/537.36 Edg/142.0.0.0',
      'Edg/142',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox/145'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 ' +
        'Safari/605.1.15',
      'Safari/18',
    ],
    ['shop/1.0 (contact alice@example.com) lib/2.0 more/3.0', 'shop/1.0 lib/2.0'],
    ['alice@example.com', null],
    [`a${'b'.repeat(200)}/1`, `a${'b'.repeat(59)}`],
    ['=cmd|calc', null],
    ['\u0000', null],
    [undefined, null],
  ])('%s becomes %s', (header, kept) => {
    expect(shortenAgent(header)).toBe(kept)
  })
})
