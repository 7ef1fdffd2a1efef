import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PDFName } from 'pdf-lib'
import { readCMap } from '../../../../engines/pdf/fonts/cmaps/cmap'
import { readString, writeString } from '../../../../engines/pdf/syntax/operand-strings'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { HEX, LITERAL } from '../../../../engines/pdf/syntax/content-operands'
import { ContentReader } from '../../../../engines/pdf/syntax/content-reader'
import { makePage } from '../../../fixtures/images'
import { LIMITS } from '../../../support/run-on'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Operators with the text range of each operation. */
function operations(content: Buffer): [string, string][] {
  const reader = new ContentReader(content)
  const found: [string, string][] = []
  while (reader.next()) found.push([reader.operator, content.toString('latin1', reader.start, reader.end)])
  return found
}

describe('reading content', () => {
  it('separates operations with their operands', () => {
    expect(
      operations(latin("q 1 0 0 -1.5 .5 +7 cm%comment Q\n/F#31 12Tf[(a\\)b(c))-20<4 1>]TJ(x)'")).map(
        ([, text]) => text,
      ),
    ).toEqual(['q', '1 0 0 -1.5 .5 +7 cm', '/F#31 12Tf[(a\\)b(c))-20<4 1>]TJ', "(x)'"])
    expect(operations(latin('/P<</A(>>)/B<</C 1>>>>BDC EMC'))).toEqual([
      ['BDC', '/P<</A(>>)/B<</C 1>>>>BDC'],
      ['EMC', 'EMC'],
    ])
  })

  it('reads numbers as viewers do', () => {
    const reader = new ContentReader(latin('--5 4. -.25 00012 1.2.3 12345678901234567890.5 x'))
    reader.next()
    expect([5, 4, 3, 2, 1, 0].map(place => reader.number(place))).toEqual([
      -5, 4, -0.25, 12, 1.2, 1.2345678901234567e19,
    ])
  })

  it('ends at the end of the content, whatever is still open', () => {
    for (const text of ['(never closed', '[1 2 (x)', '<< /A', '<41', 'BI /W 1 ID', 'BI /W 9', '/'])
      expect(operations(latin(`q ${text}`))[0]).toEqual(['q', 'q'])
  })

  const data = Buffer.from('ab EI Q q EI 12 EI Q\n', 'latin1')
  const images: Record<string, [dictionary: string, data: Buffer]> = {
    'as they are': ['/W 7 /H 3 /BPC 8 /CS /G', data],
    'of one bit': ['/W 56 /H 3 /IM true', data],
    'of a palette': ['/W 7 /H 3 /BPC 8 /CS [/I /RGB 1 <000000FFFFFF>]', data],
    deflated: ['/W 7 /H 3 /BPC 8 /CS /G /F /Fl', deflateSync(data, { level: 0 })],
    'in runs': ['/W 7 /H 3 /BPC 8 /CS /G /F [/RL]', Buffer.concat([Buffer.from([20]), data, Buffer.from([128])])],
    'as text': ['/W 7 /H 3 /BPC 8 /CS /G /F [/AHx /Fl]', latin('4142 EI 4344>')],
    'in another code': ['/W 7 /H 3 /BPC 8 /CS /G /F /CCF', latin('\x01\x02 EI \x03\x04\xff EI\x00\x80')],
  }
  for (const [name, [dictionary, bytes]] of Object.entries(images)) {
    it(`finds the end of inline images ${name} that contain the end marker`, () => {
      const content = Buffer.concat([latin(`q BI ${dictionary} ID `), bytes, latin('\nEI Q (x) Tj')])
      const reader = new ContentReader(content)
      reader.next()
      reader.next()
      expect(reader.operator).toBe('BI')
      expect(content.subarray(reader.dataStart, reader.dataEnd)).toEqual(bytes)
      expect(operations(content).map(([operator]) => operator)).toEqual(['q', 'BI', 'Q', 'Tj'])
    })
  }

  it('reads and writes strings', () => {
    const read = (text: string): string =>
      Buffer.from(readString(latin(text), text.startsWith('<') ? HEX : LITERAL, 0, text.length)).toString('latin1')
    expect(read('(a\\101\\7\\n\\\r\nb\\(\r\nc)')).toBe('aA\x07\nb(\nc')
    expect(read('<4 1 4>')).toBe('A@')
    for (const text of ['plain', '(\\', 'line\r\n', '\x00\xff\x80\x01', ''])
      expect(read(writeString(latin(text)))).toBe(text)
  })
})

describe('lengths of character codes', () => {
  const document = openDocument(makePage(''), LIMITS)
  const lengths = (name: string, bytes: number[]): number[] => {
    const cmap = readCMap(document, PDFName.of(name))
    const found: number[] = []
    for (let at = 0; at < bytes.length; at += found.at(-1) ?? 1) found.push(cmap.lengthAt(Uint8Array.from(bytes), at))
    return found
  }

  it('follow from the name of a predefined encoding', () => {
    expect(lengths('Identity-H', [0, 65, 0, 66, 1])).toEqual([2, 2, 1])
    expect(lengths('90ms-RKSJ-H', [0x41, 0x82, 0xa0, 0xb1, 0xe0, 0x40])).toEqual([1, 2, 1, 2])
    expect(lengths('UniJIS-UTF16-V', [0, 65, 0xd8, 0x40, 0xdc, 0x0b])).toEqual([2, 4])
    expect(lengths('GBK-EUC-H', [0x41, 0xb0, 0xa1])).toEqual([1, 2])
    expect(lengths('GBK2K-H', [0x41, 0x81, 0x30, 0x81, 0x30, 0xb0, 0xa1])).toEqual([1, 4, 2])
    expect(lengths('UniGB-UCS2-H', [0, 65, 0x4e, 0x00])).toEqual([2, 2])
  })
})
