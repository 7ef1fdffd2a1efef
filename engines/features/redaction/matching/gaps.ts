import { accentOf } from '../../../pdf/read-page'
import { isUnspaced } from './character-classes'
import type { SearchText } from './search-text'

/**
 * Minimum number of letters in a word that may continue on the next line without a hyphen, as in narrow table cells.
 */
const LEAST_BROKEN = 8

/** The signs between two letters of a rule's text, and whether a line may end there. */
export interface Gap {
  /** Spaces, hyphens and apostrophes, as in `text` of a `SearchText`. */
  signs: string
  /** Whether a line may end there without a hyphen, although there are no signs between the letters. */
  mayBreak: boolean
}

/**
 * Returns whether a line may break between letters without a hyphen: in long words, in numbers, and in scripts without
 * spaces.
 */
export function mayBreakAt(word: string, before: string, behind: string): boolean {
  if (isUnspaced(before) && isUnspaced(behind)) return true
  return Array.from(word).length >= LEAST_BROKEN || (/\p{Nd}/u.test(word) && word.length > 3)
}

/**
 * Returns whether a range of a text fits a gap of a rule's text. A line may end at a space, and after a hyphen that
 * divides a word or belongs to it. Soft hyphens may be visible or not. Accents belong to the letters next to them.
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

/** Returns the possible readings of a gap. Intermediate forms use `\n` for a line end and `~` for a soft hyphen. */
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
    // Programs leave a space next to an accent that they print over a letter.
    if (isAccented) forms.add(plainGap(one.replace(/[ \n~]+/g, '')))
  }
  return [...forms]
}
