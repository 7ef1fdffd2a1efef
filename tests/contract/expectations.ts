import { expect } from 'vitest'
import type { ApiResponse } from './client'

interface Problem {
  status: number
  error: string
  /** What the message has to hold. */
  says?: (string | RegExp)[]
}

/** Words of our inside that no answer may hold: stacks, folders, other people's error texts. */
const INNER_DETAILS =
  /node_modules|\.(?:m?js|ts):\d|\/(?:tmp|home|root|work|usr|var)\/|\n\s+at |\bat \w+ \(|pdf-lib|busboy|\bzod\b|Unexpected token/i

/** An error body as every refusal has it. */
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

/** A fault of somebody who is known: it also tells that nothing was charged, and what is left. */
export function expectRefusal(response: ApiResponse, problem: Problem, balance: number): void {
  expectProblem(response, problem)
  expect({ charged: response.charged, balance: response.balance }).toEqual({ charged: 0, balance })
}

/** The headers of an answer that holds a file. */
export function expectFile(response: ApiResponse, contentType?: string): void {
  expect(response.status, response.bytes.toString('utf8').slice(0, 500)).toBe(200)
  if (contentType !== undefined) expect(response.headers['content-type']).toBe(contentType)
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

/** The file name of an answer, as a browser reads it. */
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
