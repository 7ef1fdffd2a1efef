import { describe, expect, test } from 'vitest'
import { arrayOf, brokenBy, brokenRules, claim, packetOf } from './metadata-file'

type Fields = Record<string, string | undefined>

function write(prefix: string, fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => (value === undefined ? '' : `<${prefix}:${name}>${value}</${prefix}:${name}>`))
    .join('')
}

function list(...items: string[]): string {
  return `<rdf:Seq>${items.map(item => `<rdf:li rdf:parseType="Resource">${item}</rdf:li>`).join('')}</rdf:Seq>`
}

interface Parts {
  schema?: Fields
  property?: Fields
  type?: Fields
  field?: Fields
}

/** A container with one schema, which describes `my:own` with a value type of its own. */
function container({ schema, property, type, field }: Parts = {}): string {
  const fields = write('pdfaField', { name: 'size', valueType: 'Integer', description: 'Size', ...field })
  const types = write('pdfaType', {
    type: 'Box',
    namespaceURI: 'urn:box',
    prefix: 'box',
    description: 'A box',
    field: list(fields),
    ...type,
  })
  const properties = write('pdfaProperty', {
    name: 'own',
    valueType: 'Box',
    category: 'external',
    description: 'A property',
    ...property,
  })
  const schemas = write('pdfaSchema', {
    schema: 'Test',
    namespaceURI: 'urn:my',
    prefix: 'my',
    property: list(properties),
    valueType: list(types),
    ...schema,
  })
  return `<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">${schemas}</rdf:li></rdf:Bag></pdfaExtension:schemas>`
}

const BOX = '<my:own rdf:parseType="Resource"><box:size xmlns:box="urn:box">5</box:size></my:own>'

describe('extension schemas', () => {
  test('define properties', () => {
    expect(brokenBy('pdfa-1b', container() + BOX)).toEqual([])
    expect(brokenBy('pdfa-2b', container() + BOX)).toEqual([])
    expect(brokenBy('pdfa-2b', container() + BOX.replace('>5<', '>five<'))).toEqual(['6.6.2.3.1-2'])
    expect(brokenBy('pdfa-2b', container() + BOX.replaceAll('my:own', 'my:other'))).toEqual([
      '6.6.2.3.1-1',
      '6.6.2.3.1-2',
    ])
  })

  test.each([
    ['Text', 'a', arrayOf('Bag', 'a')],
    ['bag Text', arrayOf('Bag', 'a'), 'a'],
    ['Seq of Text', undefined, 'a'],
    ['seq', arrayOf('Seq', 'a'), arrayOf('Bag', 'a')],
    ['Closed Choice of Integer', '1', 'one'],
    ['bag open choice of Integer', arrayOf('Bag', '1'), arrayOf('Bag', 'one')],
    ['Open Choice', 'a', arrayOf('Seq', 'a')],
    ['Lang Alt', '<rdf:Alt/>', 'a'],
    ['seq bag Boolean', arrayOf('Seq', arrayOf('Bag', 'True')), arrayOf('Seq', 'True')],
    ['Dimensions', '<rdf:Description stDim:w="1"/>', 'a'],
    ['GPSCoordinate', '48,10,20N', 'north'],
    ['Any', undefined, 'a'],
    ['Unknown', undefined, 'a'],
    [`bag ${'bag '.repeat(1000)}Text`, undefined, 'a'],
  ])('can use the type %s', (valueType, valid, invalid) => {
    const schema = container({ property: { valueType } })
    if (valid === undefined) {
      const broken = ['6.6.2.3.1-1', '6.6.2.3.1-2', '6.6.2.3.3-8']
      expect(brokenBy('pdfa-2b', `${schema}<my:own>${invalid}</my:own>`)).toEqual(broken)
      return
    }
    expect(brokenBy('pdfa-2b', `${schema}<my:own>${valid}</my:own>`)).toEqual([])
    expect(brokenBy('pdfa-2b', `${schema}<my:own>${invalid}</my:own>`)).toEqual(['6.6.2.3.1-2'])
  })

  test('can define a type without fields, which is a text', () => {
    expect(brokenBy('pdfa-2b', `${container({ type: { field: undefined } })}<my:own>a</my:own>`)).toEqual([])
  })

  test('can define predefined properties anew', () => {
    const schema = container({ schema: { namespaceURI: 'http://ns.adobe.com/pdf/1.3/', prefix: 'pdf' } })
    const property = schema.replace('>own<', '>Keywords<').replace('valueType>Box', 'valueType>Integer')
    expect(brokenBy('pdfa-2b', `${property}<pdf:Keywords>5</pdf:Keywords>`)).toEqual([])
    expect(brokenBy('pdfa-2b', `${property}<pdf:Keywords>a</pdf:Keywords>`)).toEqual(['6.6.2.3.1-2'])
  })

  test('of the document define properties of its objects', () => {
    const packet = packetOf(claim(2, 'B') + container())
    expect(brokenRules('pdfa-2b', { packet, pagePacket: packetOf(BOX) })).toEqual([])
    const invalid = packetOf(BOX.replace('>5<', '>five<'))
    expect(brokenRules('pdfa-2b', { packet, pagePacket: invalid })).toEqual(['6.6.2.3.1-2'])
    const own = packetOf(container({ property: { name: 'more' } }) + BOX.replaceAll('my:own', 'my:more'))
    expect(brokenRules('pdfa-2b', { packet, pagePacket: own })).toEqual([])
  })
})

