import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Base64Decoder } from '../../../lib/body/base64-decoder'

function decode(text: string, pieceLength = text.length || 1): { bytes: Buffer; problem: string | undefined } {
  const decoder = new Base64Decoder()
  const source = Buffer.from(text, 'latin1')
  for (let start = 0; start < source.length; start += pieceLength) {
    decoder.write(source, start, Math.min(source.length, start + pieceLength))
  }
  decoder.end()
  const bytes = Buffer.concat(decoder.chunks)
  expect(decoder.byteLength).toBe(bytes.length)
  return { bytes, problem: decoder.problem }
}

describe('the base64 decoder', () => {
  it('returns the bytes whatever their number and however the text is split', () => {
    for (let length = 0; length < 40; length++) {
      const bytes = randomBytes(length)
      for (const piece of [1, 2, 3, 5, 7, 1000])
        expect(decode(bytes.toString('base64'), piece)).toEqual({ bytes, problem: undefined })
    }
  })

  it('decodes across several blocks of its output', () => {
    const bytes = randomBytes(300_000)
    expect(decode(bytes.toString('base64'), 4099).bytes.equals(bytes)).toBe(true)
  })

  it('returns the same for a long text as for single characters, whatever the text contains', () => {
    const text = randomBytes(1500).toString('base64').replace(/[+/]/g, 'A')
    for (let code = 0; code < 256; code++) {
      for (const at of [300, 997, 1999]) {
        const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
        const [whole, single] = [decode(changed, 4096), decode(changed, 1)]
        expect(whole.problem, `byte ${code} at ${at}`).toBe(single.problem)
        expect(whole.bytes.equals(single.bytes), `byte ${code} at ${at}`).toBe(true)
      }
    }
  })

  it('decodes a long text broken into lines, and one with a data: prefix', () => {
    const bytes = randomBytes(200_000)
    const lines = bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
    for (const text of [lines, `data:;base64,${bytes.toString('base64')}`]) {
      const decoded = decode(text, 65_536)
      expect([decoded.bytes.equals(bytes), decoded.problem]).toEqual([true, undefined])
    }
  })

  it.each(['data:application/pdf;base64,', 'DATA:;base64,', 'data:text/plain;charset=utf-8;base64,'])(
    'accepts the prefix %s',
    prefix => {
      for (const piece of [1, 2, 6, 100]) expect(decode(`${prefix}JVBERi0=`, piece).bytes.toString()).toBe('%PDF-')
    },
  )

  it('does not mistake base64 that begins like the prefix for a prefix', () => {
    for (const text of ['data', 'dataAAAA', 'dat0']) expect(decode(text, 1).bytes).toEqual(Buffer.from(text, 'base64'))
  })

  it('skips white space between characters, groups and padding', () => {
    expect(decode(' JV\r\nBE Ri\t0 =\n').bytes.toString()).toBe('%PDF-')
    expect(decode('JVBERg= =\n', 1).bytes.toString()).toBe('%PDF')
  })

  it.each([
    ['JVBE-Ri0', /"-" of the URL-safe alphabet/],
    ['JVBE_Ri0', /"_" of the URL-safe alphabet/],
    ['JVBE*Ri0', /"\*" at position 5/],
    ['%%%%', /"%" at position 1/],
    ['JVBERi0', /multiple of 4/],
    ['JVBERi0==', /padding in the wrong place/],
    ['JVBE=', /padding in the wrong place/],
    ['JVBEA===', /padding in the wrong place/],
    ['JVBERi0=AAAA', /"A" at position 9/],
    ['AAAA\u00e9', /an invalid character/],
    ['data:application/pdf,JVBERi0=', /must be base64/],
    [`data:${'x'.repeat(400)}`, /must have a comma/],
  ])('refuses %j', (text, problem) => {
    for (const piece of [1, 3, 1000]) {
      const decoded = decode(text, piece)
      expect(decoded.problem).toMatch(problem)
      expect(decoded.bytes).toHaveLength(0)
    }
  })
})
