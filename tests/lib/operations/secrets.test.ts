import { expect, test } from 'vitest'
import * as z from 'zod'
import { inForm } from '../../../engines/options/form-hints'
import { passwordOption } from '../../../engines/options/schemas'
import { validate } from '../../../lib/operations/validate'
import { pageOptions } from '../../../engines/webpage/request/options'

test.each<[schema: z.ZodType, input: unknown, param: string]>([
  [pageOptions, { httpAuth: { username: 'ada', password: 9_381_277 } }, 'httpAuth.password'],
  [pageOptions, { cookies: [{ name: 'session', value: 9_381_277 }] }, 'cookies[0].value'],
  [pageOptions, { extraHeaders: { 'X-Token': 9_381_277 } }, 'extraHeaders["X-Token"]'],
  [z.strictObject({ password: passwordOption('Password.', 'Password') }), { password: 9_381_277 }, 'password'],
  [z.strictObject({ code: z.enum(['a', 'b']).meta(inForm({ isSecret: true })) }), { code: '9381277' }, 'code'],
])('never repeats the value of a secret of %#', async (schema, input, param) => {
  const { problems = [] } = await validate(schema, input, { name: '' })
  expect(problems.map(problem => problem.param)).toEqual([param])
  expect(JSON.stringify(problems)).not.toContain('9381277')
  expect(problems[0]?.message).toMatch(/^must /)
})
