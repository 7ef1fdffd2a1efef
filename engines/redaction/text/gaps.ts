import { accentOf, isUnspaced } from './character-classes'
import type { SearchText } from './search-text'

/**
 * Letters of a word from which on it may go on in the next line without a hyphen: in narrow cells of tables it does.
 */
const LEAST_BROKEN = 8

/** What stands between two letters that a rule asks for, and what may stand there in its place. */
export interface Gap {
  /** As `text` of a `SearchText` has it: spaces, hyphens, apostrophes. */
  signs: string
  /** Whether a line may end there without a hyphen although nothing parts the letters. */
  mayBreak: boolean
}

/** Whether letters may be broken without a sign: long words, numbers, and scripts without spaces. */
export function mayBreakAt(word: string, before: string, behind: string): boolean {
  if (isUnspaced(before) && isUnspaced(behind)) return true
  return Array.from(word).length >= LEAST_BROKEN || (/\p{Nd}/u.test(word) && word.length > 3)
}

/**
 * Whether what stands from one unit of a text up to another may be what a rule has between two letters: a line may end
 * at a space, and behind a hyphen that divides a word or belongs to it; soft hyphens may be seen or not; accents belong
 * to letters beside them.
 */
export function fitsGap(searched: SearchText, { from, to }: { from: number; to: number }, gap: Gap): boolean {
  const { text, softs } = searched
  const isSoft = softs.size > 0 && hasSoft(softs, from, to)
  if (!isSoft && text.slice(from, to) === gap.signs && !hasBreak(searched, from, to)) return true
  const wanted = plainGap(gap.signs)
  return formsOf(searched, { from, to }, gap.mayBreak).some(form => form === wanted)
}

function hasSoft(softs: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at <= to; at++) if (softs.has(at)) return true
  return false
}

function hasBreak({ breaks }: SearchText, from: number, to: number): boolean {
  if (breaks.size === 0) return false
  for (let at = from; at < to; at++) if (breaks.has(at)) return true
  return false
}

function plainGap(signs: string): string {
  return signs.replace(/-+/g, '-').replace(/'+/g, "'")
}

/** What a gap may mean. A line end is `\n` and a soft hyphen `~` while it is read. */
function formsOf(
  { text, written, breaks, softs }: SearchText,
  { from, to }: { from: number; to: number },
  mayBreak: boolean,
): string[] {
  let [signs, withoutAccents, isAccented] = ['', '', false]
  for (let at = from; at <= to; at++) {
    const mark = softs.has(at) ? '~' : ''
    const sign = at === to ? '' : breaks.has(at) ? '\n' : (text[at] as string)
    const isAccent = at < to && accentOf(written[at] as string) !== undefined
    isAccented ||= isAccent
    signs += mark + (isAccent && sign !== "'" ? '' : sign)
    withoutAccents += mark + (isAccent ? '' : sign)
  }
  const forms = new Set<string>()
  for (const one of new Set(isAccented ? [signs, withoutAccents] : [signs])) {
    forms.add(plainGap(one.replaceAll('~', '').replaceAll('\n', ' ')))
    if (one.includes('~')) forms.add(plainGap(one.replaceAll('~', '-').replaceAll('\n', '')))
    if (one.includes('~')) forms.add(plainGap(one.replaceAll('~', '').replaceAll('\n', '')))
    if (one.includes('\n') && one.includes('-')) {
      forms.add(plainGap(one.replace(/[ \n~]+/g, '')))
      forms.add(one.replace(/[-~]+ ?\n[ -]*/g, ''))
    }
    if (one === '\n' && mayBreak) forms.add('')
    // Programs leave a space beside an accent that they print over a letter.
    if (isAccented) forms.add(plainGap(one.replace(/[ \n~]+/g, '')))
  }
  return [...forms]
}
