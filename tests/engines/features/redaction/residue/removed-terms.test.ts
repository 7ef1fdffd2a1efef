import { describe, expect, it } from 'vitest'
import { RemovedTerms } from '../../../../../engines/features/redaction/residue/removed-terms'
import { Rule } from '../../../../../engines/features/redaction/search-rules/rule'

const words = (text: string, more: { caseSensitive?: boolean; wholeWord?: boolean } = {}): RemovedTerms =>
  new RemovedTerms([new Rule({ text, caseSensitive: false, wholeWord: false, ...more }, 'options.search[0]', 1)])

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const little = (text: string): Buffer => Buffer.from(text, 'utf16le')
const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const hex = (bytes: Buffer): Buffer => latin(`<${bytes.toString('hex')}>`)

describe('removed text', () => {
  const written: [name: string, asked: string, bytes: Buffer][] = [
    ['Latin-1', 'Amélièz Doe', latin('xx Amélièz Doe yy')],
    ['Latin-1 in capital letters', 'Amélièz', latin('AMÉLIÈZ')],
    ['UTF-8', 'Amélièz', Buffer.from('(Amélièz)', 'utf8')],
    ['UTF-8 with accents by themselves', 'Amélièz', Buffer.from('Ame\u0301lie\u0300z', 'utf8')],
    ['UTF-16BE', 'Amélièz', Buffer.concat([latin('\xfe\xff'), big('Amélièz')])],
    ['UTF-16LE', 'Amélièz', Buffer.concat([latin('\xff\xfe'), little('AMÉLIÈZ')])],
    ['hexadecimal digits of UTF-16BE', 'Quimbrady', hex(big('QUIMBRADY'))],
    ['hexadecimal digits of UTF-16LE', 'Quimbrady', hex(little('Quimbrady'))],
    ['hexadecimal digits of Latin-1', 'Amélièz', hex(latin('Amélièz'))],
    ['hexadecimal digits of UTF-8', 'Amélièz', hex(Buffer.from('Amélièz', 'utf8'))],
    ['PDFDocEncoding', 'Šimůnek Žák', Buffer.concat([latin('\x97im'), Buffer.from([0x75]), latin('nek')])],
    ['PDFDocEncoding with its apostrophe', "O'Quimbrady", latin('O\x90Quimbrady')],
    ['Windows with its apostrophe', "O'Quimbrady", latin('O\x92Quimbrady')],
    ['Mac OS with its apostrophe', "O'Quimbrady", latin('O\xd5Quimbrady')],
    ['PDFDocEncoding with its dash', 'Quim-Brady', latin('Quim\x85Brady')],
    ['UTF-16BE with a typographic hyphen', 'Quim-Brady', big('Quim\u2011Brady')],
    ['UTF-8 with ligatures', 'officefield', Buffer.from('oﬃceﬁeld', 'utf8')],
    ['UTF-8 with ß', 'GROSSWEISSER', Buffer.from('großweißer', 'utf8')],
    ['ASCII with ss', 'großweißer', latin('GROSSWEISSER')],
    ['UTF-8 in small Cyrillic letters', 'ИВАНОВ', Buffer.from('иванов', 'utf8')],
    ['UTF-16BE with a soft hyphen', 'Quimbrady', big('Quim\u00adbrady')],
  ]
  for (const [name, asked, bytes] of written) {
    // In these two encodings, the bytes spell other letters than the requested ones.
    const isOther = name === 'PDFDocEncoding' || name.endsWith('soft hyphen')
    it(`${isOther ? 'is distinguished from other text' : 'is found'} in ${name}`, () =>
      expect(words(asked).isInBytes(bytes)).toBe(!isOther))
  }

  it('is found in PDFDocEncoding with its special characters', () => {
    expect(words('Šimonek').isInBytes(latin('\x97imonek'))).toBe(true)
    expect(words('Žižkov').isInBytes(latin('\x99i\x9ekov'))).toBe(true)
  })

  it('is not found in other words, in other letters, or across lines of numbers', () => {
    expect(words('Quim', { wholeWord: true }).isInBytes(latin('Quimbrady'))).toBe(false)
    expect(words('Quimbrady', { caseSensitive: true }).isInBytes(latin('quimbrady'))).toBe(false)
    expect(words('Amelie').isInBytes(Buffer.from('Amélie', 'utf8'))).toBe(false)
    expect(words('12345678').isInBytes(latin('1234\n5678 Td'))).toBe(false)
  })

  it('of two or three letters is only searched in text, as a separate word', () => {
    const short = words('Li')
    expect(short.isEmpty).toBe(true)
    expect(short.isInBytes(latin('Li'))).toBe(false)
    expect(short.isInText('Mr Li said')).toBe(true)
    expect(short.isInText('a list')).toBe(false)
    expect(short.isInText('LI.')).toBe(true)
    expect(words('Quim').isInText('Quimbrady')).toBe(true)
    expect(words('Quimbrady').isInText('Quim-\nbrady')).toBe(true)
  })
})
