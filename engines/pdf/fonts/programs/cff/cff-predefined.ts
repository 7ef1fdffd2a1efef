import { STANDARD_STRINGS } from './standard-strings'

/** A run in which codes and string numbers rise together: first code, first string number, count. */
type Run = readonly [number, number, number]

/** The standard encoding (Adobe Technical Note 5176, appendix B). */
const STANDARD_RUNS: readonly Run[] = [
  [32, 1, 95],
  [161, 96, 15],
  [177, 111, 4],
  [182, 115, 8],
  [191, 123, 1],
  [193, 124, 8],
  [202, 132, 2],
  [205, 134, 4],
  [225, 138, 1],
  [227, 139, 1],
  [232, 140, 4],
  [241, 144, 1],
  [245, 145, 1],
  [248, 146, 4],
]

/** The expert encoding (appendix B). */
const EXPERT_RUNS: readonly Run[] = [
  [32, 1, 1],
  [33, 229, 2],
  [36, 231, 8],
  [44, 13, 3],
  [47, 99, 1],
  [48, 239, 10],
  [58, 27, 2],
  [60, 249, 4],
  [65, 253, 5],
  [73, 258, 1],
  [76, 259, 4],
  [82, 263, 3],
  [86, 266, 1],
  [87, 109, 2],
  [89, 267, 3],
  [93, 270, 34],
  [161, 304, 3],
  [166, 307, 5],
  [172, 312, 1],
  [175, 313, 1],
  [178, 314, 2],
  [182, 316, 3],
  [188, 158, 1],
  [189, 155, 1],
  [190, 163, 1],
  [191, 319, 7],
  [200, 326, 1],
  [201, 150, 1],
  [202, 164, 1],
  [203, 169, 1],
  [204, 327, 52],
]

/** First and last string numbers of each run in the predefined charsets, in glyph order (appendix C). */
const ISO_ADOBE = [[0, 228]] as const
const EXPERT = [
  [0, 1],
  [229, 238],
  [13, 15],
  [99, 99],
  [239, 248],
  [27, 28],
  [249, 266],
  [109, 110],
  [267, 318],
  [158, 158],
  [155, 155],
  [163, 163],
  [319, 326],
  [150, 150],
  [164, 164],
  [169, 169],
  [327, 378],
] as const
const EXPERT_SUBSET = [
  [0, 1],
  [231, 232],
  [235, 238],
  [13, 15],
  [99, 99],
  [239, 248],
  [27, 28],
  [249, 251],
  [253, 266],
  [109, 110],
  [267, 270],
  [272, 272],
  [300, 302],
  [305, 305],
  [314, 315],
  [158, 158],
  [155, 155],
  [163, 163],
  [320, 326],
  [150, 150],
  [164, 164],
  [169, 169],
  [327, 346],
] as const

/** Returns the string number of each code in the standard (0) or the expert (1) encoding. */
export function listPredefinedEncoding(number: 0 | 1): Map<number, number> {
  const strings = new Map<number, number>()
  for (const [code, string, count] of number === 0 ? STANDARD_RUNS : EXPERT_RUNS)
    for (let index = 0; index < count; index++) strings.set(code + index, string + index)
  return strings
}

/** Lists the string numbers of the charset ISOAdobe (0), Expert (1) or ExpertSubset (2), in glyph order. */
export function listPredefinedCharset(number: 0 | 1 | 2): number[] {
  const runs = [ISO_ADOBE, EXPERT, EXPERT_SUBSET][number] as readonly (readonly [number, number])[]
  return runs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
}

/** Returns the glyph names of the standard encoding by code (ISO 32000-2, annex D.2). */
export function listStandardEncoding(): Map<number, string> {
  const strings = [...listPredefinedEncoding(0)]
  return new Map(strings.map(([code, string]) => [code, STANDARD_STRINGS[string] ?? ''] as const))
}
