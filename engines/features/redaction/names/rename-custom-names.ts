import { findContentStreams, peekContent } from '../../../pdf/rewrite-content'
import { deflatedStream } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { holdsName, namesInContent, renameInContent } from './content-names'
import { openNames, renameInObject } from './object-names'
import type { Rename } from './object-names'
import type { Rule } from '../search-rules/rule'
import { composeText } from '../matching/search-text'
import { textsOfBytes } from '../matching/byte-texts'
import { isStandardName } from './standard-names'

/** Minimum length of a match in a name. Shorter texts occur in names by chance. */
const LEAST_MATCHED = 3

/**
 * Renames custom names that rules match, to `redacted1` and so on. A name gets the same new name as a key, as a value
 * and in content streams, so that references keep working. Names that specifications define, common font families and
 * glyph names stay. Matches are counted.
 */
export function renameCustomNames(document: PdfDocument, rules: readonly Rule[]): void {
  const names = openNames(document)
  const renames = new Renames(rules)
  let isFound = false
  visitNames(document, names, text => {
    renames.avoid(text)
    isFound ||= renames.isWanted(text)
  })
  const rename: Rename = text => renames.of(text)
  const options = {
    glyphs: names.glyphs,
    rename,
    renameInString: (bytes: Uint8Array) => renameInContent(bytes, rename),
  }
  for (const ref of isFound ? names.refs : []) {
    const object = document.peek(ref)
    if (!object || !renameInObject(document, object, { ...options, isChanging: false })) continue
    const renamed = renameInObject(document, document.store.get(ref) ?? object, { ...options, isChanging: true })
    if (renamed) document.store.set(ref, renamed)
  }
  for (const ref of findContentStreams(document)) {
    const bytes = peekContent(document, ref)
    const dict = holdsName(bytes, text => renames.isWanted(text)) ? document.peekDict(ref) : undefined
    const renamed = dict && renameInContent(bytes, rename)
    if (dict && renamed) document.store.set(ref, deflatedStream(document, dict, renamed))
  }
}

/**
 * Returns the custom names in objects and content streams that rules without `pages` still match.
 */
export function findNameResidue(document: PdfDocument, rules: readonly Rule[]): string[] {
  const renames = new Renames(rules.filter(rule => rule.isForAll))
  const found = new Set<string>()
  const note = (text: string): void => {
    if (renames.isWanted(text)) found.add(readingsOf(text)[0] ?? text)
  }
  visitNames(document, openNames(document), note)
  for (const ref of findContentStreams(document)) {
    const bytes = peekContent(document, ref)
    if (holdsName(bytes, text => renames.isWanted(text))) for (const { text } of namesInContent(bytes)) note(text)
  }
  return [...found]
}

/** Chooses and remembers the new names of matched names. */
class Renames {
  private readonly matched = new Map<string, boolean>()
  private readonly newNames = new Map<string, string>()
  private readonly usedNames = new Set<string>()

  constructor(private readonly rules: readonly Rule[]) {}

  /** Reserves a name that already exists in the document, so that it isn't chosen as a new name. */
  avoid(text: string): void {
    if (text.startsWith('redacted')) this.usedNames.add(text)
  }

  isWanted(text: string): boolean {
    let isWanted = this.matched.get(text)
    if (isWanted === undefined) this.matched.set(text, (isWanted = findMatch(text, this.rules) !== undefined))
    return isWanted
  }

  /** Returns the new name, or undefined if no rule matches. A match counts once for each name. */
  of(text: string): string | undefined {
    if (!this.isWanted(text)) return undefined
    const newName = this.newNames.get(text)
    if (newName !== undefined) return newName
    const match = findMatch(text, this.rules)
    match?.rule.count(match.text)
    let count = 1
    while (this.usedNames.has(`redacted${count}`)) count++
    const name = `redacted${count}`
    this.usedNames.add(name)
    this.newNames.set(text, name)
    return name
  }
}

function visitNames(
  document: PdfDocument,
  { refs, glyphs }: ReturnType<typeof openNames>,
  visit: (text: string) => void,
): void {
  const rename: Rename = text => {
    visit(text)
    return undefined
  }
  const renameInString = (bytes: Uint8Array): undefined => void renameInContent(bytes, rename)
  for (const ref of refs) {
    const object = document.peek(ref)
    if (object) renameInObject(document, object, { glyphs, rename, renameInString, isChanging: false })
  }
}

/** Returns the first match in a name, unless a specification defines the name. */
function findMatch(text: string, rules: readonly Rule[]): { rule: Rule; text: string } | undefined {
  return text.length < LEAST_MATCHED || isStandardName(text) ? undefined : findInName(text, rules, LEAST_MATCHED)
}

/** Returns the first match of at least `leastLength` characters in any name. `text` is the name's bytes as Latin-1. */
export function findInName(
  text: string,
  rules: readonly Rule[],
  leastLength = 1,
): { rule: Rule; text: string } | undefined {
  const isForeign = rules.some(rule => rule.isForeign)
  for (const reading of readingsOf(text, isForeign)) {
    const searched = composeText(Array.from(reading))
    for (const rule of rules) {
      const match = rule.find(searched).find(({ start, end }) => end - start >= leastLength)
      if (match) return { rule, text: searched.text.slice(match.start, match.end) }
    }
  }
  return undefined
}

/**
 * Returns the possible readings of a name: as UTF-8 (ISO 32000-2, 7.3.5), as a text string and as Latin-1. Also returns
 * each reading with spaces instead of separators, and with spaces between the words of camel case.
 */
function readingsOf(text: string, isForeign = false): string[] {
  const bytes = Buffer.from(text, 'latin1')
  const plain = [bytes.toString('utf8'), ...textsOfBytes(bytes, { isForeign }), text]
  const spaced = plain.flatMap(reading => [
    reading.replace(/[_.\-+]+/g, ' '),
    reading.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '),
  ])
  return [...new Set([...plain, ...spaced])]
}
