import { expect, test } from 'vitest'
import { Examination } from '../../../../../engines/standards/conformance/examination/examination'
import { examineObjects } from '../../../../../engines/standards/conformance/objects/examine-objects'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { LIMITS } from '../../../../support/run-on'
import { brokenRules, type Sample, writeSample } from '../file/sample'

const plain = (dictionary: string): { dictionary: string; data: Buffer } => ({ dictionary, data: Buffer.from('x') })
const long = (count: number): string => 'a'.repeat(count)
const FILE = '<</Type/Filespec/F(a)/UF(a)/AFRelationship/Data/EF<</F 6 0 R>>>>'
const STREAM = plain('/Type/EmbeddedFile/Subtype/text#2Fplain')
const NAMED = '/Names<</EmbeddedFiles<</Names[(a) 5 0 R]>>>>'

type Case = [what: string, profile: ProfileId, rule: string, bad: Sample, good: Sample]

/** A value in an object and, if it can be an operand, in content. */
function values(rule: [what: string, profile: ProfileId, rule: string], bad: string, good: string): Case[] {
  return [
    [...rule, { objects: [`[${bad}]`] }, { objects: [`[${good}]`] }],
    [...rule, { objects: [bad], layout: 'streams' }, { objects: [good], layout: 'streams' }],
    [...rule, { content: `/X [${bad}] foo` }, { content: `/X [${good}] foo` }],
    [...rule, { content: `${bad} foo` }, { content: `${good} foo` }],
    [...rule, { content: `/P <</A [${bad}]>> BDC EMC` }, { content: `/P <</A [${good}]>> BDC EMC` }],
  ]
}

