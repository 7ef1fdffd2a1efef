import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { decodedTexts } from '../../../../../engines/features/redaction/search-rules/encoded-text'
import { textsOfBytes } from '../../../../../engines/features/redaction/matching/byte-texts'
import { makeTrap } from '../../../../fixtures/traps'
import { runOn } from '../../../../support/run-on'

const hex = (bytes: Uint8Array): string => `<${Buffer.from(bytes).toString('hex')}>`
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

/** Returns all strings and numbers of the objects of a file, as pdf-lib reads them. */
async function valuesOf(file: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(file, { updateMetadata: false })
  const found: string[] = []
  const read = (value: PDFObject | undefined): void => {
    if (value instanceof PDFString || value instanceof PDFHexString)
      found.push(Buffer.from(value.asBytes()).toString('latin1'))
    else if (value instanceof PDFDict) for (const entry of value.values()) read(entry)
    else if (value && !(value instanceof PDFName) && /^\d+$/.test(value.toString())) found.push(value.toString())
  }
  for (const [, object] of document.context.enumerateIndirectObjects()) read(object)
  const { Info } = document.context.trailerInfo
  read(document.context.lookup(Info))
  return found
}

/** Redacts a file with these entries of its document part metadata, and returns its strings and numbers. */
async function redactEntries(entries: string, search: object): Promise<string[]> {
  const { file } = makeTrap({
    catalog: (pdf, page) => {
      const [root, node] = [pdf.reserve(), pdf.reserve()]
      pdf.set(node, `<</Type/DPart/Parent ${root} 0 R/Start ${page} 0 R/DPM<<${entries}/Kept(BESIDE)>>>>`)
      pdf.set(root, `<</Type/DPartRoot/DPartRootNode ${node} 0 R>>`)
      return `/DPartRoot ${root} 0 R`
    },
  })
  const { bytes, headers } = await runOn('pdf-redaction', file, { search: [search] })
  expect(headers['X-Redaction-Verified']).toBe('true')
  const values = await valuesOf(bytes)
  expect(values).toContain('BESIDE')
  return values.filter(value => value !== 'BESIDE' && value !== '1')
}

describe('a match in a string', () => {
  const wide = utf16('Name Quorvale')
  it.each<[string, Uint8Array, string, RegExp]>([
    ['UTF-16BE without a mark', Buffer.from(wide).swap16(), 'Quorvale', /Q/],
    ['UTF-16LE without a mark', wide, 'Quorvale', /Q/],
    [
      'UTF-16 with the mark of the other byte order',
      Buffer.concat([Buffer.from('feff', 'hex'), wide]),
      'Quorvale',
      /Q/,
    ],
    ['UTF-8 without a mark', Buffer.from('About Éléonoré Vüx'), 'Éléonoré Vüx', /onor/],
    ['GBK', Buffer.from('41626f757420c5b7d1f4', 'hex'), '欧阳', /\xc5\xb7/],
    ['Big5', Buffer.from('41626f757420bcdab6a7', 'hex'), '歐陽', /\xbc\xda/],
    ['Shift JIS', Buffer.from('926a924a90ec', 'hex'), '谷川', /\x92\x4a/],
    ['EUC-KR', Buffer.from('c8abb1e6b5bf', 'hex'), '홍길동', /\xc8\xab/],
    ['Windows-1251', Buffer.from('cff3f8eae8ed', 'hex'), 'Пушкин', /\xcf\xf3/],
    ['Mac OS Roman', Buffer.from('4d9f6c6c6572', 'hex'), 'Müller', /ller/],
  ])('is removed from %s', async (_, bytes, text, left) => {
    const values = await redactEntries(`/Who ${hex(bytes)}`, { text })
    expect(values.filter(value => left.test(value))).toEqual([])
  })

  it('is found by an expression if the bytes suggest their encoding', async () => {
    const gbk = Buffer.from('41626f757420c5b7d1f4ceacbfcbcbb9', 'hex')
    expect(await redactEntries(`/Who ${hex(gbk)}`, { regex: '欧\\p{Han}+' })).toEqual(['About '])
    // An accented Latin text isn't read as Chinese.
    expect(await redactEntries('/Who<c470666c>', { regex: '\\p{Han}' })).toEqual(['\xc4pfl'])
  })

  it.each([
    ['(https://x.test/?q=Jane+Quorvale+Doe)', 'Jane Quorvale Doe'],
    ['(https://x.test/?q=%51uorvale)', 'Quorvale'],
    ['(https://x.test/?q=%2551uorvale)', 'Quorvale'],
    ['(https://xn--mller-kva.test/)', 'müller'],
    ['(https://x.test/?q=&#81;uorvale)', 'Quorvale'],
    ['(Quorvale, see https://x.test/?q=%51uorvale)', 'Quorvale'],
  ])('is removed from %s', async (url, text) => {
    const values = await redactEntries(`/Link ${url}`, { text })
    expect(values.filter(value => /uorvale|mller/.test(value))).toEqual([])
    expect(values[0]).toContain('https://')
  })

  it.each([
    'var x="\\\\121\\\\165\\\\157rvale"',
    'var x="\\\\x51uorvale"',
    'var x="\\\\u{51}uorvale"',
    'var x="Quor"+"vale"',
    'var x="\\\\Quorvale"',
    'x=String.fromCharCode(81, 117,111,114,118,0x61,108,101)',
  ])('is removed from the script %s', async script => {
    const { file } = makeTrap({ catalog: () => `/OpenAction<</S/JavaScript/JS(${script})>>` })
    const { bytes } = await runOn('pdf-redaction', file, { search: [{ text: 'Quorvale' }] })
    expect((await valuesOf(bytes)).filter(value => value.includes('x='))).toEqual([])
  })
})

