import type { Link, TextLine, Word } from './lines/model'

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

/** A part of a text that a link covers. */
export interface LinkSpan {
  /** Positions in the text: the first character, and the one after the last. */
  start: number
  end: number
  link: Link
}

/** A text and the parts of it that links cover, in order. */
export interface LinkedText {
  text: string
  links: LinkSpan[]
}

/** The text of a line. */
export function lineText({ words }: Pick<TextLine, 'words'>): string {
  return joinWords(words).text
}

function joinWords(words: readonly Word[]): LinkedText {
  let text = ''
  const links: LinkSpan[] = []
  for (const word of words) {
    const clean = word.text.replaceAll('\u00ad', '-')
    if (text !== '' && isSpaced(text, clean, word)) text += ' '
    const { link, linkStart = 0, linkEnd = clean.length } = word
    const [start, end] = [text.length + linkStart, text.length + Math.min(linkEnd, clean.length)]
    text += clean
    if (link && start < end) addSpan(links, { start, end, link }, text)
  }
  return { text, links }
}

/** Adds a span, or extends the one before if the same URL goes on. `text` contains both. */
function addSpan(links: LinkSpan[], span: LinkSpan, text: string): void {
  const last = links.at(-1)
  const isNext = last?.link.url === span.link.url && text.slice(last.end, span.start).trim() === ''
  if (last && isNext) last.end = span.end
  else links.push(span)
}

function isSpaced(before: string, after: string, word: Word): boolean {
  const [last, first] = [before.at(-1) ?? '', after.at(0) ?? '']
  return !(UNSPACED.test(last) && UNSPACED.test(first) && !(word.isSpaced && /[\uac00-\ud7af]/.test(first)))
}

/** The text of lines as one paragraph. Joins words that a line break divides. */
export function joinLines(lines: readonly TextLine[], vocabulary: Vocabulary): string {
  return joinLinked(lines, vocabulary).text
}

/** As `joinLines`, with the parts that links cover. */
export function joinLinked(lines: readonly TextLine[], vocabulary: Vocabulary): LinkedText {
  let text = ''
  let last = ''
  const links: LinkSpan[] = []
  for (const line of lines) {
    const { text: next, links: nextLinks } = joinWords(line.words)
    const raw = line.words.at(-1)?.text ?? ''
    if (text !== '' && isDivided(last, next)) {
      const at = text.lastIndexOf(' ') + 1
      const end = next.indexOf(' ')
      const [first, rest] = end < 0 ? [next, ''] : [next.slice(0, end), next.slice(end)]
      const before = last.endsWith('\u00ad') ? `${text.slice(at, -1)}\u00ad` : text.slice(at)
      const joined = vocabulary.join(before, first)
      text = `${text.slice(0, at)}${joined}`
      const span = links.at(-1)
      if (span) span.end = Math.min(span.end, text.length - first.length)
      addLine(links, nextLinks, text.length - first.length, text + rest)
      text += rest
    } else {
      const isUnspaced = text === '' || (UNSPACED.test(text.at(-1) ?? '') && UNSPACED.test(next.at(0) ?? ''))
      if (!isUnspaced) text += ' '
      addLine(links, nextLinks, text.length, text + next)
      text += next
    }
    last = raw
  }
  return { text, links }
}

/** Adds the links of a line that begins at a position in the text. */
function addLine(links: LinkSpan[], added: readonly LinkSpan[], at: number, text: string): void {
  for (const { start, end, link } of added) addSpan(links, { start: at + start, end: at + end, link }, text)
}

/** Returns whether a line break divides a word. */
function isDivided(last: string, next: string): boolean {
  return HYPHEN.test(last) && /\p{L}[-\u00ad\u2010]$/u.test(last) && /^[\p{L}\d]/u.test(next)
}
