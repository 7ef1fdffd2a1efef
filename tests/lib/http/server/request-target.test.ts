import { expect, it } from 'vitest'
import { hasLongQuery, readTarget } from '../../../../lib/http/server/request-target'

it.each([
  ['/', '/'],
  ['*', '*'],
  ['/docs/a%20b?x=%', '/docs/a%20b?x=%'],
  ['http://sheaf.example/api/health?a=1', '/api/health?a=1'],
  ['HTTPS://sheaf.example', '/'],
  ['http://sheaf.example?a=1', '/?a=1'],
  ['//sheaf.example/docs', '//sheaf.example/docs'],
  ['/docs/%', '/docs/%25'],
  ['/api/external/pdf-tools/%c0%af?a=%41', '/api/external/pdf-tools/%25c0%25af?a=%41'],
])('reads the target %j as %j', (target, expected) => {
  expect(readTarget(target)).toBe(expected)
})

it('accepts a query string of 100 parameters, and no longer one', () => {
  const write = (count: number) => `/docs?${Array.from({ length: count }, (_, index) => `a${index}=`).join('&')}`
  expect([1, 100, 101, 2000].map(count => hasLongQuery(write(count)))).toEqual([false, false, true, true])
  expect(hasLongQuery(`/docs/${'&'.repeat(200)}`)).toBe(false)
})
