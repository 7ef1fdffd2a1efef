import { describe, expect, it } from 'vitest'
import { readForm } from '../../../../lib/accounts/route/read-form'

const post = (body: string, type: string) =>
  new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': type } })

describe('a small form', () => {
  it("is read from JSON, and values that aren't text are ignored", async () => {
    expect(await readForm(post('{"email":"a@b.c","password":["x"],"n":1}', 'application/json; charset=utf-8'))).toEqual(
      { email: 'a@b.c' },
    )
  })

  it('is read from urlencoded fields', async () => {
    expect(await readForm(post('email=a%40b.c&json=true', 'application/x-www-form-urlencoded'))).toEqual({
      email: 'a@b.c',
      json: 'true',
    })
  })

  it('does not let a field change the prototype', async () => {
    const form = await readForm(post('{"__proto__":"x"}', 'application/json'))
    expect(Object.getPrototypeOf(form)).toBe(Object.prototype)
  })

  it.each([
    ['[]', 'application/json', 'invalid_payload'],
    ['null', 'application/json', 'invalid_payload'],
    ['{', 'application/json', 'invalid_payload'],
    ['a=b', 'text/plain', 'unsupported_media_type'],
    [`{"a":"${'x'.repeat(17_000)}"}`, 'application/json', 'payload_too_large'],
  ])('refuses %.20s as %s', async (body, type, code) => {
    await expect(readForm(post(body, type))).rejects.toMatchObject({ code })
  })
})
