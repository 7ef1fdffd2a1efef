import { describe, expect, it } from 'vitest'
import { anchorsOf, readAround } from '../../../../../engines/features/redaction/residue/byte-spelling'

describe('bytes', () => {
  it.each([
    ['Quim', true, ['Quim']],
    ['quim', false, ['quim', 'QUIM', 'Quim']],
    ['Möller-office', true, ['office', 'oﬃce']],
    ['Maß', true, ['Maß']],
    ['Maß', false, ['Maß', 'maß', 'MASS', 'Mass', 'mass']],
  ])('that may spell %j (case-sensitive: %j) contain one of %j', (text, isExact, anchors) => {
    expect(anchorsOf(text, isExact)).toEqual(anchors)
  })

  it.each([
    ['<4b6565705175696d6b656570>', 20, 'KeepQuimkeep'],
    ['<4b6565705175696d6b656570>', 4, 'epQuimke'],
    ['5175696d6b', 20, 'Quimk'],
    ['<zz5175696dzz>', 20, 'Quim'],
  ])('in hexadecimal, %s, are read as far as the digits, with %i around', (hex, aroundBytes, text) => {
    const [bytes, word] = [Buffer.from(hex), '5175696d']
    const around = { encoding: 'hex-byte', length: word.length, aroundBytes } as const
    expect(readAround(bytes, bytes.indexOf(word), around)).toEqual([text])
  })
})
