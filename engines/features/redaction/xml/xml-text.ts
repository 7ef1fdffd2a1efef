import { encodeXml } from '../../../pdf/metadata'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'
import { composeText, spanOf } from '../matching/search-text'
import { hasEscapes, readEscapes } from './url-escapes'
import { XmlEntities } from './xml-entities'
import { cutTag, isInline } from './xml-tags'
import { insideOf, readTokens, withoutTags } from './xml-tokens'
import type { XmlToken } from './xml-tokens'

/** The text characters of an XML source with their positions. References are resolved. Comments are included. */
interface SourceText {
  characters: string[]
  starts: number[]
  ends: number[]
  /** The index of the token of each character. */
  tokens: number[]
}

/**
 * Removes matches from XML or XHTML. Finds matches despite markup inside words, comments, CDATA and references. The
 * search covers texts, attributes, comments and names in custom namespaces. If something matches, all comments are
 * removed. Returns undefined if nothing matches. Returns an empty string if a match can't be removed safely. Then the
 * caller must remove the whole source.
 */
export function cutMarkup(source: string, rules: readonly Rule[], { isCounted = true } = {}): string | undefined {
  const cut = cutReading(source, rules, { isCounted, hasEscapes: false })
  const left = cut ?? source
  return (hasEscapes(left) ? cutReading(left, rules, { isCounted, hasEscapes: true }) : undefined) ?? cut
}

/** Removes matches from one reading of the source. With `hasEscapes`, percent-encoded characters are decoded. */
function cutReading(
  source: string,
  rules: readonly Rule[],
  { isCounted, hasEscapes: isEscaped }: { isCounted: boolean; hasEscapes: boolean },
): string | undefined {
  const { tokens, isSound } = readTokens(source)
  const types = tokens.filter(({ kind }) => kind === 'doctype').map(({ start, end }) => source.slice(start, end))
  const entities = new XmlEntities(types)
  const sourceText = readSourceText(source, tokens, { entities, isEscaped })
  const cuts = new Cuts(sourceText, rules, isCounted)
  const all = sourceText.characters.map((_, position) => position)
  const seen = all.filter(position => tokens[sourceText.tokens[position] ?? 0]?.kind !== 'comment')
  const gaps = tokens.map(token =>
    token.kind === 'tag' ? (isInline(source.slice(token.start, token.end)) ? 'inline' : 'block') : undefined,
  )
  cuts.find(withGaps(seen, sourceText, token => gaps[token] === 'block'))
  cuts.find(withGaps(seen, sourceText, token => gaps[token] !== undefined))
  if (seen.length < all.length) {
    // Finds words that begin in the text and end in a comment, and words in comments.
    cuts.find(withGaps(all, sourceText, token => gaps[token] === 'block'))
    cuts.find(withGaps(all, sourceText, () => true))
  }
  const tags = tokens.map(token =>
    token.kind === 'tag' ? cutTag(source.slice(token.start, token.end), rules, { entities, isCounted }) : undefined,
  )
  const isHit = cuts.isHit || tags.some(tag => tag !== undefined)
  const instructions = tokens
    .filter(({ kind }) => kind === 'instruction')
    .map(({ start, end }) => source.slice(start, end))
  const isBeside = [...types, ...instructions].some(text => cutMatches(text, rules, { isCounted }) !== undefined)
  if (!isHit && !isBeside) return isSound && entities.isSound ? undefined : cutUnsound(source, rules, isCounted)
  const isSafe = isSound && entities.isSound && types.length === 0 && !isBeside && !tags.includes('')
  return isSafe ? rewrite(source, tokens, { cuts, tags }) : ''
}

/** Handles XML that can't be parsed safely. Returns an empty string if any reading matches or entities are declared. */
function cutUnsound(source: string, rules: readonly Rule[], isCounted: boolean): string | undefined {
  const entities = new XmlEntities([])
  const readings = [source, ...['', ' '].map(gap => withoutTags(source, gap))].flatMap(text => [
    text,
    entities.decode(text),
  ])
  const isFound = [...new Set(readings)].some(text => cutMatches(text, rules, { isCounted }) !== undefined)
  return isFound || /<!ENTITY/.test(source) ? '' : undefined
}

