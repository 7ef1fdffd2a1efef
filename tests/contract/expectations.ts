import { expect } from 'vitest'
import type { Answer } from './client'

interface Fault {
  status: number
  error: string
  /** What the message has to hold. */
  says?: (string | RegExp)[]
}

/** Words of our inside that no answer may hold: stacks, folders, other people's error texts. */
const INNER_DETAILS =
  /node_modules|\.(?:m?js|ts):\d|\/(?:tmp|home|root|work|usr|var)\/|\n\s+at |\bat \w+ \(|pdf-lib|busboy|\bzod\b|Unexpected token/i

/** An error body as every refusal has it. */
export function expectFault(answer: Answer, { status, error, says = [] }: Fault): void {
  expect(
    { status: answer.status, error: answer.json['error'] },
    `${answer.status} ${answer.bytes.toString('utf8').slice(0, 500)}`,
  ).toEqual({ status, error })
  const { message } = answer.json
  expect(message).toBeTypeOf('string')
  expect(String(message).length).toBeGreaterThan(10)
  for (const words of says) expect(message).toMatch(words)
  expect(answer.requestId).toMatch(/^req_\w{8,}$/)
  expect(answer.json['requestId']).toBe(answer.requestId)
  expect(answer.bytes.toString('utf8').replace(answer.requestId, '')).not.toMatch(INNER_DETAILS)
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-length': String(answer.bytes.length),
  })
  expect(answer.headers['cache-control']).toContain('no-store')
  expectNoBrowserHeaders(answer)
}

/** A fault of somebody who is known: it also tells that nothing was charged, and what is left. */
export function expectRefusal(answer: Answer, fault: Fault, balance: number): void {
  expectFault(answer, fault)
  expect({ charged: answer.charged, balance: answer.balance }).toEqual({ charged: 0, balance })
}

/** The headers of an answer that holds a file. */
export function expectFile(answer: Answer, contentType?: string): void {
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(200)
  if (contentType !== undefined) expect(answer.headers['content-type']).toBe(contentType)
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.!#$&+^`|~-]+$/,
  )
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
  expect(answer.headers['server-timing']).toMatch(/^[a-z-]+;dur=\d+(\.\d+)?(, [a-z-]+;dur=\d+(\.\d+)?)*$/)
  expect(answer.requestId).toMatch(/^req_\w{8,}$/)
  expect(answer.balance).toSatisfy(Number.isSafeInteger)
  expectNoBrowserHeaders(answer)
}

/** The file name of an answer, as a browser reads it. */
export function readFileName(answer: Answer): string {
  const encoded = /filename\*=UTF-8''(.+)$/.exec(String(answer.headers['content-disposition']))?.[1]
  if (encoded === undefined) throw new Error('the answer names no file')
  return decodeURIComponent(encoded)
}

function expectNoBrowserHeaders({ headers }: Answer): void {
  const foreign = Object.keys(headers).filter(
    name => name.startsWith('access-control-') || name === 'set-cookie' || name === 'x-powered-by',
  )
  expect(foreign).toEqual([])
}
