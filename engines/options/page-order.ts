// The browser shows these orders with the same code, so this file imports nothing.

/** The predefined orders of `organize-pdf`. */
export const PRESET_ORDERS = ['reverse', 'odd-even', 'duplex', 'interleave-halves', 'duplicate', 'booklet'] as const

export type PresetOrder = (typeof PRESET_ORDERS)[number]

/** Returns the number of blank pages that the order for a booklet first adds at the end. */
export function bookletBlanks(pageCount: number): number {
  return (4 - (pageCount % 4)) % 4
}

/** Returns the new order of all pages, as zero-based positions. For a booklet, `pageCount` includes the blank pages. */
export function arrangePages(preset: PresetOrder, pageCount: number, times: number): number[] {
  const all = Array.from({ length: pageCount }, (_, index) => index)
  const half = Math.ceil(pageCount / 2)
  const back = all.slice(half)
  const alternate = (others: number[]): number[] =>
    all.slice(0, half).flatMap((index, at) => [index, ...others.slice(at, at + 1)])
  switch (preset) {
    case 'reverse':
      return all.reverse()
    case 'odd-even':
      return [...all.filter(index => index % 2 === 0), ...all.filter(index => index % 2 === 1)]
    case 'duplex':
      return alternate(back.reverse())
    case 'interleave-halves':
      return alternate(back)
    case 'duplicate':
      return all.flatMap(index => Array.from({ length: times }, () => index))
    case 'booklet':
      return all
        .slice(0, half)
        .flatMap(index => (index % 2 === 0 ? [pageCount - 1 - index, index] : [index, pageCount - 1 - index]))
  }
}
