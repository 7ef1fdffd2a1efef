import { describe, expect, it } from 'vitest'
import { addBase } from '../../../../engines/webpage/egress/base-element'

const add = (html: string, baseUrl = 'https://a.test/') => Buffer.from(addBase(Buffer.from(html), baseUrl)).toString()

describe('a page with a base URL', () => {
  it.each([
    ['<p>x', '<base href="https://a.test/"><p>x'],
    ['<!doctype html><html lang="en"><head>', '<!doctype html><base href="https://a.test/"><html lang="en"><head>'],
    [
      '\ufeff <!-- note --> <!DOCTYPE html>\n<p>',
      '\ufeff <!-- note --> <!DOCTYPE html><base href="https://a.test/">\n<p>',
    ],
    ['<!--><!doctype html><p>', '<!--><!doctype html><base href="https://a.test/"><p>'],
    ['<!-- never closed <p>', '<base href="https://a.test/"><!-- never closed <p>'],
    ['<!doctype never closed', '<base href="https://a.test/"><!doctype never closed'],
    ['', '<base href="https://a.test/">'],
  ])('gets its base element after the document type: %j', (html, expected) => {
    expect(add(html)).toBe(expected)
  })

  it('escapes a URL that would close the tag', () => {
    expect(add('', 'https://a.test/?a="><script>&b')).toBe('<base href="https://a.test/?a=%22%3E%3Cscript%3E&amp;b">')
  })

  it('keeps bytes that are not UTF-8', () => {
    const bytes = Buffer.from([0x3c, 0x70, 0x3e, 0xe9, 0xff])
    expect(Buffer.from(addBase(bytes, 'https://a.test/')).subarray(-5)).toEqual(bytes)
  })

  it.each([
    ['blanks', '\n'],
    ['comments', '<!---->'],
    ['open comments', '<!--'],
  ])('may begin with 24 MB of %s', (_what, unit) => {
    const bytes = Buffer.alloc(24_000_000, unit)
    expect(addBase(bytes, 'https://a.test/').length).toBe(bytes.length + '<base href="https://a.test/">'.length)
  })
})
