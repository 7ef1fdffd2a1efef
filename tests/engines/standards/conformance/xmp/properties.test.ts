import { describe, expect, test } from 'vitest'
import { arrayOf, brokenBy, brokenRules, claim, langAlt, packetOf } from './metadata-file'

const event = '<stEvt:action>saved</stEvt:action><stEvt:when>2020-01-01</stEvt:when>'
const resource = (fields: string): string => `<rdf:Description>${fields}</rdf:Description>`

/** Valid and invalid values by property, for PDF/A-1 and for PDF/A-2. */
const VALUES: [property: string, valid: string[], invalid: string[]][] = [
  ['dc:title', [langAlt('a'), '<rdf:Alt/>'], ['a', arrayOf('Alt', 'a'), arrayOf('Seq', 'a')]],
  [
    'dc:creator',
    [arrayOf('Seq', 'a', 'b')],
    ['a', arrayOf('Bag', 'a'), arrayOf('Alt', 'a'), arrayOf('Seq', arrayOf('Seq', 'a'))],
  ],
  ['dc:subject', [arrayOf('Bag', 'a')], ['a', arrayOf('Seq', 'a')]],
  ['dc:language', [arrayOf('Bag', 'not a language')], ['en']],
  ['dc:date', [arrayOf('Seq', '2020-02')], [arrayOf('Seq', 'today')]],
  ['dc:format', ['application/pdf'], ['PDF', 'a/b/c']],
  [
    'xmp:CreateDate',
    ['2020', '2020-01-01T10:00:00.5+01:00', '2020-01-01T10Z', ''],
    ['2020-', '2020-01-01 10:00', '01.02.2020', '2020-01-01T10:00:00Z1', arrayOf('Seq', '2020')],
  ],
  ['xmp:BaseURL', ['any text'], [arrayOf('Bag', 'a')]],
  ['xmp:CreatorTool', ['any text', ''], [langAlt('a')]],
  ['xmpRights:Marked', ['True', 'False'], ['true', '1', '']],
  [
    'xmpMM:History',
    [arrayOf('Seq', resource(event))],
    [
      arrayOf('Bag', resource(event)),
      arrayOf('Seq', 'a'),
      arrayOf('Seq', resource('<stEvt:when>now</stEvt:when>')),
      arrayOf('Seq', resource('<stEvt:changed>/</stEvt:changed>')),
    ],
  ],
  [
    'xmpMM:DerivedFrom',
    [resource('<stRef:documentID>a</stRef:documentID>')],
    ['a', resource('<stEvt:action>a</stEvt:action>')],
  ],
  [
    'xmpMM:Versions',
    [arrayOf('Seq', resource(`<stVer:event>${resource(event)}</stVer:event>`))],
    [arrayOf('Seq', resource('<stVer:event>a</stVer:event>'))],
  ],
  ['xmpMM:SaveID', ['1', '-1', '+01'], ['1.0', 'a', '']],
  [
    'xmpBJ:JobRef',
    [arrayOf('Bag', resource('<stJob:name>a</stJob:name>'))],
    [arrayOf('Bag', resource('<stJob:title>a</stJob:title>'))],
  ],
  [
    'xmpTPg:MaxPageSize',
    [resource('<stDim:w>1.5</stDim:w><stDim:unit>mm</stDim:unit>')],
    [resource('<stDim:w>wide</stDim:w>')],
  ],
  ['photoshop:Urgency', ['5'], ['high']],
  ['tiff:Orientation', ['1', '99'], ['top']],
  ['tiff:XResolution', ['72/1', 'any text'], [arrayOf('Seq', '72/1')]],
  ['exif:Flash', [resource('<exif:Fired>True</exif:Fired>')], [resource('<exif:Fired>yes</exif:Fired>')]],
  [
    'exif:CFAPattern',
    [resource(`<exif:Values>${arrayOf('Seq', '1')}</exif:Values>`)],
    [resource('<exif:Values>1</exif:Values>')],
  ],
]

describe('values', () => {
  test.each(VALUES)('of %s', (property, valid, invalid) => {
    const write = (value: string): string => `<${property}>${value}</${property}>`
    for (const value of valid) {
      expect([value, brokenBy('pdfa-1b', write(value))]).toEqual([value, []])
      expect([value, brokenBy('pdfa-2b', write(value))]).toEqual([value, []])
    }
    for (const value of invalid) {
      expect([value, brokenBy('pdfa-1b', write(value))]).toEqual([value, ['6.7.9-3']])
      expect([value, brokenBy('pdfa-3b', write(value))]).toEqual([value, ['6.6.2.3.1-2']])
    }
  })

  test.each([
    ['<exif:GPSLatitude>48,10,20N</exif:GPSLatitude>', true, true],
    ['<exif:GPSLatitude>148,1.5E</exif:GPSLatitude>', false, true],
    ['<exif:GPSMeasureMode>two</exif:GPSMeasureMode>', false, true],
    ['<photoshop:SupplementalCategories>a</photoshop:SupplementalCategories>', true, false],
    [`<photoshop:SupplementalCategories>${arrayOf('Bag', 'a')}</photoshop:SupplementalCategories>`, false, true],
  ])('that the editions of XMP define differently: %s', (property, inFirst, inLater) => {
    expect(brokenBy('pdfa-1b', property)).toEqual(inFirst ? [] : ['6.7.9-3'])
    expect(brokenBy('pdfa-2b', property)).toEqual(inLater ? [] : ['6.6.2.3.1-2'])
  })
})

describe('properties', () => {
  test.each([
    ['<exif:MakerNote>a</exif:MakerNote>', true, false],
    ['<xmp:Rating>3</xmp:Rating>', false, true],
    ['<xmp:Label>a</xmp:Label>', false, true],
    ['<pdfaid:corr>a</pdfaid:corr>', false, true],
    ['<pdfaid:rev>2020</pdfaid:rev>', false, false],
    ['<aux:Lens>a</aux:Lens>', false, true],
    ['<crs:Version>2</crs:Version>', false, true],
    ['<xmpDM:tempo>1.5</xmpDM:tempo>', false, true],
    [
      `<xmpDM:markers>${arrayOf('Seq', resource(`<xmpDM:startTime>${resource('<xmpDM:value>1</xmpDM:value>')}</xmpDM:startTime>`))}</xmpDM:markers>`,
      false,
      true,
    ],
    [`<xmpTPg:Fonts>${arrayOf('Bag', resource('<stFnt:fontName>a</stFnt:fontName>'))}</xmpTPg:Fonts>`, false, true],
    ['<pdf:Trapped>True</pdf:Trapped>', false, false],
    ['<pdfuaid:part>1</pdfuaid:part>', false, false],
    ['<my:own>1</my:own>', false, false],
  ])('are predefined: %s', (property, inFirst, inLater) => {
    expect(brokenBy('pdfa-1b', property)).toEqual(inFirst ? [] : ['6.7.9-2', '6.7.9-3'])
    expect(brokenBy('pdfa-2b', property)).toEqual(inLater ? [] : ['6.6.2.3.1-1', '6.6.2.3.1-2'])
  })

  test('count in any prefix', () => {
    const packet = packetOf(`${claim(1, 'B')}<d:source xmlns:d="http://purl.org/dc/elements/1.1/">a</d:source>`)
    expect(brokenRules('pdfa-1b', { packet })).toEqual([])
  })
})
