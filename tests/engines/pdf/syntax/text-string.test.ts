import { PDFHexString, PDFName, PDFString } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readTextLine } from '../../../../engines/pdf/syntax/text-string'

describe('readTextLine', () => {
  it.each([
    ['PDFDocEncoding', PDFString.of('Caf\\351'), 'Café'],
    ['UTF-16 big-endian', PDFHexString.of('FEFF017C00F30142'), 'żół'],
    ['UTF-16 little-endian', PDFHexString.of('FFFE7C01F300'), 'żó'],
    ['UTF-16 with an extra byte', PDFHexString.of('FEFF017C00'), 'ż'],
    ['UTF-8', PDFHexString.of('EFBBBFC5BC'), 'ż'],
    ['half of a surrogate pair', PDFHexString.of('FEFF0041D800'), 'A\ufffd'],
    ['several lines', PDFString.of(String.raw`One\r\n  two\tthree `), 'One two three'],
    ['only white space', PDFString.of('  '), undefined],
    ['a name', PDFName.of('Name'), undefined],
    ['nothing', undefined, undefined],
  ])('reads %s', (_, value, text) => {
    expect(readTextLine(value)).toBe(text)
  })

  it('shortens text that is too long for a title', () => {
    expect(readTextLine(PDFString.of('a'.repeat(5000)))).toHaveLength(1000)
  })
})
