import { describe, expect, test } from 'vitest'
import { claimsOf } from '../../../../../engines/standards/conformance/xmp/claims'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import { brokenRules, claim, langAlt, openFile, packetOf } from './metadata-file'

/** The same property in the prefix `q`. */
function renamed(property: string, uri: string): string {
  return property.replace(/<\w+:(\w+)>(.*)<\/.*>/, `<q:$1 xmlns:q="http://www.aiim.org/${uri}/ns/id/">$2</q:$1>`)
}

const PART_2 = '<pdfaid:part>2</pdfaid:part>'
const LEVEL_B = '<pdfaid:conformance>B</pdfaid:conformance>'

describe('PDF/A identification', () => {
  test.each<[ProfileId, string, string[]]>([
    ['pdfa-1b', claim(1, 'B'), []],
    ['pdfa-1b', claim(1, 'A'), []],
    ['pdfa-1b', claim(1, 'U'), ['6.7.11-3']],
    ['pdfa-1b', claim(2, 'b'), ['6.7.11-2', '6.7.11-3']],
    ['pdfa-1b', '', ['6.7.11-1']],
    ['pdfa-1b', '<pdfaid:amd>2005</pdfaid:amd>', ['6.7.11-2', '6.7.11-3']],
    ['pdfa-2b', claim(2, 'U'), []],
    ['pdfa-2u', claim(2, 'A'), []],
    ['pdfa-2u', claim(2, 'U'), []],
    ['pdfa-2u', claim(2, 'B'), ['6.6.4-3']],
    ['pdfa-3u', claim(3, 'B'), ['6.6.4-3']],
    ['pdfa-2b', claim(3, 'B'), ['6.6.4-2']],
    ['pdfa-3b', claim(3, 'B'), []],
    ['pdfa-3u', claim(2, 'X'), ['6.6.4-2', '6.6.4-3']],
    ['pdfa-2b', `<pdfaid:part>+02</pdfaid:part>${LEVEL_B}`, []],
    ['pdfa-2b', `<pdfaid:part> 2</pdfaid:part>${LEVEL_B}`, ['6.6.2.3.1-2', '6.6.4-2']],
    ['pdfa-2b', renamed(PART_2, 'pdfa') + LEVEL_B, ['6.6.4-4']],
    ['pdfa-2b', PART_2 + renamed(LEVEL_B, 'pdfa'), ['6.6.4-5']],
    ['pdfa-2b', PART_2 + LEVEL_B + renamed('<pdfaid:amd>1</pdfaid:amd>', 'pdfa'), ['6.6.4-6']],
    ['pdfa-2b', PART_2 + LEVEL_B + renamed('<pdfaid:corr>1</pdfaid:corr>', 'pdfa'), ['6.6.4-7']],
    ['pdfa-1b', claim(1, 'B') + renamed('<pdfaid:amd>1</pdfaid:amd>', 'pdfa'), ['6.7.11-6']],
    ['pdfa-1b', renamed('<pdfaid:part>1</pdfaid:part>', 'pdfa') + renamed(LEVEL_B, 'pdfa'), ['6.7.11-4', '6.7.11-5']],
  ])('for %s: %s', (profile, properties, broken) => {
    expect(brokenRules(profile, { packet: packetOf(properties) })).toEqual(broken)
  })
})

describe('PDF/UA identification', () => {
  const part = '<pdfuaid:part>1</pdfuaid:part>'
  const title = `<dc:title>${langAlt('a')}</dc:title>`
  const catalog = '/Lang(en)'

  test.each<[string, string[]]>([
    [part + title, []],
    [title, ['5-1']],
    [part, ['7.1-9']],
    [`${part}<dc:title>a</dc:title>`, ['7.1-9']],
    [`${part}<d:title xmlns:d="http://purl.org/dc/elements/1.1/">${langAlt('a')}</d:title>`, ['7.1-9']],
    [part.replace('1', '2') + title, ['5-2']],
    [renamed(part, 'pdfua') + title, ['5-3']],
    [part + title + renamed('<pdfuaid:amd>1</pdfuaid:amd>', 'pdfua'), ['5-4']],
    [part + title + renamed('<pdfuaid:corr>1</pdfuaid:corr>', 'pdfua'), ['5-5']],
    [`${part}${title}<pdfuaid:amd>1</pdfuaid:amd><pdfuaid:corr>1</pdfuaid:corr>`, []],
  ])('in %s', (properties, broken) => {
    expect(brokenRules('pdfua-1', { packet: packetOf(properties), catalog })).toEqual(broken)
  })

  test('needs a metadata stream', () => {
    expect(brokenRules('pdfua-1', { packet: null })).toEqual(['7.1-8'])
  })

  test('needs a language', () => {
    const packet = packetOf(part + title)
    const german = '<rdf:li xml:lang="de">b</rdf:li></rdf:Alt>'
    expect(brokenRules('pdfua-1', { packet })).toEqual(['7.2-33'])
    expect(brokenRules('pdfua-1', { packet: packet.replace('x-default', 'en') })).toEqual([])
    expect(brokenRules('pdfua-1', { packet: packet.replace('</rdf:Alt>', german) })).toEqual([])
    const pagePacket = packetOf(title)
    expect(brokenRules('pdfua-1', { packet: packet.replace('x-default', 'en'), pagePacket })).toEqual(['7.2-33'])
  })
})

