import { describe, expect, it } from 'vitest'
import { createRefusal } from '../../../lib/refusal'
import { findJsonError } from '../../../lib/body/json-error'
import { JsonPositions } from '../../../lib/body/json-positions'
import { JsonScanner } from '../../../lib/body/json-scanner'

const refuse = (message: string) => createRefusal('invalid_payload', [{ message }])

function messageOf(text: string, pieceLength = text.length): string {
  try {
    const scanner = new JsonScanner({ maxStructureBytes: 1e6, maxFiles: 3 }, refuse)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += pieceLength) scanner.write(bytes.subarray(at, at + pieceLength))
    scanner.end()
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  }
}

describe('an error of JSON', () => {
  it.each([
    ['{"a": }', 'line 1, column 7. Expected a value. Got "}".'],
    ['{\n  "a": 1,\n  "b": [1, 2,]\n}', 'line 3, column 14. Expected a value. Got "]".'],
    ['{\n\t"größe": 1,\n\t"😀": 1 "c": 2\n}', 'line 3, column 9. Expected "," or "}". Got "\\"".'],
    ['{"a": 1,}', 'line 1, column 9. Expected a name in quotes. Got "}".'],
    ["{'a': 1}", 'line 1, column 2. Got'],
    ['{"a" 1}', 'line 1, column 6. Expected ":". Got "1".'],
    ['{"a": 01}', 'line 1, column 7. Expected a value. Got "0".'],
    ['{"a": tru}', 'line 1, column 7. Expected a value. Got "t".'],
    ['{"a": "x\ty"}', 'line 1, column 9. Expected an escape, such as \\n, for the control character. Got "\\t".'],
    ['{"a": "\\x"}', 'line 1, column 8. Expected a valid escape'],
    ['{"a": 1}\n\n  {"b": 2}', 'line 3, column 3. Expected the end. Got "{".'],
    ['\uFEFF{"a": }', 'line 1, column 7. Expected a value. Got "}".'],
    ['{"dataBase64": "QUJD\\n",\n "a": }', 'line 2, column 7. Expected a value. Got "}".'],
    ['{"a": 1', 'The JSON is truncated at line 1, column 8. Expected "," or "}".'],
    ['{\n"a": [', 'The JSON is truncated at line 2, column 7. Expected a value or "]".'],
    ['{"a": "x', 'The JSON is truncated in the middle of a string'],
    ['{"a":\n  #}', 'line 2, column 3. Got a character outside of quotes.'],
  ])('%j is named with its place', (text, message) => {
    expect(messageOf(text)).toContain(message)
    expect(messageOf(text, 1)).toBe(messageOf(text))
  })

  it('is found wherever JSON.parse finds one, and nowhere else', () => {
    const valid = [
      '{"a": [1, -2.5e+3, "x\\u00e9\\\\", true, false, null, {}, []], "b": {"c": ""}}',
      '1',
      '"x"',
      '[[[]]]',
    ]
    for (const text of valid) {
      for (let at = 0; at < text.length; at++) {
        for (const change of ['', ',', '"', '}', ']', '0', ':', '\\', '\n', 'e']) {
          const changed = text.slice(0, at) + change + text.slice(at + 1)
          expect([changed, findJsonError(Buffer.from(changed)) === undefined]).toEqual([changed, parses(changed)])
        }
      }
    }
  })

  it('is counted in lines of any number of empty ones, which take no memory', () => {
    const positions = new JsonPositions()
    for (let at = 1; at <= 1_000_000; at++) positions.skipTo(0, at, true)
    expect(positions.describe(0, Buffer.from('}'))).toBe('line 1000001, column 1')
    expect(Object.values(positions).flat()).toHaveLength(3)
  })

  it('has no place in text of too many pieces', () =>
    expect(messageOf(`[${'1 , '.repeat(60_000)}]`)).toBe('The body isn\'t valid JSON. Expected a value. Got "]".'))
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
