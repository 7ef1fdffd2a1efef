import { describe, expect, it } from 'vitest'
import { openFinder, regexProblem } from '../../../../../engines/features/redaction/search-rules/rules'
import type { AskedRule } from '../../../../../engines/features/redaction/search-rules/rules'
import { composeText } from '../../../../../engines/features/redaction/matching/search-text'

/** The matches of a rule, as the text at their source positions. */
function find(rule: Partial<AskedRule>, text: string): string[] {
  const searched = composeText(Array.from(text))
  return openFinder({ caseSensitive: false, wholeWord: false, ...rule })(searched).map(({ start, end }) =>
    searched.text.slice(start, end),
  )
}

it.each<[regex: string, text: string, exact: string[], folded: string[]]>([
  ['straße', 'A STRASSE, a Straße and a straße', ['straße'], ['STRASSE', 'Straße', 'straße']],
  ['strasse', '😀 one Straße and a STRAẞE', [], ['Straße', 'STRAẞE']],
  ['x[ß]', 'xß xss', ['xß'], ['xß']],
  ['istanbul', 'İSTANBUL', [], ['İSTANBUL']],
  ['[a-c]+', 'abc de Ab', ['abc', 'b'], ['abc', 'Ab']],
  ["O'Neil", 'O’Neil', ["O'Neil"], ["O'Neil"]],
  ['O’Neil', "O’Neil and O'Neil", ["O'Neil"], ["O'Neil"]],
  ['[–]+|b-c', 'a–b-c', ['-', 'b-c'], ['-', 'b-c']],
  ['²', '2', ['2'], ['2']],
  ['x*', 'xx y', ['xx'], ['xx']],
])('the expression %s finds parts of "%s", with and without regard to case', (regex, text, exact, folded) => {
  expect(find({ regex, caseSensitive: true }, text)).toEqual(exact)
  expect(find({ regex }, text)).toEqual(folded)
})

it('an expression must be valid, match some text, and have at most 5,000 steps', () => {
  const long = (last: number) => `${'a{1000}'.repeat(4)}a{${last}}`
  expect(regexProblem(long(998))).toBeUndefined()
  expect(regexProblem(long(999))).toMatch(/^is too complex: 5,001 steps, and at most 5,000 are allowed/)
  expect(regexProblem('a*')).toMatch(/must not match empty text/)
  expect(regexProblem('(')).toMatch(/^must be a regular expression in RE2 syntax \(missing closing/)
})

describe('a text', () => {
  it.each<[text: string, shown: string, found: string[]]>([
    ['aa', 'aaa aaaa', ['aa', 'aa', 'aa']],
    ['ss', 'aß groß Fluss', ['ß', 'ß', 'ss']],
    ['sa', 'ßa sa', ['sa']],
    ['as', 'aß', []],
    ['-', 'a-b', ['-']],
    ["''", "a''''b", ["''", "''"]],
    ['.com', 'a.com', ['.com']],
    ['(Doe)', 'Jane (Doe) Doe', ['(Doe)']],
    ['-Doe', 'Jane Doe -Doe', ['-Doe']],
    ["Doe's", "Does Doe's Doe’s", ["Doe's", "Doe's"]],
    ['Jane Doe', 'Jane  Doe JaneDoe Jane\nDoe Jane-Doe', ['Jane Doe', 'Jane Doe']],
    ['Jane-Doe', 'Jane Doe Jane-Doe Jane-\nDoe', ['Jane-Doe', 'Jane- Doe']],
    ['Janedoe', 'Jane-\ndoe Jane-doe Jane\ndoe', ['Jane- doe']],
    ['Montgomery', 'Mont\ngomery Mont gomery', ['Mont gomery']],
    ['4711', '47\n11 47 11', ['47 11']],
    ['471', '47\n1', []],
    ['Amélie', 'Amélie Amelie Ame´lie Am´elie', ['Amélie', "Ame'lie", "Am'elie"]],
    ['Amelie', 'Amélie Amelie', ['Amelie']],
    ['école', '´ecole e´cole', ["'ecole", "e'cole"]],
    ['café', 'cafe´', ["cafe'"]],
    ['東京', '東\n京', ['東 京']],
  ])('%j is found in %j', (text, shown, found) => {
    expect(find({ text }, shown)).toEqual(found)
  })

  it.each<[text: string, shown: string, found: number]>([
    ['Doe', 'Doe Doey _Doe x.Doe', 2],
    ['Doe', 'Doe1 1Doe Doe\u0301', 0],
    ['京', '東京に', 0],
    ['東京', 'x東京に', 1],
    ['x', 'x東', 1],
  ])('%j as a word is in %j %d times', (text, shown, count) => {
    expect(find({ text, wholeWord: true }, shown)).toHaveLength(count)
  })
})
