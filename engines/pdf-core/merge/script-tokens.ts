/** A token of a script that may name something. */
export interface ScriptToken {
  /** `text` is a string or a template without substitutions, `other` a single character. */
  kind: 'word' | 'number' | 'text' | 'regex' | 'other'
  /** The word, the character, or what stands between the quotes. */
  source: string
  /** Where the source begins in the script, in UTF-16 code units. */
  start: number
  /** Whether a line ends before the token. */
  isOnNewLine: boolean
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /\d[\w.]*/y

/** Words behind which an expression begins, so that a slash begins a regular expression. */
const BEFORE_EXPRESSION = new Set('return typeof case in of delete void throw new instanceof else do'.split(' '))

/**
 * Reads a script (ECMA-262) token by token; comments and templates with substitutions are left out, but not what is
 * substituted. Never throws: a quote that is not closed on its line is a character like others.
 */
export function* readScript(script: string): Generator<ScriptToken> {
  /** How many braces were open where a substitution began. */
  const substitutions: number[] = []
  const unclosed: Unclosed = new Map()
  let braces = 0
  let last: ScriptToken | undefined
  for (let at = 0; ;) {
    const start = skipSpace(script, at)
    if (start >= script.length) return
    const isOnNewLine = /[\n\r]/.test(script.slice(at, start))
    const character = script[start] ?? ''
    if (character === '`' || (character === '}' && substitutions.at(-1) === braces)) {
      const end = templatePartEnd(script, start + 1)
      const hasSubstitution = script.startsWith('${', end)
      if (character === '}') substitutions.pop()
      if (hasSubstitution) substitutions.push(braces)
      at = end + (hasSubstitution ? 2 : 1)
      const source = hasSubstitution || character === '}' ? '' : script.slice(start + 1, end)
      last = { kind: 'text', source, start: start + 1, isOnNewLine }
      yield last
      continue
    }
    const { token, end } = readToken(script, start, { last, unclosed })
    last = { ...token, isOnNewLine }
    at = end
    if (last.kind === 'other' && character === '{') braces++
    if (last.kind === 'other' && character === '}') braces--
    yield last
  }
}

interface Read {
  token: Omit<ScriptToken, 'isOnNewLine'>
  end: number
}

/** Up to where a line is known to close no string or regular expression, by quote: it is not searched again. */
type Unclosed = Map<string, number>

interface Before {
  last: ScriptToken | undefined
  unclosed: Unclosed
}

function readToken(script: string, start: number, { last, unclosed }: Before): Read {
  const character = script[start] ?? ''
  if (character === '"' || character === "'") {
    const end = closingOf(script, start + 1, { quote: character, unclosed })
    const source = script.slice(start + 1, end)
    if (end >= 0) return { token: { kind: 'text', source, start: start + 1 }, end: end + 1 }
  }
  if (character === '/' && beginsExpression(last)) {
    const end = closingOf(script, start + 1, { quote: '/', unclosed })
    const source = script.slice(start, end + 1)
    if (end >= 0) return { token: { kind: 'regex', source, start }, end: end + 1 }
  }
  for (const [kind, pattern] of [
    ['word', WORD],
    ['number', NUMBER],
  ] as const) {
    pattern.lastIndex = start
    const source = pattern.exec(script)?.[0]
    if (source) return { token: { kind, source, start }, end: start + source.length }
  }
  return { token: { kind: 'other', source: character, start }, end: start + 1 }
}

/** Where white space and comments end. */
function skipSpace(script: string, from: number): number {
  let at = from
  while (at < script.length) {
    if (script.startsWith('//', at)) {
      while (at < script.length && !isLineEnd(script[at])) at++
    } else if (script.startsWith('/*', at)) {
      const end = script.indexOf('*/', at + 2)
      at = end < 0 ? script.length : end + 2
    } else if (/\s/.test(script[at] ?? '')) at++
    else break
  }
  return at
}

/** Where a string or a regular expression, whose classes may hold a slash, is closed; −1 if not on its line. */
function closingOf(script: string, from: number, { quote, unclosed }: { quote: string; unclosed: Unclosed }): number {
  if (from <= (unclosed.get(quote) ?? -1)) return -1
  let isClass = false
  let at = from
  for (; at < script.length; at++) {
    const character = script[at]
    if (character === '\\') {
      // A string goes on behind a line that ends with a backslash.
      if (script.startsWith('\r\n', at + 1)) at++
      at++
    } else if (isLineEnd(character)) break
    else if (character === quote && !isClass) return at
    else if (quote === '/' && character === '[') isClass = true
    else if (character === ']') isClass = false
  }
  unclosed.set(quote, at)
  return -1
}

/** Where a template, or what is left of it, is closed or has a substitution. */
function templatePartEnd(script: string, from: number): number {
  for (let at = from; at < script.length; at++) {
    if (script[at] === '\\') at++
    else if (script[at] === '`' || script.startsWith('${', at)) return at
  }
  return script.length
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r' || character === '\u2028' || character === '\u2029'
}

function beginsExpression(last: ScriptToken | undefined): boolean {
  if (!last) return true
  if (last.kind === 'word') return BEFORE_EXPRESSION.has(last.source)
  return last.kind === 'other' && !')]}'.includes(last.source)
}

/** The value of a string from its source, and where in the source each of its UTF-16 code units ends. */
export function readScriptString(source: string): { value: string; ends: number[] } {
  const ends: number[] = []
  let value = ''
  for (const { 0: part, index } of source.matchAll(STRING_PART)) {
    const text = part.startsWith('\\') ? readEscape(part.slice(1)) : part
    value += text
    for (let unit = 0; unit < text.length; unit++) ends.push(index + part.length)
  }
  return { value, ends }
}

const STRING_PART = /\\(?:u\{[\dA-Fa-f]{1,6}\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[0-3]?[0-7]{1,2}|\r\n|[\s\S])|[\s\S]/g

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

function readEscape(escape: string): string {
  const hex = /^[ux]\{?([\dA-Fa-f]+)\}?$/.exec(escape)?.[1]
  const code = Number.parseInt(hex ?? '', 16)
  if (hex !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  if (/^[0-7]+$/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8))
  if (/^[\n\r\u2028\u2029]/.test(escape)) return ''
  return ESCAPES[escape] ?? escape
}