describe('descriptions of extension schemas', () => {
  test.each<[string, string, number]>([
    ['must be in a bag', container().replaceAll('rdf:Bag', 'rdf:Seq'), 1],
    [
      'must have their prefix',
      container()
        .replaceAll('pdfaExtension:', 'e:')

        .replace('e:schemas', 'e:schemas xmlns:e="http://www.aiim.org/pdfa/ns/extension/"'),
      1,
    ],
  ])('%s', (_name, properties, number) => {
    expect(brokenBy('pdfa-2b', properties)).toEqual([`6.6.2.3.3-${number}`])
    expect(brokenBy('pdfa-1b', properties)).toEqual([`6.7.8-${number + 1}`])
  })

  const FIELDS: [part: keyof Parts, prefix: string, field: string, test: number][] = [
    ['schema', 'pdfaSchema', 'schema', 2],
    ['schema', 'pdfaSchema', 'namespaceURI', 3],
    ['schema', 'pdfaSchema', 'prefix', 4],
    ['property', 'pdfaProperty', 'name', 7],
    ['property', 'pdfaProperty', 'valueType', 8],
    ['property', 'pdfaProperty', 'category', 9],
    ['property', 'pdfaProperty', 'description', 10],
    ['type', 'pdfaType', 'type', 11],
    ['type', 'pdfaType', 'namespaceURI', 12],
    ['type', 'pdfaType', 'prefix', 13],
    ['type', 'pdfaType', 'description', 14],
    ['field', 'pdfaField', 'name', 16],
    ['field', 'pdfaField', 'valueType', 17],
    ['field', 'pdfaField', 'description', 18],
  ]

  test.each(FIELDS)('of a %s need a text in %s:%s', (part, prefix, field, number) => {
    const rule = `6.6.2.3.3-${number}`
    expect(brokenBy('pdfa-2b', container({ [part]: { [field]: undefined } }))).toContain(rule)
    expect(brokenBy('pdfa-2b', container({ [part]: { [field]: arrayOf('Bag', 'a') } }))).toContain(rule)
    expect(brokenBy('pdfa-1b', container({ [part]: { [field]: undefined } }))).toContain(`6.7.8-${number + 1}`)
    const uri = { pdfaSchema: 'schema', pdfaProperty: 'property', pdfaType: 'type', pdfaField: 'field' }[prefix] ?? ''
    const renamed = container()
      .replace(`<${prefix}:${field}>`, `<q:${field} xmlns:q="http://www.aiim.org/pdfa/ns/${uri}#">`)
      .replace(`</${prefix}:${field}>`, `</q:${field}>`)
    expect(brokenBy('pdfa-2b', renamed)).toEqual([rule])
  })

  test.each<[keyof Parts, string, string, number]>([
    ['schema', 'pdfaSchema', 'property', 5],
    ['schema', 'pdfaSchema', 'valueType', 6],
    ['type', 'pdfaType', 'field', 15],
  ])('of a %s may have an ordered array in %s:%s', (part, _prefix, field, number) => {
    expect(brokenBy('pdfa-2b', container({ [part]: { [field]: arrayOf('Bag') } }))).toContain(`6.6.2.3.3-${number}`)
    expect(brokenBy('pdfa-1b', container({ [part]: { [field]: 'text' } }))).toContain(`6.7.8-${number + 1}`)
    expect(brokenBy('pdfa-2b', container({ [part]: { [field]: undefined } }))).not.toContain(`6.6.2.3.3-${number}`)
  })

  test.each<keyof Parts>(['schema', 'property', 'type', 'field'])('of a %s have no other fields', part => {
    expect(brokenBy('pdfa-2b', container({ [part]: { other: 'a' } }))).toEqual(['6.6.2.3.2-1'])
    expect(brokenBy('pdfa-1b', container({ [part]: { other: 'a' } }))).toEqual(['6.7.8-1'])
  })

  test('have known types and categories', () => {
    expect(brokenBy('pdfa-2b', container({ property: { category: 'internal' } }))).toEqual([])
    expect(brokenBy('pdfa-2b', container({ property: { category: 'other' } }))).toEqual(['6.6.2.3.3-9'])
    expect(brokenBy('pdfa-2b', container({ field: { valueType: 'Unknown' } }))).toEqual(['6.6.2.3.3-17'])
    expect(brokenBy('pdfa-2b', container({ field: { valueType: 'bag Box' } }))).toEqual([])
  })
})
