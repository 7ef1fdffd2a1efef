import { expect, test } from 'vitest'
import { isCommonPassword } from '../../../../lib/accounts/account/common-password'
import { findNewPasswordProblem } from '../../../../lib/accounts/account/new-password'

test.each(['1234567890', 'Password123', 'qwertyuiop', 'aaaaaaaaaa', '1212121212', 'abcdefghijk', '9876543210'])(
  '%s is common',
  async password => {
    expect(await isCommonPassword(password)).toBe(true)
    expect(await findNewPasswordProblem(password, 'ada@example.com')).toContain('Many people use')
  },
)

test.each(['correct horse battery', 'mercury-otter-5', 'Zwölf Boxkämpfer'])('%s is not', async password => {
  expect(await isCommonPassword(password)).toBe(false)
})
