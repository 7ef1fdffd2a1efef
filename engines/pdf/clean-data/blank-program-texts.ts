import { openCff } from '../fonts/programs/cff/cff'
import { DictKey } from '../fonts/programs/cff/cff-dict'
import { readIndex } from '../fonts/programs/cff/cff-index'
import { STANDARD_STRINGS } from '../fonts/programs/cff/standard-strings'
import { FontData, readUnlessDamaged } from '../fonts/programs/font-data'

const [SPACE, LINE_FEED, LETTER] = [0x20, 0x0a, 0x41]

/** The first words of a Type 1 program, by which readers know it. */
const HEAD = /^\s*%![A-Za-z]+(?:-[A-Za-z]+)?-?[\d.]*/

/** The last word of a Type 1 program. */
const LAST_WORD = 'cleartomark'

/** Comments, and strings of one level. The clear part has no other strings. */
const TEXTS = /%[^\r\n]*|\([^()]*\)/g

/**
 * Overwrites the notices and names of a CFF program, which no glyph uses, with blanks of the same length. Changes the
 * bytes in place.
 */
export function blankCffTexts(bytes: Uint8Array): void {
  const program = openCff(bytes)
  if (!program) return
  const { top, charset } = program.content
  const used = new Set<number>(program.isCid ? [] : charset)
  for (const number of top.get(DictKey.ros)?.operands ?? []) used.add(number)
  readUnlessDamaged(() => {
    const data = new FontData(bytes)
    const names = readIndex(data, data.u8(2))
    const strings = readIndex(data, readIndex(data, names.end).end)
    for (let index = 0; index < names.count; index++) names.get(index).fill(LETTER)
    for (let index = 0; index < strings.count; index++)
      if (!used.has(index + STANDARD_STRINGS.length)) strings.get(index).fill(SPACE)
  })
}

/**
 * Overwrites the comments and notices in the clear part of a Type 1 program with blanks of the same length, and what
 * follows its last word. Changes the bytes in place.
 */
export function blankType1Texts(bytes: Buffer): void {
  const text = bytes.toString('latin1')
  const end = text.search(/\beexec\b/)
  const head = HEAD.exec(text)?.[0].length
  if (end < 0 || head === undefined) return
  for (const { index, 0: found } of text.slice(0, end).matchAll(TEXTS)) {
    if (found.startsWith('(')) bytes.fill(SPACE, index + 1, index + found.length - 1)
    else bytes.fill(SPACE, Math.max(head, index), index + found.length)
  }
  const last = text.lastIndexOf(LAST_WORD)
  if (last > end) bytes.fill(LINE_FEED, last + LAST_WORD.length)
}
