import { listStandardEncoding } from '../cff/cff-predefined'

/** The built-in encoding of a Type 1 program: glyph names by code, and its offsets in the cleartext part. */
export interface Type1Encoding {
  isStandard: boolean
  names: ReadonlyMap<number, string>
  start: number
  end: number
}

const STANDARD = /\/Encoding\s+StandardEncoding\s+(?:readonly\s+)?def\b/
const ARRAY = /\/Encoding\s+\d+\s+array\b/
const ROW = /\bdup\s+(\d+(?:#[0-9a-zA-Z]+)?)\s*\/([^\s/<>[\](){}%]*)\s*put\b/g
const ARRAY_END = /(?<=\s)(?:readonly\s+)?def\b/g
const LIST = /\/Encoding\s*\[([^\]]*)\]\s*(?:readonly\s+)?def\b/
const LIST_NAME = /\/([^\s/<>[\](){}%]*)/g

/**
 * Finds the built-in encoding of a Type 1 program (Adobe Type 1 Font Format, 2.2). Undefined if it has none that can be
 * read.
 */
export function readType1Encoding(clear: string): Type1Encoding | undefined {
  const standard = STANDARD.exec(clear)
  if (standard) return { isStandard: true, names: listStandardEncoding(), ...placeOf(standard) }
  const list = LIST.exec(clear)
  if (list) {
    const names = [...(list[1] ?? '').matchAll(LIST_NAME)].map(([, name = ''], code) => [code, name] as const)
    return { isStandard: false, names: withoutMissing(names), ...placeOf(list) }
  }
  const array = ARRAY.exec(clear)
  return array ? readArray(clear, array.index) : undefined
}

function placeOf({ 0: text, index }: RegExpExecArray): { start: number; end: number } {
  return { start: index, end: index + text.length }
}

function readArray(clear: string, start: number): Type1Encoding | undefined {
  ARRAY_END.lastIndex = start
  const end = ARRAY_END.exec(clear)
  if (!end) return undefined
  const rows = [...clear.slice(start, end.index).matchAll(ROW)]
  const names = rows.map(([, code = '', name = '']) => [readInteger(code), name] as const)
  return { isStandard: false, names: withoutMissing(names), start, end: end.index + end[0].length }
}

function withoutMissing(names: readonly (readonly [number, string])[]): Map<number, string> {
  return new Map(names.filter(([code, name]) => code >= 0 && code < 256 && name !== '.notdef'))
}

/** Reads a PostScript integer, which may state its base: `8#101`. */
function readInteger(text: string): number {
  const [first = '', digits] = text.split('#')
  return digits === undefined ? Number(first) : Number.parseInt(digits, Math.min(Math.max(Number(first), 2), 36))
}

/** Writes the encoding as a PostScript array, sorted by code. */
export function writeType1Encoding(names: ReadonlyMap<number, string>): string {
  const rows = [...names].sort(([one], [other]) => one - other).map(([code, name]) => `dup ${code} /${name} put\n`)
  return `/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n${rows.join('')}readonly def`
}
