/** Number of symbols for literals and lengths (RFC 1951, 3.2.5). */
export const LITERAL_SYMBOLS = 286
/** Number of symbols for distances. */
export const DISTANCE_SYMBOLS = 30

/** The symbol that ends a block. */
export const END_OF_BLOCK = 256
/** The symbol of the least length. */
export const FIRST_LENGTH_SYMBOL = 257

/** The least length of a match, in bytes. */
export const LEAST_LENGTH = 3
/** The greatest length of a match, in bytes. */
export const MOST_LENGTH = 258

/** The greatest distance of a match, in bytes. */
export const MOST_DISTANCE = 32_768

/** The number of extra bits of each length symbol, counted from the first one. */
export const LENGTH_EXTRA = new Uint8Array(29)
/** The least length of each length symbol, counted from the first one. */
export const LENGTH_BASE = new Uint16Array(29)

/** The number of extra bits of each distance symbol. */
export const DISTANCE_EXTRA = new Uint8Array(DISTANCE_SYMBOLS)
/** The least distance of each distance symbol. */
export const DISTANCE_BASE = new Uint16Array(DISTANCE_SYMBOLS)

/** The symbol of each length, counted from the first one. */
export const LENGTH_SLOT = new Uint8Array(MOST_LENGTH + 1)

const NEAR_SLOT = new Uint8Array(256)
const FAR_SLOT = new Uint8Array(256)

for (let slot = 0, length = LEAST_LENGTH; slot < 28; slot++) {
  const extra = slot < 8 ? 0 : (slot >> 2) - 1
  LENGTH_EXTRA[slot] = extra
  LENGTH_BASE[slot] = length
  LENGTH_SLOT.fill(slot, length, length + (1 << extra))
  length += 1 << extra
}
// The greatest length has a symbol of its own.
LENGTH_BASE[28] = MOST_LENGTH
LENGTH_SLOT[MOST_LENGTH] = 28

for (let slot = 0, distance = 1; slot < DISTANCE_SYMBOLS; slot++) {
  const extra = slot < 4 ? 0 : (slot >> 1) - 1
  DISTANCE_EXTRA[slot] = extra
  DISTANCE_BASE[slot] = distance
  const end = distance + (1 << extra)
  // From 257 on, symbols begin after multiples of 128.
  if (distance <= 256) NEAR_SLOT.fill(slot, distance - 1, end - 1)
  else FAR_SLOT.fill(slot, (distance - 1) >> 7, (end - 1) >> 7)
  distance = end
}

/** Returns the symbol of a distance in bytes. */
export function distanceSlot(distance: number): number {
  return (distance <= 256 ? NEAR_SLOT[distance - 1] : FAR_SLOT[(distance - 1) >> 7]) as number
}
