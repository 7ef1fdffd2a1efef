import { expect, test } from 'vitest'
import { readConfig } from '../../lib/config'

test('a fail point is refused outside tests, and the error names the value and the fix', () => {
  expect(readConfig({}).FAIL_POINT).toBeUndefined()
  expect(readConfig({ TEST_MODE: '1', FAIL_POINT: 'charged:5' }).FAIL_POINT).toBe('charged:5')
  expect(() => readConfig({ FAIL_POINT: 'charged' })).toThrow(/FAIL_POINT: only allowed .*TEST_MODE=1\. Got charged\./)
})

test.each(['nowhere', 'charged:0', 'charged:', 'paid:1.5'])(
  'the fail point %j is refused with the known ones',
  point => {
    expect(() => readConfig({ TEST_MODE: '1', FAIL_POINT: point })).toThrow(
      /FAIL_POINT: must be one of charged, delivered/,
    )
  },
)
