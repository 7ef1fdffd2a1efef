import { describe, expect, it } from 'vitest'
import { isPrivateHost, isPublicAddress, plainHost } from '../../../../engines/webpage/egress/public-address'

const NOT_PUBLIC = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.254',
    '127.0.0.1',
    '127.255.255.254',
  ],
  ...[
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
  ],
  ...[
    '192.88.99.1',
    '192.168.0.1',
    '192.168.255.255',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
  ],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255', '::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1'],
  ...[
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001::7f00:1',
    '2001:0:7f00:1::',
  ],
  ...[
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'fe80::1%eth0',
  ],
]

describe('public IP addresses', () => {
  it.each(NOT_PUBLIC)('do not include %s', address => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:82a::200e',
  ])('include %s', address => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(['', 'example.com', '2130706433', '0x7f.1', '127.1', '1.2.3.4.5', '[::1]', '8.8.8.8:80'])(
    'do not include the text %j',
    text => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )
})

describe('hosts whose names are private', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    '[::1]',
    '10.0.0.1',
    '',
    '.',
  ])('include %j', host => {
    expect(isPrivateHost(host)).toBe(true)
  })

  it.each([
    'example.com',
    'localhost.example.com',
    'mylocalhost',
    'internal.example',
    'locals',
    '8.8.8.8',
    '[2606:4700::1111]',
  ])('do not include %j', host => {
    expect(isPrivateHost(host)).toBe(false)
  })

  it('are read without brackets and final dots, in lower case', () => {
    expect([plainHost('[FE80::1]'), plainHost('Example.COM.'), plainHost('a..')]).toEqual([
      'fe80::1',
      'example.com',
      'a',
    ])
  })
})
