import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 22

/** Random bytes in stock: asking the system for a few of them each time costs more than the rest of an id. */
const stock = Buffer.alloc(LENGTH * 128)
let used = stock.length

/** A new id of a request: `req_` and 22 base62 characters. */
export function createRequestId(): string {
  if (used === stock.length) {
    randomFillSync(stock)
    used = 0
  }
  let id = 'req_'
  // The slight preference for some letters harms no id.
  for (const byte of stock.subarray(used, (used += LENGTH))) id += ALPHABET[byte % ALPHABET.length]
  return id
}
