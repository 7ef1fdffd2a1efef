import { describe, expect, it } from 'vitest'
import type { Health } from '../../lib/health'
import { describeStatus } from '../../lib/status'

const HEALTHY: Health = {
  status: 'ok',
  version: '1.2.3',
  database: 'ok',
  browser: { state: 'ready', sandbox: true, outdated: false, running: 2 },
  engines: { processes: 3, busy: 1, waiting: 0 },
  calls: { running: 3, waiting: 4 },
}

function describeWith(changes: Partial<Health>) {
  const { overall, parts } = describeStatus({ ...HEALTHY, ...changes })
  return { overall: overall.state, ...Object.fromEntries(parts.map(({ name, state }) => [name, state])) }
}

describe('the status of a server', () => {
  it('is OK if everything works, and says what is in progress', () => {
    const { overall, parts, version } = describeStatus(HEALTHY)
    expect([overall.state, ...parts.map(({ state }) => state)]).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
    const texts = parts.map(({ text }) => text).join(' ')
    for (const text of ['Idle: 2. Busy: 1.', 'in progress: 2.', 'Running: 3. Waiting for a free slot: 4.'])
      expect(texts).toContain(text)
    expect(version).toBe('1.2.3')
  })

  it('has the daily cap on free credits only if there is one', () => {
    const describe = (today: number) =>
      describeStatus({ ...HEALTHY, grants: { today, cap: 10_000 } }).parts.find(({ name }) => name === 'Free credits')
    expect(describeWith({})).not.toHaveProperty('Free credits')
    expect(describe(300)).toMatchObject({ state: 'ok', text: 'Given today: 300 of 10,000.' })
    expect(describe(9_950)).toMatchObject({ state: 'degraded', text: expect.stringContaining('on a later day') })
  })

  it.each([
    ['the database is away', { database: 'unavailable' }, { overall: 'unavailable', Database: 'unavailable' }],
    ['nothing has started', { engines: 'not started' }, { overall: 'unavailable', Engines: 'unavailable' }],
    [
      'no engine is warm',
      { engines: { processes: 0, busy: 0, waiting: 2 } },
      { overall: 'degraded', Engines: 'degraded' },
    ],
    [
      'there is no browser',
      { browser: { state: 'unavailable', running: 0 } },
      { overall: 'degraded', Browser: 'unavailable' },
    ],
    [
      'the browser starts',
      { browser: { state: 'starting', running: 0 } },
      { overall: 'degraded', Browser: 'degraded' },
    ],
    ['the browser has not begun', { browser: 'not started' }, { overall: 'degraded', Browser: 'degraded' }],
    ['the server stops', { status: 'draining' }, { overall: 'degraded', Database: 'ok' }],
  ] as [string, Partial<Health>, object][])('is not OK while %s', (_, changes, states) => {
    expect(describeWith(changes)).toMatchObject(states)
  })

  it('is OK without a sandbox, because no request fails, but the sandbox is not', () => {
    const describe = (sandbox?: boolean) =>
      describeWith({ browser: { state: 'ready', ...(sandbox !== undefined && { sandbox }), running: 0 } })
    expect(describe(false)).toMatchObject({ overall: 'ok', 'Browser sandbox': 'degraded' })
    expect(describe(true)).toMatchObject({ 'Browser sandbox': 'ok' })
    expect(describe()).toMatchObject({ overall: 'ok', 'Browser sandbox': 'degraded' })
  })

  it('warns of an old browser, and of a browser whose age is unknown', () => {
    const describe = (outdated?: boolean) => {
      const browser = {
        state: 'ready',
        sandbox: true,
        running: 0,
        ...(outdated !== undefined && { outdated }),
      } as const
      const { overall, parts } = describeStatus({ ...HEALTHY, browser })
      const { state, text } = parts.find(({ name }) => name === 'Browser age') ?? {}
      return [overall.state, state, text]
    }
    expect(describe(true)).toEqual(['ok', 'degraded', expect.stringContaining('older than 90 days')])
    expect(describe(false)).toEqual(['ok', 'ok', expect.stringContaining('at most 90 days old')])
    expect(describe()).toEqual(['ok', 'degraded', expect.stringContaining('does not tell its age')])
  })
})