const CASES: Case[] = [
  ...values(['integer', 'pdfa-1b', '6.1.12-1'], '2147483648', '2147483647'),
  ...values(['integer', 'pdfa-2b', '6.1.13-1'], '-2147483649', '-2147483648'),
  ...values(['real', 'pdfa-1b', '6.1.12-2'], '-32767.5', '32767.0'),
  ...values(['real', 'pdfa-2b', '6.1.13-2'], `${'9'.repeat(39)}.5`, '2147483648.5'),
  ...values(['tiny real', 'pdfa-3b', '6.1.13-5'], `.${'0'.repeat(40)}1`, `.${'0'.repeat(40)}`),
  ...values(['malformed number', 'pdfa-2b', '6.1.13-1'], '--5', '-5'),
  ...values(['malformed number', 'pdfa-2b', '6.1.13-2'], '1.2.3', '+1.2'),
  ...values(['string', 'pdfa-1b', '6.1.12-3'], `(${long(65_536)})`, `(${long(65_533)}\\n\\))`),
  ...values(['string', 'pdfa-2b', '6.1.13-3'], `<${long(65_536)}>`, `<${long(65_534)}>`),
  ...values(['name', 'pdfa-1b', '6.1.12-4'], `/${long(128)}`, `/${long(124)}#61#61#61`),
  ...values(['name', 'pdfa-2b', '6.1.13-4'], `/${long(128)}`, `/${long(127)}`),
  ...values(['odd digits', 'pdfa-1b', '6.1.6-1'], '<abc>', '<ab c d>'),
  ...values(['bad digits', 'pdfa-2b', '6.1.6-2'], '<abxy>', '<ABef09>'),
  ['odd digits in the trailer', 'pdfa-2b', '6.1.6-1', { trailer: '/ID[<ABC><CD>]' }, {}],
  [
    'array',
    'pdfa-1b',
    '6.1.12-5',
    { objects: [`[${'0 '.repeat(8192)}]`] },
    { objects: [`[${'5 0 R '.repeat(8191)}]`] },
  ],
  ['dictionary', 'pdfa-1b', '6.1.12-6', { objects: [dictionary(4096)] }, { objects: [dictionary(4095)] }],
  ['LZW', 'pdfa-1b', '6.1.10-1', filter('/LZWDecode'), filter('/DCTDecode')],
  ['LZW', 'pdfa-2b', '6.1.7.2-1', filter('[/ASCIIHexDecode/LZWDecode]'), filter('[/ASCIIHexDecode/JPXDecode]')],
  ['unknown filter', 'pdfa-2b', '6.1.7.2-1', filter('/Foo'), filter('[/RunLengthDecode]')],
  [
    'Crypt',
    'pdfa-3b',
    '6.1.7.2-1',
    filter('/Crypt/DecodeParms<</Name/A>>'),
    filter('/Crypt/DecodeParms<</Name/Identity>>'),
  ],
  ['Crypt', 'pdfa-3b', '6.1.7.2-1', filter('[/Crypt]/DecodeParms[<</Name/A>>]'), filter('[/Crypt]')],
  ['small page', 'pdfa-2b', '6.1.13-11', { mediaBox: '0 0 2.5 200' }, { mediaBox: '200 200 0 0' }],
  ['large page', 'pdfa-2b', '6.1.13-11', { mediaBox: '0 0 14401 9' }, { mediaBox: '0 0 14400 3' }],
  ['small box', 'pdfa-2b', '6.1.13-11', { page: '/TrimBox[0 0 1 1]' }, { page: '/TrimBox[0 0 3 3]' }],
  ['font name', 'pdfa-2b', '6.1.8-1', font('/A#ff'), font('/A#c3#a9')],
  ['colorant', 'pdfa-2b', '6.1.8-1', colorant('/Separation/A#ff'), colorant('/Separation/A')],
  ['colorant', 'pdfa-2b', '6.1.8-1', colorant('/DeviceN[/A/#e9]'), colorant('/DeviceN[/A/B]')],
  ['structure type', 'pdfa-2b', '6.1.8-1', element('/S/#ff'), element('/S/P')],
  ['role map', 'pdfa-2b', '6.1.8-1', element('/S/P', '/RoleMap<</P/#ff>>'), element('/S/P', '/RoleMap<</P/Q>>')],
  ['language', 'pdfua-1', '7.2-29', { catalog: '/Lang(en_US)' }, { catalog: '/Lang(en-US)' }],
  ['language', 'pdfua-1', '7.2-29', element('/S/P/Lang()'), element('/S/P/Lang<FEFF00640065>')],
  ['language', 'pdfua-1', '7.2-29', { content: '/P<</Lang(x y)>>BDC EMC' }, { content: '/P<</Lang(de)>>BDC EMC' }],
  [
    'language',
    'pdfua-1',
    '7.2-29',
    { content: '/P/A BDC EMC', resources: '/Properties<</A<</Lang(-)>>>>' },
    { content: '/P/A BDC EMC', resources: '/Properties<</A<</Lang(a)>>>>' },
  ],
  ['embedded file', 'pdfa-1b', '6.1.11-1', { objects: [FILE, STREAM] }, { objects: ['<</Type/Filespec/F(a)>>'] }],
  ['F', 'pdfa-2b', '6.8-2', { objects: [FILE.replace('/F(a)', ''), STREAM] }, { objects: [FILE, STREAM] }],
  ['UF', 'pdfa-3b', '6.8-2', { objects: [FILE.replace('/UF(a)', ''), STREAM] }, { objects: [FILE, STREAM] }],
  ['F', 'pdfua-1', '7.11-1', { objects: [FILE.replace('/F(a)', '/F()'), STREAM] }, { objects: [FILE, STREAM] }],
  ['type', 'pdfa-3b', '6.8-1', { objects: [FILE, plain('/Subtype/text')] }, { objects: [FILE, STREAM] }],
  ['untyped', 'pdfa-3b', '6.8-1', { catalog: NAMED, objects: [FILE.replace('/Type/Filespec', ''), plain('')] }, {}],
  [
    'relationship',
    'pdfa-3b',
    '6.8-3',
    { objects: [FILE.replace('/AFRelationship/Data', ''), STREAM] },
    { objects: [FILE, STREAM] },
  ],
  ['association', 'pdfa-3b', '6.8-4', { objects: [FILE, STREAM] }, { catalog: '/AF[5 0 R]', objects: [FILE, STREAM] }],
  [
    'association',
    'pdfa-3b',
    '6.8-4',
    { content: '/AF/X BDC EMC', objects: [FILE, STREAM] },
    { content: '/AF/X BDC EMC', resources: '/Properties<</X[5 0 R]>>', objects: [FILE, STREAM] },
  ],
  ['permissions', 'pdfa-2b', '6.1.12-1', { catalog: '/Perms<</UR4 1>>' }, { catalog: '/Perms<</UR3 1/DocMDP 1>>' }],
]

function dictionary(size: number): string {
  return `<<${Array.from({ length: size }, (_, index) => `/K${index} 5 0 R`).join('')}>>`
}

function filter(entry: string): Sample {
  return { objects: [plain(`/Filter${entry}`)] }
}

function font(name: string): Sample {
  return { resources: `/Font<</F<</Type/Font/Subtype/Type1/BaseFont${name}>>>>` }
}

function colorant(start: string): Sample {
  return { resources: `/ColorSpace<</C[${start}/DeviceGray<<>>]>>` }
}

function element(entries: string, root = ''): Sample {
  return { catalog: `/StructTreeRoot<<${root}/K[<<${entries}>>]>>` }
}

test.each(CASES)('%s breaks a rule of %s: %s', async (_what, profile, rule, bad, good) => {
  expect(brokenRules(writeSample(bad), profile)).toContain(rule)
  const broken = brokenRules(writeSample(good), profile)
  expect(broken).not.toContain(rule)
  expect(broken).not.toContain(`${rule}?`)
})

