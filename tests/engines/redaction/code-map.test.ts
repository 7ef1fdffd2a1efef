import { describe, expect, it } from 'vitest'
import { forgetInMap } from '../../../engines/redaction/code-map'
import { keyOfCode } from '../../../engines/redaction/removed-codes'

const keys = (length: number, ...codes: number[]): Set<number> => new Set(codes.map(code => keyOfCode(code, length)))
const plain = (text: string | undefined): string | undefined => text?.replace(/\s+/g, ' ').trim()

describe('a map of codes', () => {
  it('says nothing any more of codes that go, and of the others what it said', () => {
    const map = '/CMapName /A def 3 beginbfchar <0001> <0041> % one\n<0002> <00420043> <0003><0044> endbfchar endcmap'
    expect(plain(forgetInMap(map, keys(2, 2)))).toBe('/CMapName /A def 2 beginbfchar <0001> <0041> <0003> <0044> endbfchar endcmap')
  })

  it('has its ranges taken apart around them', () => {
    expect(plain(forgetInMap('1 beginbfrange <10> <15> <0041> endbfrange', keys(1, 0x10, 0x12)))).toBe('2 beginbfrange <11> <11> <0042> <13> <15> <0044> endbfrange')
    expect(plain(forgetInMap('1 beginbfrange <10> <12> [<0041> <0058> <0059>] endbfrange', keys(1, 0x11)))).toBe('2 beginbfrange <10> <10> [<0041>] <12> <12> [<0059>] endbfrange')
    expect(plain(forgetInMap('1 beginbfrange <0000> <FFFF> <0000> endbfrange', keys(2, 0x1234)))).toBe('2 beginbfrange <0000> <1233> <0000> <1235> <ffff> <1235> endbfrange')
  })

  it('stays as it is where it says nothing of them, or where codes have another length', () => {
    const map = '1 beginbfchar <0001> <0041> endbfchar 1 beginbfrange <20> <7e> <0020> endbfrange'
    expect(forgetInMap(map, keys(1, 1))).toBeUndefined()
    expect(forgetInMap(map, keys(2, 0x41))).toBeUndefined()
  })

  it('is read once, however many blocks begin and do not end', () => {
    const since = performance.now()
    expect(forgetInMap('9 beginbfchar <01> <0041> '.repeat(50_000), keys(1, 1))).toBeUndefined()
    expect(performance.now() - since).toBeLessThan(2000)
  })
})