function readSourceText(
  source: string,
  tokens: readonly XmlToken[],
  { entities, isEscaped }: { entities: XmlEntities; isEscaped: boolean },
): SourceText {
  const sourceText: SourceText = { characters: [], starts: [], ends: [], tokens: [] }
  for (const [token, { kind }] of tokens.entries()) {
    if (kind !== 'text' && kind !== 'cdata' && kind !== 'comment') continue
    const { start, end } = insideOf(source, tokens[token] as XmlToken)
    for (let at = start; at < end;) {
      const reference =
        kind === 'text' && source[at] === '&'
          ? entities.read(source, at)
          : isEscaped
            ? readEscapes(source, at)
            : undefined
      const text = reference?.text ?? String.fromCodePoint(source.codePointAt(at) ?? 0)
      const next = reference?.end ?? at + text.length
      for (const character of text) {
        sourceText.characters.push(character)
        sourceText.starts.push(at)
        sourceText.ends.push(next)
        sourceText.tokens.push(token)
      }
      at = next
    }
  }
  return sourceText
}

/** Inserts −1 between two positions if one of the tokens between them is a gap. */
function withGaps(positions: readonly number[], sourceText: SourceText, isGap: (token: number) => boolean): number[] {
  const spaced: number[] = []
  let before: number | undefined
  for (const position of positions) {
    const token = sourceText.tokens[position] ?? 0
    for (let between = before ?? token; between < token; between++) {
      if (!isGap(between)) continue
      spaced.push(-1)
      break
    }
    spaced.push(position)
    before = token
  }
  return spaced
}

/** The characters to remove, by their index in `SourceText`, and the texts that replace them. */
class Cuts {
  readonly removed = new Set<number>()
  readonly replacements = new Map<number, string>()

  constructor(
    readonly sourceText: SourceText,
    private readonly rules: readonly Rule[],
    private readonly isCounted: boolean,
  ) {}

  get isHit(): boolean {
    return this.removed.size > 0
  }

  /** Searches the text of these characters. −1 is a gap. Matches that were already found aren't counted again. */
  find(positions: readonly number[]): void {
    const searched = composeText(
      positions.map(position => (position < 0 ? ' ' : (this.sourceText.characters[position] ?? ''))),
    )
    for (const rule of this.rules) {
      for (const match of rule.find(searched)) {
        const { first, last } = spanOf(searched, match)
        const found = positions.slice(first, last + 1).filter(position => position >= 0)
        if (found.every(position => this.removed.has(position))) continue
        const isKnown = found.some(position => this.removed.has(position))
        if (this.isCounted && !isKnown) rule.count(searched.text.slice(match.start, match.end))
        if (!isKnown && rule.replacementText && found[0] !== undefined)
          this.replacements.set(found[0], rule.replacementText)
        for (const position of found) this.removed.add(position)
      }
    }
  }
}

function rewrite(
  source: string,
  tokens: readonly XmlToken[],
  { cuts, tags }: { cuts: Cuts; tags: readonly (string | undefined)[] },
): string {
  const { sourceText, removed: gone, replacements } = cuts
  const parts: string[] = []
  const byToken = new Map<number, number[]>()
  for (const position of [...gone].sort((one, other) => one - other)) {
    const token = sourceText.tokens[position] ?? 0
    byToken.set(token, [...(byToken.get(token) ?? []), position])
  }
  for (const [index, { kind, start, end }] of tokens.entries()) {
    if (kind === 'comment') continue
    if (kind === 'tag') {
      parts.push(tags[index] ?? source.slice(start, end))
      continue
    }
    let at = start
    for (const position of byToken.get(index) ?? []) {
      parts.push(
        source.slice(at, Math.max(at, sourceText.starts[position] ?? at)),
        writeText(replacements.get(position), kind),
      )
      at = Math.max(at, sourceText.ends[position] ?? at)
    }
    parts.push(source.slice(at, end))
  }
  return parts.join('')
}

function writeText(text: string | undefined, kind: XmlToken['kind']): string {
  if (text === undefined) return ''
  return kind === 'cdata' ? text.replaceAll(']]>', '') : encodeXml(text)
}
