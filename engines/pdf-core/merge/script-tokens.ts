/** A token of a script. */
export interface ScriptToken {
  /** `text` is a string or a template without substitutions, `other` a single character. */
  kind: 'word' | 'number' | 'text' | 'regex' | 'other'
  /** The word, the character, or the text between the quotes. */
  source: string
  /** Start of the source in the script, in UTF-16 code units. */
  start: number
  /** Whether a line break comes before the token. */
  isOnNewLine: boolean
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /\d[\w.]*/y

/** Keywords before an expression. A slash after them begins a regular expression. */
const BEFORE_EXPRESSION = new Set('return typeof case in of delete void throw new instanceof else do'.split(' '))

/**
 * Reads a script (ECMA-262) token by token. Skips comments and the text of templates with substitutions, but not the
 * substituted expressions. Never throws: a quote without a closing quote on its line counts as a single character.
 */
export function* readScript(script: string): Generator<ScriptToken> {
  /** For each open substitution, the number of open braces at its start. */
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

/** For each kind of quote, the position up to which no closing quote was found on the line. Avoids searching again. */
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

/** Skips white space and comments. Returns the position after them. */
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

/** Position of the closing quote or slash on the same line, or −1. Character classes may contain a slash. */
function closingOf(script: string, from: number, { quote, unclosed }: { quote: string; unclosed: Unclosed }): number {
  if (from <= (unclosed.get(quote) ?? -1)) return -1
  let isClass = false
  let at = from
  for (; at < script.length; at++) {
    const character = script[at]
    if (character === '\\') {
      // A backslash at the end of a line continues the string on the next line.
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

/** Position at which a template, or the rest of it, ends or has a substitution. */
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

/** Decodes a string literal. `ends` has the end position in the source of each UTF-16 code unit of the value. */
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
