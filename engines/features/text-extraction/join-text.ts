import type { TextLine, Word } from './lines/model'

/** Scripts that are written without blanks between words. */
const UNSPACED = /[\u0e00-\u0e7f\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u

/** A hyphen at the end of a line. */
const HYPHEN = /[-\u00ad\u2010]$/

/** Words of the document, which tell whether a hyphen at the end of a line belongs to the word. */
export class Vocabulary {
  private readonly words = new Set<string>()

  /** Adds the words of lines, except those that a line break may divide. */
  add(lines: readonly TextLine[]): void {
    for (const { words } of lines)
      for (const { text } of words.slice(0, -1))
        if (text.length > 3 && this.words.size < 500_000) this.words.add(plain(text))
  }

  /** Joins the parts of a word that a line break divides. */
  join(before: string, after: string): string {
    const whole = before.replace(HYPHEN, '')
    const isSoft = before.endsWith('\u00ad')
    const [joined, hyphenated] = [plain(`${whole}${after}`), plain(`${whole}-${after}`)]
    const keeps = !isSoft || this.words.has(hyphenated)
    if (keeps && this.words.has(hyphenated) && !this.words.has(joined)) return `${whole}-${after}`
    // Numbers, names and capitals keep the hyphen: "COVID-19", "Saxe-Coburg".
    return /^\p{Ll}/u.test(after) && /\p{L}$/u.test(whole) ? `${whole}${after}` : `${whole}-${after}`
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
}

/** The text of a line. */
export function lineText({ words }: TextLine): string {
  return joinWords(words)
}

function joinWords(words: readonly Word[]): string {
  let text = ''
  for (const word of words) {
    const clean = word.text.replaceAll('\u00ad', '-')
    text += text !== '' && isSpaced(text, clean, word) ? ` ${clean}` : clean
  }
  return text
}

function isSpaced(before: string, after: string, word: Word): boolean {
  const [last, first] = [before.at(-1) ?? '', after.at(0) ?? '']
  return !(UNSPACED.test(last) && UNSPACED.test(first) && !(word.isSpaced && /[\uac00-\ud7af]/.test(first)))
}

/** The text of lines as one paragraph. Joins words that a line break divides. */
export function joinLines(lines: readonly TextLine[], vocabulary: Vocabulary): string {
  let text = ''
  let last = ''
  for (const line of lines) {
    const next = lineText(line)
    const raw = line.words.at(-1)?.text ?? ''
    if (text !== '' && isDivided(last, next)) {
      const at = text.lastIndexOf(' ') + 1
      const end = next.indexOf(' ')
      const [first, rest] = end < 0 ? [next, ''] : [next.slice(0, end), next.slice(end)]
      const before = last.endsWith('\u00ad') ? `${text.slice(at, -1)}\u00ad` : text.slice(at)
      text = `${text.slice(0, at)}${vocabulary.join(before, first)}${rest}`
    } else if (text === '') text = next
    else {
      const isUnspaced = UNSPACED.test(text.at(-1) ?? '') && UNSPACED.test(next.at(0) ?? '')
      text += isUnspaced ? next : ` ${next}`
    }
    last = raw
  }
  return text
}

/** Returns whether a line break divides a word. */
function isDivided(last: string, next: string): boolean {
  return HYPHEN.test(last) && /\p{L}[-\u00ad\u2010]$/u.test(last) && /^[\p{L}\d]/u.test(next)
}
