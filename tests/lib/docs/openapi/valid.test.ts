import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { RESPONSE_HEADERS } from '../../../../lib/docs/response-headers'
import { writeOpenApi } from '../../../../lib/docs/openapi/document'
import { ERROR_STATUS } from '../../../../lib/errors'

const written = JSON.parse(
  JSON.stringify(writeOpenApi('https://api.example.com', { OPERATOR_EMAIL: undefined, MAX_FILES: 100 })),
) as {
  paths: Record<string, { post?: { responses: object; description?: unknown } }>
  components: { headers: object; examples: object }
}

it('is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect((await validator.validate(structuredClone(written))).errors).toBeUndefined()
  expect(validator.version).toBe('3.1')
})

it('is checked by a validator that finds errors', async () => {
  const faulty = structuredClone(written)
  const [path] = Object.values(faulty.paths)
  Object.assign(path?.post ?? {}, { description: 7 })
  expect((await new Validator().validate(faulty)).valid).toBe(false)
})

it('has every error code and every header', () => {
  const { components } = written
  expect(Object.keys(components.examples).sort()).toEqual(Object.keys(ERROR_STATUS).sort())
  expect(Object.keys(components.headers)).toEqual(RESPONSE_HEADERS.map(({ name }) => name))
})

it('lists headers of single requests only where Sheaf sends them', () => {
  const { paths } = written
  const givers = (name: string) =>
    Object.entries(paths).flatMap(([path, { post }]) =>
      JSON.stringify(post?.responses ?? {}).includes(`/${name}"`) ? [path.split('/').at(-1)] : [],
    )
  expect(new Set(givers('X-OCR-Pages'))).toEqual(new Set(['extract-text', 'images-to-pdf', 'pdf-ocr']))
  expect(givers('X-Redaction-Verified')).toEqual(['pdf-redaction', 'pipeline'])
  expect(givers('X-Next-Number')).toEqual(['page-numbers'])
  expect(givers('X-Request-Id').length).toBe(Object.values(paths).filter(({ post }) => post).length)
})
