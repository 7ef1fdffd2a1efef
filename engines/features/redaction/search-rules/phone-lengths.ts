/** Minimum and maximum number of digits after a country code (numbering plans of the ITU-T, E.164). */
const LENGTHS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  1: [10, 10],
  7: [10, 10],
  20: [8, 10],
  27: [9, 9],
  30: [10, 10],
  31: [9, 9],
  32: [8, 9],
  33: [9, 9],
  34: [9, 9],
  36: [8, 9],
  39: [6, 11],
  40: [9, 9],
  41: [9, 9],
  43: [5, 12],
  44: [9, 10],
  45: [8, 8],
  46: [7, 9],
  47: [8, 8],
  48: [9, 9],
  49: [6, 12],
  51: [8, 9],
  52: [10, 11],
  53: [8, 8],
  54: [10, 11],
  55: [10, 11],
  56: [9, 9],
  57: [8, 10],
  58: [10, 10],
  60: [8, 10],
  61: [9, 9],
  62: [8, 12],
  63: [8, 10],
  64: [8, 10],
  65: [8, 8],
  66: [8, 9],
  81: [9, 10],
  82: [8, 10],
  84: [9, 10],
  86: [10, 11],
  90: [10, 10],
  91: [10, 10],
  92: [9, 10],
  93: [9, 9],
  94: [9, 9],
  95: [7, 10],
  98: [10, 10],
  351: [9, 9],
  352: [6, 9],
  353: [7, 9],
  354: [7, 7],
  356: [8, 8],
  357: [8, 8],
  358: [6, 11],
  359: [8, 9],
  370: [8, 8],
  371: [8, 8],
  372: [7, 8],
  380: [9, 9],
  381: [8, 9],
  385: [8, 9],
  386: [8, 8],
  420: [9, 9],
  421: [9, 9],
  423: [7, 9],
  852: [8, 8],
  886: [8, 9],
  966: [9, 9],
  971: [8, 9],
  972: [8, 9],
}

/** Country codes of one digit and of two digits. All others have three (ITU-T E.164). */
const ONE = new Set(['1', '7'])
const TWO = new Set(
  (
    '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 ' +
    '90 91 92 93 94 95 98'
  ).split(' '),
)

/** Returns the country code that digits begin with, and the valid number of digits after it. */
export function internationalLengths(digits: string): { code: string; least: number; most: number } {
  const code = ONE.has(digits.slice(0, 1))
    ? digits.slice(0, 1)
    : TWO.has(digits.slice(0, 2))
      ? digits.slice(0, 2)
      : digits.slice(0, 3)
  const [least, most] = LENGTHS[code] ?? [6, 11]
  return { code, least, most }
}
