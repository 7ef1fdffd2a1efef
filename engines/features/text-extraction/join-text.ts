import type { Link, TextLine, Word } from './lines/model'

/** Scripts that are written without blanks between words. */
const UNSPACED = /[\u0e00-\u0e7f\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u

/** The first character of these scripts. */
const FIRST_UNSPACED = 0xe00

/** A hyphen at the end of a line. */
const HYPHEN = /[-\u00ad\u2010]$/

/** Maximum number of different words that are collected. */
const MAX_WORDS = 500_000

/** Words of the document, which tell whether a hyphen at the end of a line belongs to the word. */
export class Vocabulary {
  private readonly lines: (readonly TextLine[])[] = []
  private collected: Set<string> | undefined

  /** Adds the words of lines, except those that a line break may divide. */
  add(lines: readonly TextLine[]): void {
    this.collected = undefined
    this.lines.push(lines)
  }

  /** The words are collected once a line break divides one. Few texts have many lines that end with a hyphen. */
  private get words(): ReadonlySet<string> {
    return (this.collected ??= this.collect())
  }

  private collect(): Set<string> {
    const found = new Set<string>()
    for (const lines of this.lines)
      for (const { words } of lines)
        for (const { text } of words.slice(0, -1)) if (text.length > 3 && found.size < MAX_WORDS) found.add(plain(text))
    return found
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

/** A part of a text. */
export interface TextSpan {
  /** Positions in the text: the first character, and the one after the last. */
  start: number
  end: number
}

/** A part of a text that a link covers. */
export interface LinkSpan extends TextSpan {
  link: Link
}

/** A text with the parts of it that links cover, and those that are code, in order. */
export interface LinkedText {
  text: string
  links: LinkSpan[]
  code: TextSpan[]
}

/** The text of a line. */
export function lineText({ words }: Pick<TextLine, 'words'>): string {
  return joinWords(words).text
}

function joinWords(words: readonly Word[]): LinkedText {
  let text = ''
  const links: LinkSpan[] = []
  const code: TextSpan[] = []
  for (const word of words) {
    const clean = word.text.includes('\u00ad') ? word.text.replaceAll('\u00ad', '-') : word.text
    if (text !== '' && isSpaced(text, clean, word)) text += ' '
    const at = text.length
    text += clean
    if (!word.link && word.codeStart === undefined) continue
    const spanOf = (first: number, last: number): TextSpan => ({
      start: at + first,
      end: at + Math.min(last, clean.length),
    })
    const { link, linkStart = 0, linkEnd = clean.length, codeStart, codeEnd = clean.length } = word
    const span = spanOf(linkStart, linkEnd)
    if (link && span.start < span.end) addSpan(links, { ...span, link }, text)
    if (codeStart !== undefined && !word.isField) addSpan(code, spanOf(codeStart, codeEnd), text)
  }
  return { text, links, code }
}

/** Adds a span, or extends the one before if the same link or the code goes on. `text` contains both. */
function addSpan<Span extends TextSpan & { link?: Link }>(spans: Span[], span: Span, text: string): void {
  const last = spans.at(-1)
  const isNext =
    last?.link?.url === span.link?.url && last !== undefined && text.slice(last.end, span.start).trim() === ''
  if (last && isNext) last.end = span.end
  else spans.push(span)
}

function isSpaced(before: string, after: string, word: Word): boolean {
  if (!isUnspaced(before, after)) return true
  return word.isSpaced && /[\uac00-\ud7af]/.test(after.at(0) ?? '')
}

/** Returns whether two texts meet in scripts that are written without blanks between words. None is Latin. */
function isUnspaced(before: string, after: string): boolean {
  if (before.charCodeAt(before.length - 1) < FIRST_UNSPACED || after.charCodeAt(0) < FIRST_UNSPACED) return false
  return UNSPACED.test(before.at(-1) ?? '') && UNSPACED.test(after.at(0) ?? '')
}

/** The text of lines as one paragraph. Joins words that a line break divides. */
export function joinLines(lines: readonly TextLine[], vocabulary: Vocabulary): string {
  return joinLinked(lines, vocabulary).text
}

/** As `joinLines`, with the parts that links cover and that are code. */
export function joinLinked(lines: readonly TextLine[], vocabulary: Vocabulary): LinkedText {
  let text = ''
  let last = ''
  const links: LinkSpan[] = []
  const code: TextSpan[] = []
  for (const line of lines) {
    const { text: next, links: nextLinks, code: nextCode } = joinWords(line.words)
    const raw = line.words.at(-1)?.text ?? ''
    if (text !== '' && isDivided(last, next)) {
      const at = text.lastIndexOf(' ') + 1
      const end = next.indexOf(' ')
      const [first, rest] = end < 0 ? [next, ''] : [next.slice(0, end), next.slice(end)]
      const before = last.endsWith('\u00ad') ? `${text.slice(at, -1)}\u00ad` : text.slice(at)
      const joined = vocabulary.join(before, first)
      text = `${text.slice(0, at)}${joined}`
      const start = text.length - first.length
      for (const spans of [links, code]) {
        const span = spans.at(-1)
        if (span) span.end = Math.min(span.end, start)
      }
      text += rest
      addLine(links, nextLinks, start, text)
      addLine(code, nextCode, start, text)
    } else {
      if (text !== '' && !isUnspaced(text, next)) text += ' '
      const start = text.length
      text += next
      addLine(links, nextLinks, start, text)
      addLine(code, nextCode, start, text)
    }
    last = raw
  }
  return { text, links, code }
}

/** Adds the spans of a line that begins at a position in the text. */
function addLine<Span extends TextSpan & { link?: Link }>(
  spans: Span[],
  added: readonly Span[],
  at: number,
  text: string,
): void {
  for (const span of added) addSpan(spans, { ...span, start: at + span.start, end: at + span.end }, text)
}

/** Returns whether a line break divides a word. */
function isDivided(last: string, next: string): boolean {
  return HYPHEN.test(last) && /\p{L}[-\u00ad\u2010]$/u.test(last) && /^[\p{L}\d]/u.test(next)
}
