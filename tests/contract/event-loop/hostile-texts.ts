/** A text that makes patterns backtrack or loops run long. */
export interface HostileText {
  name: string
  /** The text with about this many characters. */
  make(length: number): string
}

const repeat = (unit: string, length: number) => unit.repeat(Math.max(1, Math.floor(length / unit.length)))
const run = (name: string, unit: string, end = '', start = ''): HostileText => ({
  name,
  make: length => start + repeat(unit, length - start.length - end.length) + end,
})

/** Texts for the most common kinds of patterns. The first three are sent to each field alone. */
export const SHARP_TEXTS: readonly HostileText[] = [
  run('digits and a letter', '1', 'x'),
  run('open brackets', '['),
  run('letters', 'a'),
  run('spaces and a letter', ' ', 'x', 'x'),
  run('commas', '1,', 'x'),
  run('semicolons after data:', ';', '', 'data:'),
  run('dashes', 'a-', '!'),
  run('slashes', '/'),
]

/** Further texts, which are sent to all fields of a request at once. */
export const BLUNT_TEXTS: readonly HostileText[] = [
  run('digits', '1'),
  run('digits with exponents', '1e', 'x'),
  run('points', '1.', 'x'),
  run('minus signs', '-', '1'),
  run('braces', '{'),
  run('braces with names', '{date}', '{'),
  run('parentheses', '('),
  run('closing brackets', ']'),
  run('spaces', ' '),
  run('line breaks', '\n', 'x'),
  run('tabs and spaces', '\t ', 'x', 'x'),
  run('backslashes', '\\'),
  run('quotes', '"'),
  run('colons', 'a:', '!'),
  run('dots', '.'),
  run('email dots', 'a.', '@', 'a@'),
  run('at signs', '@'),
  run('percent escapes', '%41', '%'),
  run('percent signs', '%'),
  run('tags', '<a '),
  run('entities', '&#1'),
  run('equals signs', 'a=', '!'),
  run('ranges', '1-2,', 'x'),
  run('long base64', 'A', '!', 'data:image/png;base64,'),
  run('url with dots', 'a.', '', 'http://'),
  run('url with a path', '/..', '', 'https://example.com'),
  run('accents', 'e\u0301'),
  run('emoji', '\u{1F600}'),
  run('Arabic', '\u0627\u0644'),
  run('zero-width joiners', '\u{1F469}\u200D'),
  run('lone surrogates', '\uD800'),
]

export const HOSTILE_TEXTS: readonly HostileText[] = [...SHARP_TEXTS, ...BLUNT_TEXTS]
