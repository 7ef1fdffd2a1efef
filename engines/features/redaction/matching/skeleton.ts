import { accentOf, compose } from '../../../pdf/read-page'
import { takeApart } from './character-classes'
import type { SearchText } from './search-text'

/** The letters, digits and signs of a text, without characters whose spelling varies, such as spaces and hyphens. */
export interface Skeleton {
  /** The text without spaces, hyphens, apostrophes and accents, case folded unless the skeleton is exact. */
  letters: string
  /** For each unit of `letters`, the offset in the text at which its character begins. */
  starts: Int32Array
  /** For each unit of `letters`, the offset in the text after its character. */
  ends: Int32Array
  /** Accents by the offset of their letter in `letters`. */
  accents: ReadonlyMap<number, Accents>
}

/** Accents of one letter. */
export interface Accents {
  marks: string
  /** Whether the accents were separate characters, which may belong to the letter after them. */
  isApart: boolean
}

const skeletons = { folded: new WeakMap<SearchText, Skeleton>(), exact: new WeakMap<SearchText, Skeleton>() }

/** Returns the skeleton of a text, from a cache if possible. If `isExact` is `true`, the letters aren't case folded. */
export function skeletonOf(searched: SearchText, isExact: boolean): Skeleton {
  const table = isExact ? skeletons.exact : skeletons.folded
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
      // Separate combining marks belong to the letter before them.
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

/** Removes the combining dot from letters that already have a dot. Case folding of İ leaves it. */
function withoutOwnDot(marks: string, letter: string | undefined): string {
  return letter === 'i' || letter === 'j' ? marks.replaceAll('\u0307', '') : marks
}

function addAccents(accents: Map<number, Accents>, at: number, { marks, isApart }: Accents): void {
  const existing = accents.get(at)
  accents.set(
    at,
    existing ? { marks: existing.marks + marks, isApart: existing.isApart || isApart } : { marks, isApart },
  )
}

/** Returns whether an ASCII code may belong to a gap: apostrophe, hyphen, and the accents ^ and ~. */
function isGapCode(code: number): boolean {
  return code === 0x27 || code === 0x2d || code === 0x5e || code === 0x7e
}

/** Returns whether a unit of a text is a space, a hyphen, an apostrophe, or an accent next to a suitable letter. */
function isGap({ text, written }: SearchText, at: number): boolean {
  const sign = text[at] as string
  if (sign === ' ' || sign === '-' || sign === "'") return true
  const mark = accentOf(written[at] as string)
  return mark !== undefined && (letterBeside(text, at, 1, mark) || letterBeside(text, at, -1, mark))
}

/** Returns whether the next character in a direction, or the one after a space, can be composed with a mark. */
function letterBeside(text: string, at: number, step: 1 | -1, mark: string): boolean {
  const near = text[at + step] ?? ''
  return compose(near === ' ' ? (text[at + 2 * step] ?? '') : near, mark) !== undefined
}

/** Returns the combining marks of separate accents in a range of a text. */
export function looseAccents({ written }: SearchText, from: number, to: number): string {
  let marks = ''
  for (let at = from; at < to; at++) marks += accentOf(written[at] as string) ?? ''
  return marks
}
