import { describe, expect, it } from 'vitest'
import { findAllowedHost, parseAllowedHosts } from '../../../../engines/webpage/egress/allowed-hosts'

describe('the list of allowed hosts', () => {
  const allowed = parseAllowedHosts(
    ' 127.0.0.1:4310, public.test=127.0.0.1:4311 ,intranet.example,other.test:8080=[0:0:0:0:0:0:0:1]:9090, ',
  )

  it('finds a host at the named port only', () => {
    expect(findAllowedHost(allowed, '127.0.0.1', 4310)).toEqual({ address: '127.0.0.1', port: 4310 })
    expect(findAllowedHost(allowed, '127.0.0.1', 4311)).toBeUndefined()
  })

  it('maps a name to an IP address', () => {
    expect(findAllowedHost(allowed, 'PUBLIC.test.', 80)).toEqual({ address: '127.0.0.1', port: 4311 })
    expect(findAllowedHost(allowed, 'other.test', 8080)).toEqual({ address: '::1', port: 9090 })
    expect(findAllowedHost(allowed, 'other.test', 80)).toBeUndefined()
  })

  it('allows every port of a host without a port', () => {
    expect(findAllowedHost(allowed, 'intranet.example', 8443)).toEqual({ address: 'intranet.example', port: 8443 })
  })

  it('is empty if nothing is configured', () => {
    expect(parseAllowedHosts('').size).toBe(0)
  })

  it.each(['a b', 'host:99999', 'host:0', 'name=other.name', 'http://host/', '=127.0.0.1'])('refuses %j', entry => {
    expect(() => parseAllowedHosts(entry)).toThrowError(/neither host:port nor name=address:port/)
  })
})
