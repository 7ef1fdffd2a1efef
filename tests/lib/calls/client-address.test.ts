import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../lib/calls/client-address'

const request = (forwarded?: string) => ({
  headers: { 'x-forwarded-for': forwarded },
  socket: { remoteAddress: '10.0.0.1' },
})

describe('the address of a client', () => {
  it('is that of the connection when no proxy is trusted, whatever the client claims', () => {
    expect(clientAddress(request('203.0.113.9'), 0)).toBe('10.0.0.1')
  })

  it('is what the one trusted proxy wrote, not what the client put before it', () => {
    expect(clientAddress(request('1.2.3.4, 203.0.113.9'), 1)).toBe('203.0.113.9')
  })

  it('is counted from the right over several trusted proxies', () => {
    expect(clientAddress(request('1.2.3.4, 203.0.113.9, 10.0.0.2'), 2)).toBe('203.0.113.9')
  })

  it('is that of the connection when the proxy says nothing', () => {
    expect(clientAddress(request(), 1)).toBe('10.0.0.1')
  })

  it('is the leftmost one known when fewer proxies wrote than are trusted', () => {
    expect(clientAddress(request('203.0.113.9'), 2)).toBe('203.0.113.9')
  })
})
