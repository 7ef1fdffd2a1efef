import { describe, expect, it } from 'vitest'
import { isAllowedBrowserOrigin, isOriginTrusted, isSameOrigin, siteOrigin } from '../../lib/site-origin'

const open = { PUBLIC_URL: undefined, PORT: 3000 }
const published = { PUBLIC_URL: 'https://pdf.example.com/', PORT: 3000 }

/** Host headers that name another machine, or nothing. */
const FOREIGN = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost.',
  '192.168.1.5:3000',
  '[::2]:3000',
  'a b',
  'x"><script>',
  'localhost:999999',
  'localhost@evil.example',
  'user@localhost',
  'localhost/path',
  '',
  null,
  undefined,
]

describe('the origin of the site', () => {
  it('is a loopback name of the Host header if none is configured', () => {
    expect(siteOrigin('localhost:4100', open)).toBe('http://localhost:4100')
    expect(siteOrigin('127.0.0.1', open)).toBe('http://127.0.0.1')
    expect(siteOrigin('[::1]:4100', open)).toBe('http://[::1]:4100')
  })

  it('is PUBLIC_URL if set, whatever the Host header says', () => {
    expect(siteOrigin('evil.example', published)).toBe('https://pdf.example.com')
    expect(siteOrigin('localhost:4100', published)).toBe('https://pdf.example.com')
  })

  it.each(FOREIGN)("never repeats the Host header %j, but names the server's port", host => {
    expect(siteOrigin(host, open)).toBe('http://127.0.0.1:3000')
  })
})

describe('an origin for links in emails', () => {
  it('must be loopback or configured', () => {
    expect(['localhost:3000', '127.0.0.1', '[::1]:80'].map(host => isOriginTrusted(host, open))).toEqual([
      true,
      true,
      true,
    ])
    expect(isOriginTrusted('evil.example', published)).toBe(true)
  })

  it.each(FOREIGN)('is not %j from a Host header alone', host => {
    expect(isOriginTrusted(host, open)).toBe(false)
  })
})

describe('a request from a page of this site', () => {
  it('has a loopback Origin that matches its Host', () => {
    for (const host of ['localhost:4100', '127.0.0.1:4100', '[::1]:4100', 'LOCALHOST:4100'])
      expect([host, isSameOrigin({ origin: `http://${host.toLowerCase()}`, host }, open)]).toEqual([host, true])
    expect(isSameOrigin({ origin: 'http://localhost:4100', host: 'localhost:4100' }, published)).toBe(true)
  })

  it('may come through a proxy that changes the Host if PUBLIC_URL names the origin', () => {
    expect(isSameOrigin({ origin: 'https://pdf.example.com', host: '10.0.0.7:3000' }, published)).toBe(true)
  })

  it.each([
    ['http://evil.example', 'localhost:4100'],
    ['http://localhost:4101', 'localhost:4100'],
    ['http://127.0.0.1:4100', 'localhost:4100'],
    ['null', 'localhost:4100'],
    ['', 'localhost:4100'],
    [null, 'localhost:4100'],
    ['http://localhost:4100', undefined],
    ['https://pdf.example.com.evil.example', 'pdf.example.com'],
  ])('does not have Origin %j at Host %j', (origin, host) => {
    expect(isSameOrigin({ origin, host }, open)).toBe(false)
  })

  it.each(['evil.example', 'evil.example:3000', 'localhost.evil.example', '192.168.1.5:3000'])(
    'does not come from %s, although that name resolves to this server',
    host => {
      for (const site of [open, published]) expect(isSameOrigin({ origin: `http://${host}`, host }, site)).toBe(false)
    },
  )
})

describe('a request with or without an Origin', () => {
  it('is allowed without one, and with one only from this site', () => {
    const allowed = (origin: string | null | undefined, host: string) => isAllowedBrowserOrigin({ origin, host }, open)
    expect([allowed(undefined, 'evil.example'), allowed(null, 'evil.example')]).toEqual([true, true])
    expect(allowed('http://localhost:3000', 'localhost:3000')).toBe(true)
    expect([allowed('http://evil.example', 'evil.example'), allowed('null', 'localhost:3000')]).toEqual([false, false])
  })
})
