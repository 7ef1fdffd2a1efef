import { expect, it } from 'vitest'
import { decodeText, detectUnicode } from '../../engines/decode-text'
import { decodeXmlBytes } from '../../engines/features/redaction/xml/xml-encoding'

it.each([
  ['utf-8', '3c61'],
  ['utf-16le', 'fffe3c00'],
  ['utf-16be', '0020003c'],
  ['utf-32le', 'fffe00003c000000'],
  ['utf-32be', '0000feff0000003c'],
])('%s shows in the first bytes', (encoding, hex) => {
  const bytes = Buffer.from(hex, 'hex')
  expect(detectUnicode(bytes)).toBe(encoding)
  expect(decodeText(bytes, encoding).trim()).toMatch(/^</)
})

it.each([
  ['utf-32be', '00110000', TypeError],
  ['utf-16le', '3cd8', TypeError],
  ['utf-64', '3c', RangeError],
])('invalid bytes and unknown encodings are errors: %s', (encoding, hex, error) => {
  expect(() => decodeText(Buffer.from(hex, 'hex'), encoding, { isFatal: true })).toThrow(error)
})

it('redaction reads the euro sign and quotes of Windows-1252', () => {
  for (const head of ['<?xml version="1.0" encoding="windows-1252"?>', ''])
    expect(decodeXmlBytes(Buffer.from(`${head}<a>\x80\x93</a>`, 'latin1'))).toBe(`${head}<a>€“</a>`)
})
