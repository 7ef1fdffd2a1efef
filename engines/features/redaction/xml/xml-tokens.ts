/** A part of an XML source. */
export interface XmlToken {
  kind: 'text' | 'cdata' | 'comment' | 'instruction' | 'doctype' | 'tag'
  /** The range in the source. `end` is exclusive. */
  start: number
  end: number
}

/** The delimiters of comments, CDATA sections and processing instructions. */
const DELIMITED: readonly { kind: XmlToken['kind']; open: string; close: string }[] = [
  { kind: 'comment', open: '<!--', close: '-->' },
  { kind: 'cdata', open: '<![CDATA[', close: ']]>' },
  { kind: 'instruction', open: '<?', close: '?>' },
]

/** Returns the range of a token without its delimiters. */
export function insideOf(source: string, { kind, start, end }: XmlToken): { start: number; end: number } {
  const marks = DELIMITED.find(one => one.kind === kind)
  return marks ? { start: start + marks.open.length, end: end - marks.close.length } : { start, end }
}

/** Replaces everything from `<` to the next `>` with `gap`. Takes linear time. */
export function withoutTags(text: string, gap = ''): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('<', at)
    const close = open < 0 ? -1 : text.indexOf('>', open)
    if (close < 0) return [...parts, text.slice(at)].join(gap)
    parts.push(text.slice(at, open))
    at = close + 1
  }
}

/** Splits an XML source into tokens. `isSound` is `false` if markup has no end. */
export function readTokens(source: string): { tokens: XmlToken[]; isSound: boolean } {
  const tokens: XmlToken[] = []
  let isSound = true
  // If a kind of markup has no end, later markup of this kind has no end either. This keeps the time linear.
  const endless = new Set<XmlToken['kind']>()
  for (let at = 0; at < source.length;) {
    const open = source.indexOf('<', at)
    if (open !== at) tokens.push({ kind: 'text', start: at, end: open < 0 ? source.length : open })
    if (open < 0) break
    const token = readMarkup(source, open, endless)
    if (token) tokens.push(token)
    else {
      isSound = false
      tokens.push({ kind: 'text', start: open, end: open + 1 })
    }
    at = token?.end ?? open + 1
  }
  return { tokens, isSound }
}

function readMarkup(source: string, start: number, endless: Set<XmlToken['kind']>): XmlToken | undefined {
  for (const { kind, open, close } of DELIMITED) {
    if (!source.startsWith(open, start)) continue
    const end = endless.has(kind) ? -1 : source.indexOf(close, start + open.length)
    if (end < 0) endless.add(kind)
    return end < 0 ? undefined : { kind, start, end: end + close.length }
  }
  const isType = source.startsWith('<!', start)
  if (!isType && !/^<\/?[^\s<>/=!?&]/.test(source.slice(start, start + 3))) return undefined
  const kind = isType ? 'doctype' : 'tag'
  const end = endless.has(kind) ? -1 : findEnd(source, start + 1, isType)
  if (end < 0 && isType) endless.add(kind)
  return end < 0 ? undefined : { kind, start, end }
}

/** Maximum length of a tag or a document type. Longer markup is treated as text. */
const LONGEST = 1_000_000

/**
 * Returns the offset after the first `>` outside quotes and brackets, which ends a tag or a document type. −1 if there
 * is none.
 */
function findEnd(source: string, from: number, isType: boolean): number {
  let depth = 0
  for (let at = from; at < Math.min(source.length, from + LONGEST); at++) {
    const character = source[at]
    if (character === '"' || character === "'") {
      at = source.indexOf(character, at + 1)
      if (at < 0) return -1
    } else if (isType && character === '[') depth++
    else if (isType && character === ']') depth--
    else if (character === '>' && depth <= 0) return at + 1
    else if (character === '<' && !isType) return -1
  }
  return -1
}
