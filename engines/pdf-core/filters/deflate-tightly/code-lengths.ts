/** Maximum number of symbols of a code. */
const MOST_SYMBOLS = 512

/** The nodes of a code tree: their counts and their parents. Kept between codes, because a block needs many. */
const WEIGHTS = new Float64Array(MOST_SYMBOLS * 2)
const PARENTS = new Uint16Array(MOST_SYMBOLS * 2)
const DEPTHS = new Uint8Array(MOST_SYMBOLS * 2)
const ORDER = new Float64Array(MOST_SYMBOLS)

/**
 * Returns the lengths of the best prefix code for symbols with these counts, of which none is longer than `limit` bits.
 * Unused symbols have length 0. The code is always complete, as decoders demand: if fewer than two symbols are used, two
 * get one bit each.
 */
export function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  let size = 0
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol] as number
    if (count > 0) ORDER[size++] = count * MOST_SYMBOLS + symbol
  }
  const lengths = new Uint8Array(counts.length)
  if (size < 2) {
    const used = size === 0 ? 0 : (ORDER[0] as number) % MOST_SYMBOLS
    lengths[used] = 1
    lengths[used === 0 ? 1 : 0] = 1
    return lengths
  }
  const order = ORDER.subarray(0, size).sort()
  if (!assignDepths(order, lengths, limit)) assignLimited(order, lengths, limit)
  return lengths
}

/** Assigns lengths without a limit (Huffman). Returns false if one is too long. `order` is sorted by count. */
function assignDepths(order: Float64Array, lengths: Uint8Array, limit: number): boolean {
  const size = order.length
  for (let at = 0; at < size; at++) WEIGHTS[at] = Math.floor((order[at] as number) / MOST_SYMBOLS)
  const root = size * 2 - 2
  // Symbols are sorted, and joined nodes get heavier and heavier. So the lightest node is first in one of both.
  for (let node = size, symbol = 0, joined = size; node <= root; node++) {
    let weight = 0
    for (let side = 0; side < 2; side++) {
      const isSymbol = symbol < size && (joined >= node || (WEIGHTS[symbol] as number) <= (WEIGHTS[joined] as number))
      const lightest = isSymbol ? symbol++ : joined++
      weight += WEIGHTS[lightest] as number
      PARENTS[lightest] = node
    }
    WEIGHTS[node] = weight
  }
  DEPTHS[root] = 0
  for (let node = root - 1; node >= 0; node--) {
    const depth = (DEPTHS[PARENTS[node] as number] as number) + 1
    DEPTHS[node] = depth
    if (node >= size) continue
    if (depth > limit) return false
    lengths[(order[node] as number) % MOST_SYMBOLS] = depth
  }
  return true
}

/** Assigns lengths of at most `limit` by merging packages of symbols (Larmore and Hirschberg). */
function assignLimited(order: Float64Array, lengths: Uint8Array, limit: number): void {
  const size = order.length
  // Each level has the symbols and the pairs of the level below it, sorted by weight. Only the kinds are needed later.
  const isSymbol: Uint8Array[] = []
  let pairs = new Float64Array(0)
  for (let level = 0; level < limit; level++) {
    const merged = new Float64Array(size + pairs.length)
    const kinds = new Uint8Array(merged.length)
    for (let at = 0, symbol = 0, pair = 0; at < merged.length; at++) {
      if (pair >= pairs.length || (symbol < size && (WEIGHTS[symbol] as number) <= (pairs[pair] as number))) {
        kinds[at] = 1
        merged[at] = WEIGHTS[symbol++] as number
      } else merged[at] = pairs[pair++] as number
    }
    isSymbol.push(kinds)
    pairs = new Float64Array(merged.length >> 1)
    for (let pair = 0; pair < pairs.length; pair++)
      pairs[pair] = (merged[pair * 2] as number) + (merged[pair * 2 + 1] as number)
  }
  lengths.fill(0)
  let taken = size * 2 - 2
  for (let level = limit - 1; level >= 0; level--) {
    const kinds = isSymbol[level] as Uint8Array
    let symbols = 0
    for (let at = 0; at < taken; at++) symbols += kinds[at] as number
    for (let index = 0; index < symbols; index++) {
      const symbol = (order[index] as number) % MOST_SYMBOLS
      lengths[symbol] = (lengths[symbol] as number) + 1
    }
    taken = (taken - symbols) * 2
  }
}

/** Returns the codes of symbols with these lengths (RFC 1951, 3.2.2), with the first bit lowest, as they are written. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const next = new Uint16Array(17)
  for (const length of lengths) if (length > 0) next[length + 1] = (next[length + 1] as number) + 1
  for (let length = 1; length < 17; length++)
    next[length] = ((next[length] as number) + (next[length - 1] as number)) << 1
  const codes = new Uint16Array(lengths.length)
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number
    if (length === 0) continue
    const code = next[length] as number
    next[length] = code + 1
    let reversed = 0
    for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit)
    codes[symbol] = reversed
  }
  return codes
}
