import { expect } from 'vitest'
import type { ApiResponse } from './client'

interface Problem {
  status: number
  error: string
  /** Text that the message must contain. */
  says?: (string | RegExp)[]
}

/** Internal text that no response may contain: stack traces, folders, error messages of libraries. */
const INNER_DETAILS =
  /node_modules|\.(?:m?js|ts):\d|\/(?:tmp|home|root|work|usr|var)\/|\n\s+at |\bat \w+ \(|pdf-lib|busboy|\bzod\b|Unexpected token/i

/** Expects the error body that every refusal has. */
export function expectProblem(response: ApiResponse, { status, error, says = [] }: Problem): void {
  expect(
    { status: response.status, error: response.json['error'] },
    `${response.status} ${response.bytes.toString('utf8').slice(0, 500)}`,
  ).toEqual({ status, error })
  const { message } = response.json
  expect(message).toBeTypeOf('string')
  expect(String(message).length).toBeGreaterThan(10)
  for (const words of says) expect(message).toMatch(words)
  expect(response.requestId).toMatch(/^req_\w{8,}$/)
  expect(response.json['requestId']).toBe(response.requestId)
  expect(response.bytes.toString('utf8').replace(response.requestId, '')).not.toMatch(INNER_DETAILS)
  expect(response.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-length': String(response.bytes.length),
  })
  expect(response.headers['cache-control']).toContain('no-store')
  expectNoBrowserHeaders(response)
}

/** Expects an error of an authenticated request: the response also states a charge of zero and the balance. */
export function expectRefusal(response: ApiResponse, problem: Problem, balance: number): void {
  expectProblem(response, problem)
  expect({ charged: response.charged, balance: response.balance }).toEqual({ charged: 0, balance })
}

/** Expects the headers of a response with a file. */
export function expectFile(response: ApiResponse, contentType?: string): void {
  expect(response.status, response.bytes.toString('utf8').slice(0, 500)).toBe(200)
  if (contentType !== undefined)
    expect([contentType, `${contentType}; charset=utf-8`]).toContain(response.headers['content-type'])
  expect(response.headers['content-disposition']).toMatch(
    /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.!#$&+^`|~-]+$/,
  )
  expect(response.headers['x-content-type-options']).toBe('nosniff')
  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.headers['content-length']).toBe(String(response.bytes.length))
  expect(response.headers['server-timing']).toMatch(/^[a-z-]+;dur=\d+(\.\d+)?(, [a-z-]+;dur=\d+(\.\d+)?)*$/)
  expect(response.requestId).toMatch(/^req_\w{8,}$/)
  expect(response.balance).toSatisfy(Number.isSafeInteger)
  expectNoBrowserHeaders(response)
}

/** The file name of a response, as a browser reads it. */
export function readFileName(response: ApiResponse): string {
  const encoded = /filename\*=UTF-8''(.+)$/.exec(String(response.headers['content-disposition']))?.[1]
  if (encoded === undefined) throw new Error('the answer names no file')
  return decodeURIComponent(encoded)
}

function expectNoBrowserHeaders({ headers }: ApiResponse): void {
  const foreign = Object.keys(headers).filter(
    name => name.startsWith('access-control-') || name === 'set-cookie' || name === 'x-powered-by',
  )
  expect(foreign).toEqual([])
}
