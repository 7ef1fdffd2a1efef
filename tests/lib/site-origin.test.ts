import { describe, expect, it } from 'vitest'
import { isOriginTrusted, isSameOrigin, siteOrigin } from '../../lib/site-origin'

const open = { PUBLIC_URL: undefined, PORT: 3000 }
const published = { PUBLIC_URL: 'https://pdf.example.com/', PORT: 3000 }

describe('the origin of the site', () => {
  it("is the origin of the visitor's request if none is configured", () => {
    expect(siteOrigin('localhost:4100', open)).toBe('http://localhost:4100')
    expect(siteOrigin('[::1]:4100', open)).toBe('http://[::1]:4100')
  })

  it('is PUBLIC_URL if set, whatever the Host header says', () => {
    expect(siteOrigin('evil.example', published)).toBe('https://pdf.example.com')
  })

  it.each(['a b', 'x"><script>', 'host:999999', 'user@host', 'host/path', '', null, undefined])(
    "falls back to the server's port for the Host header %j",
    host => {
      expect(siteOrigin(host, open)).toBe('http://127.0.0.1:3000')
    },
  )
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

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '', undefined])(
    'is not %j from a Host header alone',
    host => {
      expect(isOriginTrusted(host, open)).toBe(false)
    },
  )
})

describe('a request from a page of this site', () => {
  it('has an Origin that matches its Host', () => {
    expect(isSameOrigin({ origin: 'http://localhost:4100', host: 'localhost:4100' }, open)).toBe(true)
    expect(isSameOrigin({ origin: 'https://pdf.example.com', host: 'pdf.example.com' }, open)).toBe(true)
  })

  it('may come through a proxy that changes the Host if PUBLIC_URL names the origin', () => {
    expect(isSameOrigin({ origin: 'https://pdf.example.com', host: '10.0.0.7:3000' }, published)).toBe(true)
  })

  it.each([
    ['http://evil.example', 'localhost:4100'],
    ['http://localhost:4101', 'localhost:4100'],
    ['null', 'localhost:4100'],
    ['', 'localhost:4100'],
    [null, 'localhost:4100'],
    ['http://localhost:4100', undefined],
    ['https://pdf.example.com.evil.example', 'pdf.example.com'],
  ])('does not have Origin %j at Host %j', (origin, host) => {
    expect(isSameOrigin({ origin, host }, open)).toBe(false)
  })
})
