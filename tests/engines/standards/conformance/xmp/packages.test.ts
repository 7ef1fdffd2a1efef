import { describe, expect, test } from 'vitest'
import { brokenBy, brokenRules, claim, langAlt, type MetadataFile, packetOf } from './metadata-file'

const [VALID_1, VALID_2] = [packetOf(claim(1, 'B')), packetOf(claim(2, 'B'))]
const UTF_16 = Buffer.from(`\ufeff${VALID_1}`, 'utf16le')

describe('metadata streams', () => {
  test.each<[string, MetadataFile, string[], string[]]>([
    ['are valid', {}, ['6.7.11-1'], ['6.6.4-1']],
    ['are missing', { packet: null }, ['6.7.2-1'], ['6.6.2.1-1']],
    ['have no type', { packet: VALID_1, entries: '/Subtype/XML' }, ['6.7.2-1'], ['6.6.2.1-1']],
    ['have another subtype', { packet: VALID_1, entries: '/Type/Metadata/Subtype/JSON' }, ['6.7.2-1'], ['6.6.2.1-1']],
  ])('%s', (_name, file, first, later) => {
    expect(brokenRules('pdfa-1b', file)).toEqual(first)
    expect(brokenRules('pdfa-3u', file)).toEqual(later)
  })

  test.each([
    ['/Filter/ASCIIHexDecode', true, ['6.7.2-2']],
    ['/Filter[/ASCIIHexDecode]', true, ['6.7.2-2']],
    ['/Filter[]', false, []],
    ['/Filter null', false, []],
  ])('have no filter in PDF/A-1: %s', (filter, isEncoded, broken) => {
    const entries = `/Type/Metadata/Subtype/XML${filter}`
    const encode = (packet: string): string => (isEncoded ? `${Buffer.from(packet).toString('hex')}>` : packet)
    expect(brokenRules('pdfa-1b', { packet: encode(VALID_1), entries })).toEqual(broken)
    expect(brokenRules('pdfa-2b', { packet: encode(VALID_2), entries })).toEqual([])
  })

  test.each([
    ['begin="" id="x"', []],
    ['begin="" id="x" bytes="5"', ['6.6.2.1-2']],
    [`begin="" bytes = '5' encoding = 'UTF-8'`, ['6.6.2.1-2', '6.6.2.1-3']],
  ])('have the header %s', (header, broken) => {
    expect(brokenRules('pdfa-2b', { packet: packetOf(claim(2, 'B'), header) })).toEqual(broken)
    const first = broken.map(rule => rule.replace('6.6.2.1-2', '6.7.5-1').replace('6.6.2.1-3', '6.7.5-2'))
    expect(brokenRules('pdfa-1b', { packet: packetOf(claim(1, 'B'), header) })).toEqual(first)
  })

  test('may be UTF-16 or UTF-32 only in PDF/A-1', () => {
    expect(brokenRules('pdfa-1b', { packet: UTF_16 })).toEqual([])
    expect(brokenRules('pdfa-1b', { packet: Buffer.from(UTF_16).swap16() })).toEqual([])
    const utf32 = Buffer.concat([...VALID_1].map(character => Buffer.from([0, 0, 0, character.charCodeAt(0) & 0x7f])))
    expect(brokenRules('pdfa-1b', { packet: utf32 })).toEqual([])
    expect(brokenRules('pdfa-2b', { packet: Buffer.from(`\ufeff${VALID_2}`, 'utf16le') })).toEqual(['6.6.2.1-5'])
    expect(
      brokenRules('pdfa-2b', { packet: VALID_2.replace('<?', '<?xml version="1.0" encoding="ISO-8859-1"?><?') }),
    ).toEqual(['6.6.2.1-5'])
    expect(
      brokenRules('pdfa-2b', { packet: VALID_2.replace('<?', '<?xml version="1.0" encoding="utf-8"?><?') }),
    ).toEqual([])
  })

  test('may mix Latin-1 into UTF-8', () => {
    const packet = packetOf(`${claim(1, 'B')}<pdf:Producer>caf\u00e9 \u20ac</pdf:Producer>`)
    const bytes = Buffer.from(packet.replace('\ufeff', ''), 'utf8').toString('latin1').replace('\u00c3\u00a9', '\u00e9')
    const info = '/Producer<FEFF00630061006600E9002020AC>'
    expect(brokenRules('pdfa-1b', { packet: Buffer.from(bytes, 'latin1'), info })).toEqual([])
  })

  test('are checked on all objects except in PDF/A-1', () => {
    const own = packetOf('<my:own>1</my:own>')
    expect(brokenRules('pdfa-2b', { packet: VALID_2, pagePacket: own })).toEqual(['6.6.2.3.1-1', '6.6.2.3.1-2'])
    expect(brokenRules('pdfa-2b', { packet: VALID_2, pagePacket: '<x' })).toEqual(['6.6.2.1-4', '6.6.2.1-5'])
    expect(brokenRules('pdfa-2b', { packet: VALID_2, pagePacket: packetOf('') })).toEqual([])
    expect(brokenRules('pdfa-1b', { packet: VALID_1, pagePacket: '<x' })).toEqual([])
  })
})

