import { describe, expect, it } from 'vitest'
import { createRefusal } from '../../../lib/call-refusal'
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
    ['{"a": }', 'line 1, column 7 has "}" where a value should be'],
    ['{\n  "a": 1,\n  "b": [1, 2,]\n}', 'line 3, column 14 has "]" where a value should be'],
    ['{\n\t"größe": 1,\n\t"😀": 1 "c": 2\n}', 'line 3, column 9 has "\\"" where "," or "}" should be'],
    ['{"a": 1,}', 'line 1, column 9 has "}" where a name in quotes should be'],
    ["{'a': 1}", 'line 1, column 2 has'],
    ['{"a" 1}', 'line 1, column 6 has "1" where ":" should be'],
    ['{"a": 01}', 'line 1, column 7 has "0" where a value should be'],
    ['{"a": tru}', 'line 1, column 7 has "t" where a value should be'],
    ['{"a": "x\ty"}', 'line 1, column 9 has "\\t" where an escape, such as \\n, for the control character should be'],
    ['{"a": "\\x"}', 'line 1, column 8 has "\\\\" where a valid escape'],
    ['{"a": 1}\n\n  {"b": 2}', 'line 3, column 3 has "{" where the end should be'],
    ['\uFEFF{"a": }', 'line 1, column 7 has "}"'],
    ['{"dataBase64": "QUJD\\n",\n "a": }', 'line 2, column 7 has "}" where a value should be'],
    ['{"a": 1', 'The JSON is truncated: it ends at line 1, column 8, where "," or "}" should follow'],
    ['{\n"a": [', 'The JSON is truncated: it ends at line 2, column 7, where a value or "]" should follow'],
    ['{"a": "x', 'The JSON is truncated: it ends in the middle of a string'],
    ['{"a":\n  #}', 'line 2, column 3 has a character outside of quotes'],
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
    expect(messageOf(`{${'"a" : 1 ,'.repeat(40_000)}}`)).toBe(
      'The body is not valid JSON; it has "}" where a name in quotes should be',
    ))
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
