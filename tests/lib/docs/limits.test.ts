import { expect, it } from 'vitest'
import { readConfig } from '../../../lib/config'
import { describeLimits } from '../../../lib/docs/limits'

const value = (environment: Record<string, string>, variable: string) =>
  describeLimits(readConfig(environment)).find(row => row.variable === variable)?.value

it('shows the limits of this server, in human units', () => {
  expect(value({}, 'MAX_BODY_BYTES')).toBe('100 MB')
  expect(value({ MAX_BODY_BYTES: '2500000' }, 'MAX_BODY_BYTES')).toBe('2.4 MB (2,500,000 bytes)')
  expect(value({}, 'KEY_RPS')).toBe('not limited')
  expect(value({ KEY_RPS: '12' }, 'KEY_RPS')).toBe('12')
  expect(value({ TOOL_TIMEOUT_MS: '20000' }, 'TOOL_TIMEOUT_MS')).toContain('up to 20 s')
})
