/**
 * Returns the lengths of the best prefix code for symbols with these counts, of which none is longer than `limit` bits.
 * Unused symbols have length 0. The code is always complete, as decoders demand: if fewer than two symbols are used, two
 * get one bit each. Merges packages of symbols (Larmore and Hirschberg).
 */
export function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length)
  const used: number[] = []
  for (let symbol = 0; symbol < counts.length; symbol++) if (counts[symbol]) used.push(symbol)
  if (used.length < 2) {
    const other = used[0] ?? 1
    lengths[other] = 1
    lengths[other === 0 ? 1 : 0] = 1
    return lengths
  }
  const order = Float64Array.from(used, symbol => (counts[symbol] as number) * 512 + symbol).sort()
  const size = order.length
  const weights = order.map(value => Math.floor(value / 512))
  // Each level has the symbols and the pairs of the level below it, sorted by weight. Only the kinds are needed later.
  const isSymbol: Uint8Array[] = []
  let pairs = new Float64Array(0)
  let pairCount = 0
  for (let level = 0; level < limit; level++) {
    const merged = new Float64Array(size + pairCount)
    const kinds = new Uint8Array(size + pairCount)
    for (let at = 0, symbol = 0, pair = 0; at < merged.length; at++) {
      if (pair >= pairCount || (symbol < size && (weights[symbol] as number) <= (pairs[pair] as number))) {
        kinds[at] = 1
        merged[at] = weights[symbol++] as number
      } else merged[at] = pairs[pair++] as number
    }
    isSymbol.push(kinds)
    pairCount = merged.length >> 1
    pairs = new Float64Array(pairCount)
    for (let pair = 0; pair < pairCount; pair++)
      pairs[pair] = (merged[pair * 2] as number) + (merged[pair * 2 + 1] as number)
  }
  let taken = size * 2 - 2
  for (let level = limit - 1; level >= 0; level--) {
    const kinds = isSymbol[level] as Uint8Array
    let symbols = 0
    for (let at = 0; at < taken; at++) symbols += kinds[at] as number
    for (let index = 0; index < symbols; index++) {
      const symbol = (order[index] as number) % 512
      lengths[symbol] = (lengths[symbol] as number) + 1
    }
    taken = (taken - symbols) * 2
  }
  return lengths
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
