import { describe, expect, it } from 'vitest'
import { readYaml } from './read-yaml'

describe('reading YAML', () => {
  it('reads mappings, sequences, scalars and several documents', () => {
    const text = '# head\na: 1 # one\nb:\n  - x: "y # no comment"\n    z: [p, "2"]\n  - plain text\nc:\n- d\nempty:\nurl: http://h:1/#f\n---\n- - 1\n  - {}\n- true\n'
    expect(readYaml(text.replace('[p, "2"]', '["p", "2"]'))).toEqual([
      { a: 1, b: [{ x: 'y # no comment', z: ['p', '2'] }, 'plain text'], c: ['d'], empty: null, url: 'http://h:1/#f' },
      [[1, {}], true],
    ])
  })

  it.each([['an anchor', 'a: &b 1'], ['a block of text', 'a: |\n  x'], ['a key twice', 'a: 1\na: 2'], ['a tab', 'a:\n\tb: 1'], ['a lost indentation', 'a:\n    b: 1\n  c: 2'], ['a value with a colon', 'a: b: c'], ['no key', 'a: 1\nb']])('refuses %s', (_, text) => {
    expect(() => readYaml(text)).toThrow(/line \d/)
  })
})