describe('information dictionary of PDF/A-1', () => {
  const check = (info: string, properties: string): string[] =>
    brokenRules('pdfa-1b', { packet: packetOf(claim(1, 'B') + properties), info })
  const creator = (...names: string[]): string =>
    `<dc:creator><rdf:Seq>${names.map(name => `<rdf:li>${name}</rdf:li>`).join('')}</rdf:Seq></dc:creator>`
  const german = '<rdf:Alt><rdf:li xml:lang="de">a</rdf:li><rdf:li xml:lang="en">b</rdf:li></rdf:Alt>'

  test.each<[string, string, string[]]>([
    ['/Title(a)', `<dc:title>${langAlt('a')}</dc:title>`, []],
    ['/Title(a)', `<dc:title>${german}</dc:title>`, []],
    ['/Title(a\\000)', `<dc:title>${langAlt('a')}</dc:title>`, []],
    ['/Title<FEFF00E4>', `<dc:title>${langAlt('ä')}</dc:title>`, []],
    ['/Title(b)', `<dc:title>${langAlt('a')}</dc:title>`, ['6.7.3-2']],
    ['/Title(a)', '', ['6.7.3-2']],
    ['/Title()', '', ['6.7.3-2']],
    ['/Title/a', `<dc:title>${langAlt('a')}</dc:title>`, ['6.7.3-2']],
    ['/Title null', '', []],
    ['', `<dc:title>${langAlt('a')}</dc:title>`, []],
    ['/Author(a)', creator('a'), []],
    ['/Author(a, b)', creator('a', 'b'), ['6.7.3-3']],
    ['/Author(a)', creator('b'), ['6.7.3-3']],
    ['/Subject(a)', `<dc:description>${langAlt('a')}</dc:description>`, []],
    ['/Subject(a)', '', ['6.7.3-4']],
    ['/Keywords(a)', '<pdf:Keywords>a</pdf:Keywords>', []],
    ['/Keywords(a)', '<dc:subject><rdf:Bag><rdf:li>a</rdf:li></rdf:Bag></dc:subject>', ['6.7.3-5']],
    ['/Creator(a)', '<xmp:CreatorTool>a</xmp:CreatorTool>', []],
    ['/Creator(a)', '<xmp:CreatorTool>b</xmp:CreatorTool>', ['6.7.3-6']],
    ['/Producer(a)', '<pdf:Producer>a</pdf:Producer>', []],
    ['/Producer(a)', '', ['6.7.3-7']],
  ])('%s with %s', (info, properties, broken) => {
    expect(check(info, properties)).toEqual(broken)
  })

  test.each([
    ["D:20200102030405+01'00'", '2020-01-02T03:04:05+01:00', true],
    ["D:20200102030405+01'00'", '2020-01-02T02:04:05Z', true],
    ["D:20200101233405-02'30", '2020-01-02T02:04:05Z', true],
    ["D:20200102020405Z00'00'", '2020-01-02T02:04:05Z', true],
    ['D:20200102', '2020-01-02', true],
    ['D:2020', '2020-01-01', true],
    ['D:00500102', '0050-01-02', true],
    ['D:20200102', '', true],
    ['D:20200102020405Z', '2020-01-02T02:04:06Z', false],
    ['D:20200102020405Z', '2020-01-02T02:04:05.5Z', false],
    ['D:2020', '2020', false],
    ['2020-01-02', '2020-01-02', false],
    ["D:20200102030405+01'00''", '2020-01-02T02:04:05Z', false],
    ["D:20200102020405Z01'00'", '2020-01-02T02:04:05Z', false],
  ])('with the date %s and %s', (date, xmp, isSame) => {
    const created = `<xmp:CreateDate>${xmp}</xmp:CreateDate>`
    expect(check(`/CreationDate(${date})`, created)).toEqual(isSame ? [] : ['6.7.3-1'])
    const changed = `<xmp:ModifyDate>${xmp}</xmp:ModifyDate>`
    expect(check(`/ModDate(${date})`, changed)).toEqual(isSame ? [] : ['6.7.3-8'])
    expect(check(`/ModDate(${date})`, '')).toEqual([])
  })

  test('is not compared by later parts', () => {
    expect(brokenRules('pdfa-2b', { packet: packetOf(claim(2, 'B')), info: '/Title(a)' })).toEqual([])
  })
})

test.each<[string, ProfileId[]]>([
  [claim(1, 'B'), ['pdfa-1b']],
  [claim(1, 'A'), ['pdfa-1b']],
  [claim(2, 'B'), ['pdfa-2b']],
  [claim(2, 'u'), ['pdfa-2u']],
  [claim(2, 'A'), ['pdfa-2u']],
  [claim(3, 'A'), ['pdfa-3u']],
  [claim(3, 'X'), ['pdfa-3b']],
  [PART_2, ['pdfa-2b']],
  [claim(4, ''), []],
  [`${claim(2, 'B')}<pdfuaid:part>1</pdfuaid:part>`, ['pdfa-2b', 'pdfua-1']],
  ['<pdfuaid:part>2</pdfuaid:part>', []],
  ['', []],
  ['<', []],
])('claims of %s', (properties, claims) => {
  expect(claimsOf(openFile({ packet: packetOf(properties) }).document)).toEqual(claims)
})

test('a document without metadata claims nothing', () => {
  expect(claimsOf(openFile({ packet: null }).document)).toEqual([])
})
