import { expect, it } from 'vitest'
import { readXml } from '../../../../../engines/standards/einvoice/read/read-xml'
import { ciiWith, ram } from './small-invoices'

function numberIn(bytes: Uint8Array): string | undefined {
  return readXml(bytes).invoice.invoiceNumber
}

function declared(encoding: string, number: string): string {
  return ciiWith({ head: `<?xml version="1.0" encoding="${encoding}"?>`, document: ram('ID', number) })
}

it.each(['windows-1252', 'cp1252', 'ISO-8859-1'])('%s has the euro sign and quotes of Windows', encoding => {
  // Latin-1 writes U+0080 and U+0093 as the bytes 80 and 93, which are these characters in Windows-1252.
  expect(numberIn(Buffer.from(declared(encoding, 'ü\u0080\u0093'), 'latin1'))).toBe('ü€“')
})

it('ISO-8859-15 has its own euro sign', () => {
  expect(numberIn(Buffer.from(declared('ISO-8859-15', '\u00a4'), 'latin1'))).toBe('€')
})

it('a part of a larger buffer is decoded alone', () => {
  const bytes = Buffer.from(`xx${declared('windows-1252', 'é')}yy`, 'latin1')
  expect(numberIn(bytes.subarray(2, -2))).toBe('é')
})

it('a byte order mark counts more than the declaration', () => {
  expect(numberIn(Buffer.from(`\ufeff${declared('ISO-8859-1', 'ü')}`))).toBe('ü')
})

it.each(['utf8', 'UTF-8'])('the name %s is UTF-8', encoding => {
  expect(numberIn(Buffer.from(declared(encoding, 'ü')))).toBe('ü')
})

it('UTF-16 with the high byte first', () => {
  expect(numberIn(Buffer.from(`\ufeff${declared('UTF-16', 'ü€')}`, 'utf16le').swap16())).toBe('ü€')
})

it.each([
  ['without a byte order mark', Buffer.from(declared('UTF-16', 'ü€'), 'utf16le')],
  ['without it, the high byte first', Buffer.from(declared('UTF-16', 'ü€'), 'utf16le').swap16()],
  ['that is only declared', Buffer.from(declared('utf-16', 'ü€'))],
])('UTF-16 %s', (_, bytes) => {
  expect(numberIn(bytes)).toBe('ü€')
})

it.each([
  ['UTF-32', Buffer.from('3c0000003f000000', 'hex'), /encoding utf-32/],
  ['half a character of UTF-16', Buffer.from('fffe3c003d', 'hex'), /not valid UTF-16/],
])('refuses %s', (_, bytes, message) => {
  expect(() => numberIn(bytes)).toThrow(message)
})
