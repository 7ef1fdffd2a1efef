import { expect, it } from 'vitest'
import { writeOpenApi } from '../../../../lib/docs/openapi/document'
import { writeOpenApiText } from '../../../../lib/docs/openapi/document-text'

it('is the document with the origin of each request', () => {
  const settings = { OPERATOR_EMAIL: undefined, MAX_FILES: 100 }
  for (const origin of ['http://127.0.0.1:3000', 'https://pdf.example.com'])
    expect(writeOpenApiText(origin, settings)).toBe(JSON.stringify(writeOpenApi(origin, settings)))
})