describe('serialization', () => {
  test.each([
    ['an unclosed element', '<my:a>'],
    ['an unknown entity', '<pdf:Producer>&eacute;</pdf:Producer>'],
    ['an unknown prefix', '<unknown:a/>'],
    ['a CDATA section', '<pdf:Producer><![CDATA[a]]></pdf:Producer>'],
    ['a processing instruction', '<pdf:Producer>a<?b?></pdf:Producer>'],
    ['text between properties', 'text'],
    ['text beside a value', '<dc:title>text<rdf:Alt/></dc:title>'],
    ['two values', '<dc:title><rdf:Alt/><rdf:Alt/></dc:title>'],
    ['a property without namespace', '<name>a</name>'],
    ['the same property twice', '<pdf:Producer>a</pdf:Producer><pdf:Producer>b</pdf:Producer>'],
    ['the same field twice', '<my:a rdf:parseType="Resource"><my:b/><my:b/></my:a>'],
    ['a literal', '<my:a rdf:parseType="Literal">a</my:a>'],
    ['a collection', '<my:a rdf:parseType="Collection"/>'],
    ['an item outside an array', '<rdf:li>a</rdf:li>'],
    ['rdf:value outside a structure', '<rdf:value>a</rdf:value>'],
    ['a reserved name', '<rdf:Description/>'],
    ['both rdf:value and rdf:resource', '<my:a rdf:value="1" rdf:resource="2"/>'],
    ['attributes and content', '<my:a my:b="1">text</my:a>'],
    ['elements in a literal', '<my:a rdf:datatype="urn:x"><my:b/></my:a>'],
    ['an identifier with content', '<my:a rdf:ID="x">text</my:a>'],
    ['a reserved attribute', '<my:a rdf:bagID="x"/>'],
    ['a language twice', '<my:a xml:lang="de" rdf:parseType="Resource"><rdf:value xml:lang="en">1</rdf:value></my:a>'],
  ])('must not have %s', (_name, properties) => {
    const broken = ['6.6.2.1-4', '6.6.2.1-5', '6.6.4-1']
    expect(brokenBy('pdfa-2b', properties)).toEqual(broken)
    expect(brokenBy('pdfa-1b', properties)).toEqual(['6.7.9-1', '6.7.11-1'])
  })

  test.each([
    ['attributes instead of elements', '', 'pdf:Producer="a" xmp:CreateDate="2020"'],
    ['comments', '<!-- a --><pdf:Producer><!-- b -->a</pdf:Producer><!-- <?xml ?> <![CDATA[ -->', ''],
    ['qualified values', '<dc:source rdf:parseType="Resource"><my:q>1</my:q><rdf:value>a</rdf:value></dc:source>', ''],
    ['a qualified value in attributes', '<dc:source rdf:value="a" my:q="1"/>', ''],
    [
      'a language of a qualified value',
      `<dc:title><rdf:Alt><rdf:li><rdf:Description xml:lang="en" rdf:value="a"/></rdf:li></rdf:Alt></dc:title>`,
      '',
    ],
    ['a resource', '<xmp:BaseURL rdf:resource="https://example.com"/>', ''],
    ['a data type', '<dc:source rdf:datatype="urn:x">a</dc:source>', ''],
    ['a typed structure', '<xmpTPg:MaxPageSize><my:Size><stDim:w>1</stDim:w></my:Size></xmpTPg:MaxPageSize>', ''],
    ['a structure in attributes', '<xmpTPg:MaxPageSize stDim:w="1" stDim:h="2"/>', ''],
    ['the old namespace of Dublin Core', '<oldDc:source>a</oldDc:source>', ''],
    ['old records of changes', '<iX:changes xmlns:iX="http://ns.adobe.com/iX/1.0/"><my:a/></iX:changes>', ''],
  ])('may have %s', (_name, properties, attributes) => {
    const packet = packetOf(claim(2, 'B') + properties).replace('rdf:about=""', `rdf:about="" ${attributes}`)
    expect(brokenRules('pdfa-2b', { packet })).toEqual([])
  })

  test('has one rdf:about', () => {
    const [before, after] = packetOf(claim(2, 'B')).split('</rdf:RDF>')
    const packet = (about: string): string =>
      `${before}<rdf:Description rdf:about="${about}"/></rdf:RDF>${after}`.replace('rdf:about=""', 'rdf:about="a"')
    expect(brokenRules('pdfa-2b', { packet: packet('') })).toEqual([])
    expect(brokenRules('pdfa-2b', { packet: packet('a') })).toEqual([])
    expect(brokenRules('pdfa-2b', { packet: packet('b') })).toContain('6.6.2.1-4')
  })

  test.each([
    ['a declaration in the middle', VALID_2.replace('<x:xmpmeta', '<?xml version="1.0"?><x:xmpmeta'), '6.6.2.1-4'],
    ['rdf:RDF without attributes', VALID_2.replace(' xmlns:none="urn:none"', ''), '6.6.2.1-4'],
    [
      'a typed node as description',
      VALID_2.replaceAll('rdf:Description', 'my2:Thing').replace('xmlns:my=', 'xmlns:my2='),
      '6.6.2.1-4',
    ],
    ['no RDF', '<a/>', '6.6.2.1-5'],
    ['no bytes', '', '6.6.2.1-4'],
  ])('must not have %s', (_name, packet, rule) => {
    expect(brokenRules('pdfa-2b', { packet })).toContain(rule)
  })

  test('survives hostile packets', () => {
    const deep = '<my:a rdf:parseType="Resource">'.repeat(3000)
    for (const packet of [deep, '<!--'.repeat(100_000), `<?a ${'<!--'.repeat(100_000)}?><b/>`, '<a '.repeat(50_000)])
      expect(brokenRules('pdfa-2b', { packet: packetOf(packet) }).length).toBeGreaterThan(0)
    const long = `<dc:title>${langAlt('x'.repeat(1_000_000))}</dc:title><xmp:Rating>${'1'.repeat(500_000)}x</xmp:Rating>`
    expect(brokenBy('pdfa-2b', long)).toEqual(['6.6.2.3.1-2'])
  })
})
