import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../lib/requests/client-address'

const request = (forwarded?: string) => ({
  headers: { 'x-forwarded-for': forwarded },
  socket: { remoteAddress: '10.0.0.1' },
})

describe('the IP address of a client', () => {
  it("is the connection's if no proxy is trusted, whatever the client claims", () => {
    expect(clientAddress(request('203.0.113.9'), 0)).toBe('10.0.0.1')
  })

  it('is the one that the trusted proxy wrote, not the one that the client sent', () => {
    expect(clientAddress(request('1.2.3.4, 203.0.113.9'), 1)).toBe('203.0.113.9')
  })

  it('is counted from the right over several trusted proxies', () => {
    expect(clientAddress(request('1.2.3.4, 203.0.113.9, 10.0.0.2'), 2)).toBe('203.0.113.9')
  })

  it("is the connection's if the proxy sends none", () => {
    expect(clientAddress(request(), 1)).toBe('10.0.0.1')
  })

  it('is the leftmost known one if fewer proxies wrote than are trusted', () => {
    expect(clientAddress(request('203.0.113.9'), 2)).toBe('203.0.113.9')
  })
})
