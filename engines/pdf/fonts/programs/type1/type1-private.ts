import { DamagedFontError } from '../font-data'
import { decryptCharstring } from './type1-crypt'
import { toBytes } from './type1-parts'

/** The private part of a Type 1 program. Text outside its lists is unchanged. */
export interface Type1Private {
  lenIV: number
  /** Text before `/Subrs`, or before `/CharStrings` if there are no subroutines. */
  beforeSubrs: string
  subrs: ReadonlyMap<number, Uint8Array>
  subrCount: number
  /** Text from the last subroutine to `/CharStrings`. Undefined if there are no subroutines. */
  beforeChars: string | undefined
  charStrings: ReadonlyMap<string, Uint8Array>
  /** Text from the last charstring to `closefile`, or the usual text there. */
  tail: string
  words: Words
}

/** The program's names for the operators that read binary data, and that store a subroutine or a charstring. */
interface Words {
  read: string
  putSubr: string
  putChar: string
}

/** Limits that no real font comes close to. */
const MOST_ENTRIES = 65_536
const MOST_LEN_IV = 64

const LEN_IV = /\/lenIV\s+(-?\d+)/
const SUBRS = /\/Subrs\s+(\d+)\s+array\b/g
const OTHER_SUBRS_LIST = /\/Subrs\b(?!\s*\[\s*\])/
const CHARS = /\/CharStrings\s+(\d+)\s+dict\s+dup\s+begin\b/g
const SUBR = /\s*dup\s+(\d+)\s+(\d+)\s+(RD|-\||[^\s/]+)[ \r\n\t]/y
const CHAR = /\s*\/([^\s/<>[\](){}%]*)\s+(\d+)\s+(RD|-\||[^\s/]+)[ \r\n\t]/y
const AFTER_SUBR = /\s*((?:noaccess|readonly)\s+put|put|NP|\||[^\s/]+)/y
const AFTER_CHAR = /\s*((?:noaccess|readonly)\s+def|def|ND|\|-|[^\s/]+)/y
const END = /\s*end\b/y
const TAIL = /\s*end\b[\x20-\x7e\r\n\t]{0,400}?\bclosefile\b/y

/** The usual text that ends the dictionaries and the private part. */
const USUAL_TAIL =
  'end\nend\nreadonly put\nnoaccess put\ndup/FontName get exch definefont pop\nmark currentfile closefile'

/**
 * Reads the private part of a Type 1 program (Adobe Type 1 Font Format, 2.4). Throws `DamagedFontError` if the program
 * is cut off or has its lists twice, such as for two resolutions.
 */
export function readPrivate(text: string): Type1Private {
  SUBRS.lastIndex = 0
  CHARS.lastIndex = 0
  const subrsFound = SUBRS.exec(text)
  const firstChars = CHARS.exec(text)
  const words: Words = { read: 'RD', putSubr: 'NP', putChar: 'ND' }
  const hasSubrs = subrsFound !== null && (firstChars === null || subrsFound.index < firstChars.index)
  const lenIV = Number(LEN_IV.exec(text.slice(0, subrsFound?.index ?? firstChars?.index))?.[1] ?? 4)
  if (lenIV > MOST_LEN_IV) throw new DamagedFontError('lenIV is too large')
  const list = hasSubrs
    ? readSubrs(text, { at: subrsFound.index + subrsFound[0].length, lenIV, words })
    : { subrs: new Map<number, Uint8Array>(), end: 0 }
  CHARS.lastIndex = list.end
  const charsFound = CHARS.exec(text)
  if (!charsFound) throw new DamagedFontError('the program has no charstrings')
  const { charStrings, end } = readChars(text, { at: charsFound.index + charsFound[0].length, lenIV, words })
  assertSingle(text, end)
  const head = text.slice(0, hasSubrs ? subrsFound.index : charsFound.index)
  if (OTHER_SUBRS_LIST.test(head)) throw new DamagedFontError('the list of subroutines is written in an unknown way')
  return {
    lenIV,
    beforeSubrs: head,
    subrs: list.subrs,
    subrCount: hasSubrs ? Math.min(Number(subrsFound[1]), MOST_ENTRIES) : 0,
    beforeChars: hasSubrs ? text.slice(list.end, charsFound.index) : undefined,
    charStrings,
    tail: matchAt(TAIL, text, end)?.[0].trimStart() ?? USUAL_TAIL,
    words,
  }
}

interface ListStart {
  at: number
  lenIV: number
  words: Words
}

function readSubrs(text: string, { at, lenIV, words }: ListStart): { subrs: Map<number, Uint8Array>; end: number } {
  const subrs = new Map<number, Uint8Array>()
  let end = at
  for (let row = matchAt(SUBR, text, end); row && subrs.size < MOST_ENTRIES; row = matchAt(SUBR, text, end)) {
    const [, number = '', length = '', read = 'RD'] = row
    const { bytes, next } = readBinary(text, end + row[0].length, { length, lenIV })
    if (!subrs.has(Number(number))) subrs.set(Number(number), bytes)
    const after = matchAt(AFTER_SUBR, text, next)
    if (!after) throw new DamagedFontError('the list of subroutines is cut off')
    Object.assign(words, { read, putSubr: after[1] })
    end = next + after[0].length
  }
  return { subrs, end }
}

function readChars(text: string, start: ListStart): { charStrings: Map<string, Uint8Array>; end: number } {
  const { at, lenIV, words } = start
  const charStrings = new Map<string, Uint8Array>()
  let end = at
  for (let row = matchAt(CHAR, text, end); row && charStrings.size < MOST_ENTRIES; row = matchAt(CHAR, text, end)) {
    const [, name = '', length = '', read = 'RD'] = row
    const { bytes, next } = readBinary(text, end + row[0].length, { length, lenIV })
    if (!charStrings.has(name)) charStrings.set(name, bytes)
    const after = matchAt(AFTER_CHAR, text, next)
    if (!after) throw new DamagedFontError('the list of charstrings is cut off')
    Object.assign(words, { read, putChar: after[1] })
    end = next + after[0].length
  }
  if (charStrings.size > 0 && matchAt(END, text, end)) return { charStrings, end }
  throw new DamagedFontError('the list of charstrings has no end')
}

function readBinary(
  text: string,
  start: number,
  { length, lenIV }: { length: string; lenIV: number },
): { bytes: Uint8Array; next: number } {
  const next = start + Number(length)
  if (next > text.length) throw new DamagedFontError('a charstring is cut off')
  if (Number(length) < Math.max(lenIV, 0)) throw new DamagedFontError('a charstring is too short')
  return { bytes: decryptCharstring(toBytes(text.slice(start, next)), lenIV), next }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function assertSingle(text: string, end: number): void {
  SUBRS.lastIndex = end
  CHARS.lastIndex = end
  if (SUBRS.test(text) || CHARS.test(text)) throw new DamagedFontError('the program has its charstrings twice')
}
