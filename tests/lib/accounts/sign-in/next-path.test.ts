import { expect, it } from 'vitest'
import { readNextPath } from '../../../../lib/accounts/sign-in/next-path'

it.each([
  ['/account/playground/merge-pdf', '/account/playground/merge-pdf'],
  ['/account/settings#address', '/account/settings#address'],
  ['https://sheaf.example/account', '/account'],
  ['https://sheaf.example/account/calls?secret=1', '/account/calls'],
  ['//evil.example/account', '/account'],
  ['https://evil.example/account/x', '/account'],
  ['https://sheaf.example@evil.example/account', '/account'],
  ['\\\\evil.example\\account', '/account'],
  ['/account/../api/auth/signout', '/account'],
  ['/account/..//evil.example', '/account'],
  ['/accounts', '/account'],
  ['/docs', '/account'],
  ['javascript:alert(1)', '/account'],
  ['http://[', '/account'],
  ['', '/account'],
])('a sign-in that asks for %j leads to %j', (next, path) =>
  expect(readNextPath(next, 'https://sheaf.example')).toBe(path),
)
