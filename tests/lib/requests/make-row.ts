import { randomInt } from 'node:crypto'
import type { RequestRow } from '../../../db/queries/request-log'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A request ID as Sheaf generates it. */
export function makeRequestId(): string {
  return `req_${Array.from({ length: 22 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
}

/** A successful request as the log receives it. `overrides` replaces members. */
export function makeRow(members: Partial<RequestRow> = {}): RequestRow {
  return {
    id: makeRequestId(),
    accountId: 'account',
    at: new Date().toISOString(),
    operation: 'pdf-tools/rotate-pdf',
    via: 'api',
    status: 200,
    error: null,
    reason: null,
    message: null,
    steps: null,
    param: null,
    ms: 12,
    engineMs: 5,
    bytesIn: 1000,
    bytesOut: 900,
    credits: 1,
    replayed: false,
    delivered: true,
    browserOrigin: false,
    hasIdempotencyKey: false,
    keyId: null,
    keyLast4: 'x7Qd',
    address: '203.0.113.0/24',
    agent: 'curl/8.5.0',
    phases: [20, 10, 5, 0, 15, null, null, null, null, 0, 5, 10, 30, 10, null, 5, 10],
    ...members,
  }
}
