import { describe, expect, it } from 'vitest'
import { isNaturalEncoding, isNaturalNumbering } from '../../../../../engines/pdf/fonts/subsets/standard-codes'
import { codeOfKey, keyOfCode } from '../../../../../engines/pdf/content/code-keys'

/** Codes of one byte, and their text by ToUnicode. */
function encode(codes: Record<number, string>) {
  const texts = new Map(Object.entries(codes).map(([code, text]) => [keyOfCode(Number(code), 1), text] as const))
  return { keys: [...texts.keys()], meaning: (key: number) => ({ unicode: texts.get(key) }) }
}

/** Codes of two bytes with the glyph number as code. */
function number(glyphs: Record<number, string>) {
  const texts = new Map(Object.entries(glyphs).map(([glyph, text]) => [keyOfCode(Number(glyph), 2), text] as const))
  return {
    cids: new Map([...texts.keys()].map(key => [key, codeOfKey(key).code] as const)),
    meaning: (key: number) => ({ unicode: texts.get(key) }),
  }
}

describe('codes of a simple font', () => {
  it('are natural if letters and digits have their ASCII codes', () => {
    const { keys, meaning } = encode({ 65: 'A', 122: 'z', 49: '1', 201: 'É' })
    expect(isNaturalEncoding(keys, meaning)).toBe(true)
  })

  it('are not natural if they number characters in order of use or in alphabetical order', () => {
    const orders: Record<number, string>[] = [
      { 1: 'Q', 2: 'u', 3: 'i' },
      { 33: 'a', 34: 'b', 35: 'c' },
    ]
    for (const codes of orders) {
      const { keys, meaning } = encode(codes)
      expect(isNaturalEncoding(keys, meaning)).toBe(false)
    }
  })

  it('are checked by glyph names before ToUnicode', () => {
    const keys = [keyOfCode(65, 1)]
    expect(isNaturalEncoding(keys, () => ({ glyphName: 'A', unicode: 'x' }))).toBe(true)
    expect(isNaturalEncoding(keys, () => ({ glyphName: 'seven' }))).toBe(false)
  })

  it('are natural without ToUnicode and glyph names only if they leave gaps', () => {
    expect(
      isNaturalEncoding(
        [1, 2, 3, 4].map(code => keyOfCode(code, 1)),
        () => ({}),
      ),
    ).toBe(false)
    expect(
      isNaturalEncoding(
        [3, 40, 97, 180].map(code => keyOfCode(code, 1)),
        () => ({}),
      ),
    ).toBe(true)
  })
})

describe('glyph numbers', () => {
  it('are natural if letters keep the distances of a whole font', () => {
    const { cids, meaning } = number({ 36: 'A', 47: 'L', 55: 'T', 68: 'a', 72: 'e', 87: 't' })
    expect(isNaturalNumbering(cids, meaning)).toBe(true)
  })

  it('are not natural if they number glyphs in order of use', () => {
    const { cids, meaning } = number({ 1: 'Q', 2: 'u', 3: 'i', 4: 'm', 5: 'b', 6: 'y' })
    expect(isNaturalNumbering(cids, meaning)).toBe(false)
  })

  it('are not natural if a range is used without gaps, even in alphabetical order', () => {
    const { cids, meaning } = number({ 1: 'a', 2: 'b', 3: 'c', 4: 'd' })
    expect(isNaturalNumbering(cids, meaning)).toBe(false)
  })
})
