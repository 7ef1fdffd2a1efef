import { describe, expect, it } from 'vitest'
import {
  readCharacterOfName,
  readMeaningOfName,
  readTextOfName,
} from '../../../../../engines/pdf/fonts/programs/glyph-names'

describe('the name of a glyph', () => {
  const told: Record<string, string> = {
    f_i: 'fi',
    f_f_i: 'ffi',
    'f_i.liga': 'fi',
    fi: 'fi',
    IJ: 'IJ',
    T_h: 'Th',
    uni00660069: 'fi',
    uni0041: 'A',
    u1F600: '😀',
    u0041: 'A',
    'a.sc': 'a',
    'one.oldstyle': '1',
    oneoldstyle: '1',
    onetaboldstyle: '1',
    onelf: '1',
    Asmall: 'a',
    Eacutesmall: 'é',
    eacute: 'é',
    'abreve.alt': 'ă',
    Scaron: 'Š',
    quoteright: '’',
    'germandbls.sc': 'ß',
    uni20AC: '€',
    lslash: 'ł',
    uhungarumlaut: 'ű',
    tcommaaccent: 'ț',
    gcommaaccent: 'ģ',
    alphatonos: 'ά',
    uniD83DDE00: '😀',
    afii10017: 'А',
    Delta: 'Δ',
    Germandbls: 'ẞ',
    aemacron: 'ǣ',
    epsilon1: 'ϵ',
    parenleftbigg: '(',
    bracerightBig: '}',
    summationtext: '∑',
    integraldisplay: '∫',
  }
  for (const [name, text] of Object.entries(told))
    it(`${name} stands for ${text}`, () => expect(readTextOfName(name)).toBe(text))

  const NUMBERS = [
    'g23',
    'cid123',
    'a1',
    'glyph12',
    '.notdef',
    '',
    'C0065',
    'f_g23',
    'uniE000',
    'uniD83D',
    'u110000',
    'index5',
    '_',
    'constructor',
    'e__proto__',
  ]
  for (const name of NUMBERS) it(`${name} has no meaning`, () => expect(readTextOfName(name)).toBeUndefined())
})

describe('the character that a glyph name proves', () => {
  it('is a letter or digit, however the glyph is drawn', () => {
    expect(readMeaningOfName('eacute')).toEqual({ text: 'é', isSmallCap: false })
    expect(readMeaningOfName('Asmall')).toEqual({ text: 'a', isSmallCap: true })
    expect(readMeaningOfName('a.sc')).toEqual({ text: 'a', isSmallCap: true })
    expect(readMeaningOfName('f_i')).toEqual({ text: 'fi', isSmallCap: false })
    expect(readMeaningOfName('afii10017')).toEqual({ text: 'А', isSmallCap: false })
  })

  it('can be a sign, known or unknown, or an accent alone', () => {
    for (const name of [
      'comma',
      'space',
      'circumflex',
      'bracketleftbig',
      'arrowvertex',
      'SF100000',
      'summationdisplay',
    ])
      expect(readMeaningOfName(name)).toBe('sign')
  })

  it('is undefined if the name only numbers the glyph', () => {
    for (const name of ['g23', 'cid123', '.notdef', 'C0065', '']) expect(readMeaningOfName(name)).toBeUndefined()
  })
})

describe('the glyph name of a character', () => {
  it('is the name that fonts are searched for', () => {
    const characters: Record<string, number> = {
      fi: 0xfb01,
      Delta: 0x2206,
      gcommaaccent: 0x123,
      afii10017: 0x410,
      'A.sc': 0x41,
      uni00660069: 0x66,
      u1F600: 0x1f600,
      twosuperior: 0xb2,
    }
    for (const [name, character] of Object.entries(characters)) expect(readCharacterOfName(name), name).toBe(character)
    for (const name of ['f_i', 'Asmall', 'g23', '.notdef']) expect(readCharacterOfName(name), name).toBeUndefined()
  })
})
