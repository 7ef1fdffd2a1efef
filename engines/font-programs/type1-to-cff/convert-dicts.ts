import { addEntry, DictKey } from '../cff/cff-dict'
import type { DictEntry } from '../cff/cff-dict'
import { STANDARD_STRINGS } from '../cff/standard-strings'
import { DamagedFontError } from '../font-data'
import { MOST_CHARACTERS, readValues } from './postscript-values'
import type { PostScriptValue } from './postscript-values'

/** Entries of a Top DICT that are strings, with their names in Type 1 (Adobe Technical Note 5176, 9). */
const STRINGS: readonly (readonly [string, number])[] = [
  ['version', DictKey.version],
  ['Notice', DictKey.notice],
  ['Copyright', DictKey.copyright],
  ['FullName', DictKey.fullName],
  ['FamilyName', DictKey.familyName],
  ['Weight', DictKey.weight],
]

/** Entries that are one number or a boolean: their names in Type 1, operators and default values. */
type Plain = readonly (readonly [string, number, number])[]
const TOP_NUMBERS: Plain = [
  ['isFixedPitch', 1201, 0],
  ['ItalicAngle', 1202, 0],
  ['UnderlinePosition', 1203, -100],
  ['UnderlineThickness', 1204, 50],
]
const PRIVATE_NUMBERS: Plain = [
  ['BlueScale', 1209, 0.039625],
  ['BlueShift', 1210, 7],
  ['BlueFuzz', 1211, 1],
  ['ForceBold', 1214, 0],
  ['LanguageGroup', 1217, 0],
  ['ExpansionFactor', 1218, 0.06],
]

/** Entries of a Private DICT that are delta arrays: their names in Type 1, operators and maximum lengths (15). */
const PRIVATE_LISTS: readonly (readonly [string, number, number])[] = [
  ['BlueValues', 6, 14],
  ['OtherBlues', 7, 10],
  ['FamilyBlues', 8, 14],
  ['FamilyOtherBlues', 9, 10],
  ['StemSnapH', 1212, 12],
  ['StemSnapV', 1213, 12],
]
const BLUES: ReadonlySet<number> = new Set([6, 7, 8, 9])

/** Stem widths. Type 1 writes them as arrays of one number. */
const WIDTHS: readonly (readonly [string, number])[] = [
  ['StdHW', 10],
  ['StdVW', 11],
]

/** Matches keys of programs whose glyphs depend on more than their charstrings, such as multiple master fonts. */
const UNUSUAL = /\/(?:WeightVector|Blend\w*|Metrics2?|CDevProc|NormalizeDesignVector)\b/

const USUAL_SCALE = 0.001

/** The dictionaries of a Type 1 program, converted for CFF. */
export interface ConvertedDicts {
  name: string
  top: Map<number, DictEntry>
  private: Map<number, DictEntry>
  /** Strings of the Top DICT. Their string numbers follow the last standard string. */
  strings: readonly string[]
}

/**
 * Converts the dictionaries of a Type 1 program (Adobe Type 1 Font Format, 2 and 5). Removes UniqueID and XUID. Throws
 * `DamagedFontError` for values that CFF can't hold, and for programs whose glyphs depend on more than charstrings.
 */
export function convertDicts(clear: string, hidden: string): ConvertedDicts {
  if (UNUSUAL.test(clear)) throw new DamagedFontError('the program has more than charstrings')
  const keys = [...STRINGS, ...TOP_NUMBERS].map(([key]) => key)
  const values = readValues(clear, new Set([...keys, 'FontMatrix', 'FontBBox', 'PaintType', 'FontType']))
  if ((values.get('PaintType') ?? 0) !== 0 || (values.get('FontType') ?? 1) !== 1)
    throw new DamagedFontError('the program is not of filled outlines')
  const strings: string[] = []
  const top = new Map<number, DictEntry>()
  for (const [key, number] of STRINGS) {
    const text = values.get(key)
    if (typeof text !== 'string' || text.length > MOST_CHARACTERS) continue
    strings.push(text)
    addEntry(top, number, [STANDARD_STRINGS.length + strings.length - 1])
  }
  addNumbers(top, TOP_NUMBERS, values)
  addMatrix(top, values.get('FontMatrix'))
  const box = values.get('FontBBox')
  if (Array.isArray(box) && box.length === 4) addEntry(top, DictKey.fontBox, box)
  return { name: readName(clear), top, private: convertPrivate(hidden), strings }
}

function convertPrivate(hidden: string): Map<number, DictEntry> {
  const keys = [...PRIVATE_LISTS, ...WIDTHS, ...PRIVATE_NUMBERS].map(([key]) => key)
  const values = readValues(hidden, new Set(keys))
  const dict = new Map<number, DictEntry>()
  for (const [key, number, most] of PRIVATE_LISTS) {
    const list = values.get(key)
    if (!Array.isArray(list) || list.length === 0) continue
    if (list.length > most || (BLUES.has(number) && list.length % 2 === 1))
      throw new DamagedFontError('a list of the private dictionary is too long')
    addEntry(
      dict,
      number,
      list.map((value: number, index) => cleanDifference(value, list[index - 1] ?? 0)),
    )
  }
  for (const [key, number] of WIDTHS) {
    const width = values.get(key)
    const [only] = Array.isArray(width) ? (width as number[]) : [width]
    if (typeof only === 'number') addEntry(dict, number, [only])
  }
  addNumbers(dict, PRIVATE_NUMBERS, values)
  return dict
}

/** Returns the difference without floating-point errors. */
function cleanDifference(value: number, before: number): number {
  return Number((value - before).toFixed(6))
}

function addNumbers(dict: Map<number, DictEntry>, plain: Plain, values: ReadonlyMap<string, PostScriptValue>): void {
  for (const [key, number, usual] of plain) {
    const value = values.get(key)
    const operand = typeof value === 'boolean' ? Number(value) : value
    if (typeof operand === 'number' && operand !== usual) addEntry(dict, number, [operand])
  }
}

/**
 * Accepts only matrices that all readers treat alike: with the usual vertical scale, and possibly wider or slanted
 * glyphs.
 */
function addMatrix(top: Map<number, DictEntry>, matrix: PostScriptValue | undefined): void {
  const isRead = Array.isArray(matrix) && matrix.length === 6
  if (!isRead) throw new DamagedFontError('the program has no matrix')
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number]
  const isUsual = b === 0 && d === USUAL_SCALE && e === 0 && f === 0 && a > USUAL_SCALE / 4 && a < USUAL_SCALE * 4
  if (!isUsual || Math.abs(c) > USUAL_SCALE) throw new DamagedFontError('the matrix of the program is unusual')
  if (a !== USUAL_SCALE || c !== 0) addEntry(top, DictKey.fontMatrix, [a, b, c, d, e, f])
}

function readName(clear: string): string {
  return /\/FontName\s*\/([!-~]{1,63}?)(?=[\s/<>[\](){}%])/.exec(clear)?.[1] ?? 'Font'
}