test('an embedded file must be PDF/A itself', async () => {
  const embed = (data: Buffer): Buffer => writeSample({ objects: [FILE, { dictionary: '', data }] })
  const packet = (part: number): Sample => ({
    catalog: '/Metadata 5 0 R',
    objects: [
      {
        dictionary: '/Type/Metadata/Subtype/XML',
        data: Buffer.from(
          `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
            `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="${part}" ` +
            `pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>`,
        ),
      },
    ],
  })
  const broken = (data: Buffer, conforms: boolean | null): string[] => {
    const bytes = embed(data)
    const examination = new Examination(openDocument(bytes, LIMITS), bytes, 'pdfa-2b')
    const area = examineObjects(examination, (_document, _bytes, profile) => ({
      conforms,
      profile,
      failures: [],
      undecided: [],
    }))
    area.finish?.(true)
    const { failures, undecided } = examination.report()
    return [...failures.map(({ test: number }) => `${number}`), ...undecided.map(({ test: number }) => `${number}?`)]
  }
  expect(broken(Buffer.from('text'), true)).toEqual(['5'])
  expect(broken(writeSample(), true)).toEqual(['5'])
  expect(broken(writeSample(packet(3)), true)).toEqual(['5'])
  expect(broken(writeSample(packet(2)), true)).toEqual([])
  expect(broken(writeSample(packet(1)), null)).toEqual(['5?'])
  expect(broken(writeSample(packet(2)), false)).toEqual(['5'])
  expect(brokenRules(embed(writeSample({ ...packet(2), trailer: '' })), 'pdfa-2b')).toContain('6.8-5')
})

/** A signed file. `cms` is the value of /Contents in hexadecimal. */
function sign(cms: string, { shift = 0, entries = '' } = {}): Buffer {
  const write = (range: number[]): Buffer =>
    writeSample({
      catalog: '/AcroForm<</Fields[5 0 R]>>/Perms<</DocMDP 6 0 R>>',
      objects: [
        '<</FT/Sig/T(a)/V 6 0 R>>',
        `<</Type/Sig/ByteRange[${range.map(item => String(item).padStart(6, '0')).join(' ')}]/Contents<${cms}>${entries}>>`,
      ],
    })
  const draft = write([0, 0, 0, 0])
  const start = draft.indexOf('/Contents<') + 9
  const end = start + cms.length + 2
  return write([0, start + shift, end, draft.length - end])
}

const der = (tag: string, ...parts: string[]): string => {
  const content = parts.join('')
  return tag + (content.length / 2).toString(16).padStart(2, '0') + content
}
/** Signed data with these certificates and signers. */
const cms = (certificates: number, signers: number, wrap = der): string =>
  wrap(
    '30',
    '06092a864886f70d010702',
    wrap(
      'a0',
      wrap(
        '30',
        '020101',
        '3100',
        '3000',
        certificates ? wrap('a0', '3000'.repeat(certificates)) : '',
        wrap('31', '3000'.repeat(signers)),
      ),
    ),
  )
const ber: typeof der = (tag, ...parts) => `${tag}80${parts.join('')}0000`

test.each([
  ['a sound signature', sign(`${cms(1, 1)}0000`), []],
  ['indefinite lengths', sign(cms(2, 1, ber)), []],
  ['a range that is shifted', sign(cms(1, 1), { shift: 1 }), ['6.4.3-1']],
  ['bytes of a later revision', Buffer.concat([sign(cms(1, 1)), Buffer.from('%x\n')]), []],
  ['no certificate', sign(cms(0, 1)), ['6.4.3-2']],
  ['two signers', sign(cms(1, 2)), ['6.4.3-3']],
  ['no CMS object', sign('00'), ['6.4.3-2', '6.4.3-3']],
  ['a digest with DocMDP', sign(cms(1, 1), { entries: '/Reference[<</DigestMethod/MD5>>]' }), ['6.1.12-2']],
  ['a reference without digest', sign(cms(1, 1), { entries: '/Reference[<</Data 1 0 R>>]' }), []],
])('%s', async (_what, file, rules) => {
  const broken = brokenRules(file, 'pdfa-2b')
  expect(broken.filter(rule => /^6\.(4\.3|1\.12)-/.test(rule))).toEqual(rules)
})

test('objects that can not be read leave their rules undecided', async () => {
  const nested = `${'['.repeat(600)}${']'.repeat(600)}`
  const broken = brokenRules(writeSample({ objects: [plain(`/A ${nested}`)] }), 'pdfa-2b')
  expect(broken).toContain('6.1.7.2-1?')
})
