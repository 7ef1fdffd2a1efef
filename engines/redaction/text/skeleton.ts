import { accentOf, composes, takeApart } from './character-classes'
import type { SearchText } from './search-text'

/** Letters, digits and signs of a text one after another, without what may stand between them in other ways. */
export interface Skeleton {
  /** Without spaces, hyphens, apostrophes, accents; in one case unless it is exact. */
  letters: string
  /** Of each unit of `letters`: the unit of the text where its character begins. */
  starts: Int32Array
  /** The unit of the text behind its character. */
  ends: Int32Array
  /** Accents of letters, by the unit of `letters`. */
  accents: ReadonlyMap<number, Accents>
}

/** Accents of one letter. */
export interface Accents {
  marks: string
  /** Whether they were characters of their own, so that they may belong to the letter behind. */
  isApart: boolean
}

const made = { folded: new WeakMap<SearchText, Skeleton>(), exact: new WeakMap<SearchText, Skeleton>() }

/** The skeleton of a text; `isExact` keeps capital and small letters apart. Made once for each text. */
export function skeletonOf(searched: SearchText, isExact: boolean): Skeleton {
  const table = isExact ? made.exact : made.folded
  const known = table.get(searched)
  if (known) return known
  const skeleton = makeSkeleton(searched, isExact)
  table.set(searched, skeleton)
  return skeleton
}

function makeSkeleton(searched: SearchText, isExact: boolean): Skeleton {
  const { text, sources, ends: lasts } = searched
  const letters: string[] = []
  const [starts, ends]: [number[], number[]] = [[], []]
  const accents = new Map<number, Accents>()
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code > 0x20 && code < 0x7f && !isGapCode(code)) {
      letters.push(isExact || code < 0x41 || code > 0x5a ? (text[at] as string) : String.fromCharCode(code + 32))
      starts.push(at)
      ends.push(++at)
      continue
    }
    const character = String.fromCodePoint(text.codePointAt(at) as number)
    const next = at + character.length
    if (!isGap(searched, at)) {
      const apart = takeApart(character, isExact)
      // Marks by themselves belong to the letter before them.
      if (apart.letters === '' && ends.at(-1) === at) ends[ends.length - 1] = next
      for (const unit of apart.letters.split('')) {
        letters.push(unit)
        starts.push(at)
        ends.push(next)
      }
      const marks = isExact ? apart.marks : withoutOwnDot(apart.marks, letters.at(-1))
      if (marks !== '' && letters.length > 0)
        addAccents(accents, letters.length - 1, {
          marks,
          isApart: (lasts[at] ?? 0) > (sources[at] ?? 0) || apart.letters === '',
        })
    }
    at = next
  }
  return { letters: letters.join(''), starts: Int32Array.from(starts), ends: Int32Array.from(ends), accents }
}

/** Letters with a dot of their own have the same one as a mark in other cases and languages. */
function withoutOwnDot(marks: string, letter: string | undefined): string {
  return letter === 'i' || letter === 'j' ? marks.replaceAll('\u0307', '') : marks
}

function addAccents(accents: Map<number, Accents>, at: number, { marks, isApart }: Accents): void {
  const known = accents.get(at)
  accents.set(at, known ? { marks: known.marks + marks, isApart: known.isApart || isApart } : { marks, isApart })
}

/** Space, apostrophe, hyphen; accents that are ASCII signs too are looked at one by one. */
function isGapCode(code: number): boolean {
  return code === 0x27 || code === 0x2d || code === 0x5e || code === 0x7e
}

/**
 * Whether a unit of a text stands between letters: spaces, hyphens, apostrophes, and accents beside a letter that has
 * such.
 */
function isGap({ text, written }: SearchText, at: number): boolean {
  const sign = text[at] as string
  if (sign === ' ' || sign === '-' || sign === "'") return true
  const mark = accentOf(written[at] as string)
  return mark !== undefined && (letterBeside(text, at, 1, mark) || letterBeside(text, at, -1, mark))
}

/** Whether the next character in a direction, or the one behind a space, takes a mark. */
function letterBeside(text: string, at: number, step: 1 | -1, mark: string): boolean {
  const near = text[at + step] ?? ''
  return composes(near === ' ' ? (text[at + 2 * step] ?? '') : near, mark)
}

/** The combining marks of accents that stand between two units of a text. */
export function looseAccents({ written }: SearchText, from: number, to: number): string {
  let marks = ''
  for (let at = from; at < to; at++) marks += accentOf(written[at] as string) ?? ''
  return marks
}
