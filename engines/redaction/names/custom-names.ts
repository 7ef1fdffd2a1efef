import { PDFHexString } from 'pdf-lib'
import { findContentStreams, peekContent } from '../../pdf-core/content/content-streams'
import { deflatedStream } from '../../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readText } from '../../pdf-core/syntax/text-string'
import { holdsName, namesInContent, renameInContent } from './content-names'
import { openNames, renameInObject } from './name-places'
import type { Rename } from './name-places'
import type { Rule } from '../search/search'
import { composeText } from '../text/search-text'
import { isStandardName } from './standard-names'

/** Characters that a match in a name has at least: fewer are in names by chance. */
const LEAST_MATCHED = 3

/**
 * Gives names that people or programs chose and that rules match another one, `redacted1` and so on: the same
 * everywhere, as keys, as values and in content, so that what belongs together still does. Names that specifications
 * define stay, as do those of fonts and glyphs. Matches count.
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
  const how = { glyphs: names.glyphs, rename, renameInString: (bytes: Uint8Array) => renameInContent(bytes, rename) }
  for (const ref of isFound ? names.refs : []) {
    const object = document.peek(ref)
    if (!object || !renameInObject(document, object, { ...how, isChanging: false })) continue
    const renamed = renameInObject(document, document.store.get(ref) ?? object, { ...how, isChanging: true })
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
 * Names that people or programs chose, in objects and in content, and that rules for all of the document still match.
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

/** The names that rules give others, by their text. */
class Renames {
  private readonly wanted = new Map<string, boolean>()
  private readonly known = new Map<string, string>()
  private readonly taken = new Set<string>()

  constructor(private readonly rules: readonly Rule[]) {}

  /** Names that the document has already are not given again. */
  avoid(text: string): void {
    if (text.startsWith('redacted')) this.taken.add(text)
  }

  isWanted(text: string): boolean {
    let isWanted = this.wanted.get(text)
    if (isWanted === undefined) this.wanted.set(text, (isWanted = findMatch(text, this.rules) !== undefined))
    return isWanted
  }

  /** The other name; a match counts once for each name. */
  of(text: string): string | undefined {
    if (!this.isWanted(text)) return undefined
    const known = this.known.get(text)
    if (known !== undefined) return known
    const match = findMatch(text, this.rules)
    match?.rule.count(match.text)
    let count = 1
    while (this.taken.has(`redacted${count}`)) count++
    const name = `redacted${count}`
    this.taken.add(name)
    this.known.set(text, name)
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

/** What a rule matches of a name that no specification defines. */
function findMatch(text: string, rules: readonly Rule[]): { rule: Rule; text: string } | undefined {
  return text.length < LEAST_MATCHED || isStandardName(text) ? undefined : findInName(text, rules, LEAST_MATCHED)
}

/** The first match of at least so many characters in a name, whatever name it is. `text` is its bytes as Latin-1. */
export function findInName(
  text: string,
  rules: readonly Rule[],
  leastLength = 1,
): { rule: Rule; text: string } | undefined {
  for (const reading of readingsOf(text)) {
    const searched = composeText(Array.from(reading))
    for (const rule of rules) {
      const match = rule.find(searched).find(({ start, end }) => end - start >= leastLength)
      if (match) return { rule, text: searched.text.slice(match.start, match.end) }
    }
  }
  return undefined
}

/**
 * What a name may say: in UTF-8 (ISO 32000-2, 7.3.5), as a text string, byte by byte, and with the spaces that people
 * put another sign for.
 */
function readingsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'latin1')
  const plain = [bytes.toString('utf8'), readText(PDFHexString.of(bytes.toString('hex'))) ?? '', text]
  const spaced = plain.flatMap(reading => [
    reading.replace(/[_.\-+]+/g, ' '),
    reading.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '),
  ])
  return [...new Set([...plain, ...spaced])]
}
