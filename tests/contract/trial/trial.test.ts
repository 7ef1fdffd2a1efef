import { beforeAll, describe, expect, it } from 'vitest'
import type { RunningService } from '../../support/service'
import { usualService } from '../../support/shared-services'
import { type ApiResponse, FORM_TYPE, sendRequest } from '../client'

let service: RunningService
beforeAll(async () => {
  service = await usualService()
})

let lastNetwork = 0
const freshAddress = () => `198.51.100.${++lastNetwork}`

function send(toolId: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return sendRequest(service.base, {
    path: `/api/try/${toolId}`,
    headers: {
      'content-type': 'application/json',
      origin: service.base,
      'x-forwarded-for': freshAddress(),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** A PDF without the headers of a paid request. */
function expectFreePdf({ status, headers, bytes, charged, balance }: ApiResponse): void {
  expect(status, bytes.toString('latin1', 0, 300)).toBe(200)
  expect(headers['content-type']).toBe('application/pdf')
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect({ charged, balance }).toEqual({ charged: undefined, balance: undefined })
}

const redaction = (options: unknown = { search: [{ text: 'Ada Reyes' }, { preset: 'iban' }] }) => ({
  files: ['payslip.pdf'],
  options,
})

describe('a request without an account', () => {
  it('redacts the sample, with verification and without credit headers', async () => {
    const response = await send('pdf-redaction', redaction())
    expectFreePdf(response)
    expect(response.headers).toMatchObject({ 'x-redaction-verified': 'true', 'x-redactions-applied': '3' })
    expect(response.warnings).toEqual([])
    expect(response.requestId).not.toBe('')
  })

  it('redacts a drawn box', async () => {
    const response = await send(
      'pdf-redaction',
      redaction({ areas: [{ page: 1, x: 60, y: 100, width: 300, height: 40 }] }),
    )
    expectFreePdf(response)
  })

  it('merges samples in the order sent', async () => {
    const response = await send('merge-pdf', { files: ['terms.pdf', 'letter.pdf'], options: {} })
    expectFreePdf(response)
    expect(response.headers['content-disposition']).toContain('terms-merged.pdf')
  })

  it.each<[string, unknown]>([
    ['another file', { files: ['../../package.json'], options: {} }],
    ['no file', { options: {} }],
    ['an upload', { file: { name: 'a.pdf', dataBase64: 'JVBERi0=' }, options: {} }],
    ['a regular expression', redaction({ search: [{ regex: '(a+)+$' }] })],
    ['text recognition', redaction({ search: [{ text: 'Ada' }], ocr: true })],
    ['no rule', redaction({})],
    ['many rules', redaction({ search: Array.from({ length: 6 }, () => ({ text: 'Ada' })) })],
  ])('refuses %s', async (_, body) => {
    const response = await send('pdf-redaction', body)
    expect(response.status).toBe(422)
    expect(response.json).toMatchObject({ error: 'pdf_tool_processing_failed' })
  })

  it('refuses other tools, forms, large bodies and pages of other sites', async () => {
    expect((await send('rotate-pdf', redaction())).json).toMatchObject({
      error: 'not_found',
      message: 'Unknown trial. The tools are pdf-redaction and merge-pdf.',
    })
    expect((await send('pdf-redaction', 'x', { 'content-type': FORM_TYPE })).status).toBe(422)
    const large = await send('pdf-redaction', { ...redaction(), more: 'x'.repeat(20_000) })
    expect(large.json).toMatchObject({ error: 'payload_too_large', maxBytes: 16_384 })
    expect((await send('pdf-redaction', redaction(), { origin: 'https://example.com' })).status).toBe(403)
    expect((await send('pdf-redaction', redaction(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  it('limits a network to five requests an hour, and one visitor at a time', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const statuses: number[] = []
    while (statuses.length < 5) {
      const { status } = await send('pdf-redaction', redaction(), from)
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    const refused = await send('pdf-redaction', redaction(), from)
    expect(refused.status).toBe(429)
    expect(refused.json).toMatchObject({ error: 'rate_limited' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)

    const together = await Promise.all(Array.from({ length: 6 }, () => send('pdf-redaction', redaction())))
    const ended = new Set(together.map(({ status }) => status))
    expect(ended.has(200)).toBe(true)
    expect([200, 429]).toEqual(expect.arrayContaining([...ended]))
  })
})