describe('a key of strings for programs', () => {
  it.each([
    ['/CS(Quorvale7)', 'Quorvale7'],
    ['/DA(Quorvale7)', 'Quorvale7'],
    ['/Lang(Quorvale)', 'Quorvale'],
    ['/Lang(de-Quorvale)', 'Quorvale'],
    ['/M(72839114450)', '72839114450'],
    ['/CreationDate(72839114450)', '72839114450'],
    ['/CheckSum(Quorvale Example)', 'Quorvale Example'],
    ['/Panose(Quorvale 123)', 'Quorvale 123'],
    ['/CharSet(/Quorvale)', 'Quorvale'],
    ['/FontFamily(Quorvale)', 'Quorvale'],
    ['/Registry(Quorvale)', 'Quorvale'],
    ['/CIDSystemInfo<</Ordering(Quorvale)>>', 'Quorvale'],
    ['/JS[(Quorvale)]', 'Quorvale'],
    ['/Colors[/Indexed(Quorvale)]', 'Quorvale'],
    ['/CustomerNo 7283911445', '7283911445'],
    ['/CustomerNo[4711 72839]', '72839'],
  ])('hides no match: %s', async (entries, text) => {
    expect((await redactEntries(entries, { text })).filter(value => value.includes(text))).toEqual([])
  })

  it.each([
    ["/M(D:20240229120000+01'00')", '2024', "D:20240229120000+01'00'"],
    ['/Lang(de-CH)', 'de-CH', 'de-CH'],
    ['/Registry(Adobe)', 'Adobe', 'Adobe'],
    ['/DA(/Helv 12 Tf 0 g)', 'Helv', ''],
    ['/Flags 262144', '262144', '262144'],
  ])('keeps its own values: %s', async (entries, text, kept) => {
    const values = await redactEntries(entries, { text })
    expect(kept === '' ? values.some(value => value.endsWith(' 12 Tf 0 g')) : values.includes(kept)).toBe(true)
  })
})

describe('texts of bytes', () => {
  it('are one text for ASCII and for text with a mark', () => {
    expect(textsOfBytes(Buffer.from('plain'), { isForeign: false })).toEqual(['plain'])
    expect(textsOfBytes(Buffer.from('feff00e9', 'hex'), { isForeign: true })).toEqual(['é'])
  })

  it('have decoded forms only if something is encoded', () => {
    expect(decodedTexts('A plain sentence, 50% & more.', 'text')).toEqual([])
    expect(decodedTexts('a%2520b', 'text')).toEqual(['a%20b', 'a b'])
    expect(decodedTexts('{"a":"\\u00e9"}', 'file')).toEqual(['{"a":"é"}'])
  })
})
