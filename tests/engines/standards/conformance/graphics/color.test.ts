import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { outputIntentSpace } from '../../../../../engines/standards/conformance/graphics/output-intent'
import { readIccHeader } from '../../../../../engines/standards/conformance/graphics/icc-header'
import { LIMITS } from '../../../../support/run-on'
import { brokenRules, iccProfile, outputIntent, type RuleCase, type SmallPdf, writeSmallPdf } from './small-pdf'

const RULES_1 = { rgb: '6.2.3.3-1', cmyk: '6.2.3.3-2', gray: '6.2.3.3-3' }
const RULES_2 = { rgb: '6.2.4.3-2', cmyk: '6.2.4.3-3', gray: '6.2.4.3-4' }
const CAL_RGB = '[/CalRGB<</WhitePoint[1 1 1]>>]'
const TINT = '<</FunctionType 2/N 1/Domain[0 1]>>'

const space = (value: string, more: SmallPdf = {}): SmallPdf => ({
  content: '/C cs',
  resources: `/ColorSpace<</C ${value}>>`,
  ...more,
})
const icc = (profile: Buffer, components = 3): SmallPdf =>
  space('[/ICCBased @icc]', { objects: { icc: [`/N ${components}`, profile] } })
const withIntent = (profile: Buffer, components: number): SmallPdf => ({
  ...outputIntent(),
  objects: { profile: [`/N ${components}`, profile] },
})
const names = (count: number): string => Array.from({ length: count }, (_, index) => `/S${index}`).join('')
const deviceN = (list: string, attributes = ''): SmallPdf => space(`[/DeviceN[${list}]${CAL_RGB} ${TINT}${attributes}]`)
const separation = (alternate: string): string => `[/Separation/Spot ${alternate} ${TINT}]`
const twoSeparations = (other: string): SmallPdf => ({
  content: '/A cs /B cs',
  resources: `/ColorSpace<</A ${separation(CAL_RGB)}/B ${other}>>`,
})
const overprint = (mode: number, isOn: boolean): SmallPdf => ({
  ...icc(iccProfile('CMYK'), 4),
  content: '/C cs /G gs f',
  resources: `/ColorSpace<</C[/ICCBased @icc]>>/ExtGState<</G<</op ${isOn}/OPM ${mode}>>>>`,
})
const intents = (second: string): SmallPdf => ({
  catalog: `/OutputIntents[<</S/GTS_PDFA1/DestOutputProfile @profile>><</S/GTS_PDFX/DestOutputProfile ${second}>>]`,
  objects: { profile: ['/N 3', iccProfile()], other: ['/N 3', iccProfile()] },
})
const external = (subtype: string): SmallPdf => ({
  catalog: `/OutputIntents[<</S/${subtype}/DestOutputProfileRef<<>>>>]`,
})

const CASES: RuleCase[] = [
  ['output profile', 'pdfa-1b', '6.2.2-1', withIntent(iccProfile('RGB ', { version: 4 }), 3), outputIntent()],
  ['output profile', 'pdfa-2b', '6.2.3-1', withIntent(iccProfile('Lab '), 3), outputIntent('GRAY', 1)],
  ['output profile', 'pdfa-2b', '6.2.3-1', withIntent(iccProfile('RGB ', { kind: 'scnr' }), 3), outputIntent()],
  ['output profile', 'pdfa-2b', '6.2.3-1', withIntent(Buffer.from('short'), 3), outputIntent()],
  ['several intents', 'pdfa-1b', '6.2.2-2', intents('@other'), intents('@profile')],
  ['several intents', 'pdfa-2b', '6.2.3-2', intents('@other'), intents('@profile')],
  ['external profile', 'pdfa-2b', '6.2.3-3', external('GTS_PDFX'), external('GTS_PDFA1')],
  ['input profile', 'pdfa-1b', '6.2.3.2-1', icc(iccProfile('RGB ', { version: 4 })), icc(iccProfile())],
  [
    'input profile',
    'pdfa-2b',
    '6.2.4.2-1',
    icc(iccProfile('RGB ', { version: 5 })),
    icc(iccProfile('RGB ', { version: 4 })),
  ],
  ['input profile', 'pdfa-2b', '6.2.4.2-1', icc(iccProfile('RGB ', { kind: 'link' })), icc(iccProfile('Lab '))],
  ['components', 'pdfa-1b', '6.2.3.2-2', icc(iccProfile(), 4), icc(iccProfile('CMYK'), 4)],
  ['overprint', 'pdfa-2b', '6.2.4.2-2', overprint(1, true), overprint(1, false)],
  ['overprint', 'pdfa-2b', '6.2.4.2-2', overprint(1, true), overprint(0, true)],
  ['components of DeviceN', 'pdfa-1b', '6.1.12-9', deviceN(names(9)), deviceN(names(8))],
  ['components of DeviceN', 'pdfa-2b', '6.1.13-9', deviceN(names(33)), deviceN(names(32))],
  [
    'colorants',
    'pdfa-2b',
    '6.2.4.4-1',
    deviceN('/Cyan/Spot'),
    deviceN('/Cyan/None/Spot/Red', `<</Colorants<</Spot ${separation(CAL_RGB)}>>/Process<</Components[/Red]>>>>`),
  ],
  [
    'separations',
    'pdfa-2b',
    '6.2.4.4-2',
    twoSeparations(separation('[/CalRGB<</WhitePoint[1 1 0.9]>>]')),
    twoSeparations(separation(CAL_RGB)),
  ],
  [
    'separations in colorants',
    'pdfa-2b',
    '6.2.4.4-2',
    twoSeparations(`[/DeviceN[/Spot]${CAL_RGB} ${TINT}<</Colorants<</Spot ${separation('/DeviceGray')}>>>>]`),
    twoSeparations(`[/DeviceN[/Spot]${CAL_RGB} ${TINT}<</Colorants<</Spot ${separation(CAL_RGB)}>>>>]`),
  ],
]

describe('color rules', () => {
  it.each(CASES)('%s, %s: %s', (_name, profile, rule, broken, valid) => {
    expect(brokenRules(broken, profile)).toContain(rule)
    expect(brokenRules(valid, profile)).not.toContain(rule)
  })

  it('ignores how tint transforms are compressed', async () => {
    const file: SmallPdf = {
      ...twoSeparations('[/Separation/Spot /DeviceGray @hex]'),
      resources: '/ColorSpace<</A[/Separation/Spot/DeviceGray @plain]/B[/Separation/Spot/DeviceGray @hex]>>',
      objects: { plain: ['/FunctionType 4', '{}'], hex: ['/FunctionType 4/Filter/ASCIIHexDecode', '7B7D>'] },
    }
    expect(brokenRules(file, 'pdfa-2b')).not.toContain('6.2.4.4-2')
    const other = { ...file, objects: { ...file.objects, hex: ['/FunctionType 4', '{ }'] as [string, string] } }
    expect(brokenRules(other, 'pdfa-2b')).toContain('6.2.4.4-2')
  })
})

const image = (value: string): SmallPdf => ({
  content: '/X Do',
  resources: '/XObject<</X @image>>',
  objects: { image: [`/Subtype/Image/ColorSpace ${value}`, ''] },
})
const pattern = (type: number, entries: string, content: string): SmallPdf => ({
  content: `/C cs /P scn f`,
  resources: `/ColorSpace<</C[/Pattern ${CAL_RGB}]>>/Pattern<</P @pattern>>`,
  objects: { pattern: [`/PatternType 1/PaintType ${type}/Resources<<${entries}>>`, content] },
})
const glyph = (content: string): SmallPdf => ({
  content: `/C cs /F 1 Tf (a) Tj`,
  resources: `/ColorSpace<</C ${CAL_RGB}>>/Font<</F @font>>`,
  objects: { font: '<</Type/Font/Subtype/Type3/CharProcs<</a @glyph>>>>', glyph: ['', content] },
})

/** Files that use DeviceRGB. */
const USED: [string, SmallPdf][] = [
  ['operator', { content: '1 0 0 rg' }],
  ['named color space', { content: '/DeviceRGB CS' }],
  ['resource', space('/DeviceRGB')],
  ['Indexed', space('[/Indexed/DeviceRGB 0<000000>]')],
  ['Separation', space(`[/Separation/Spot/DeviceRGB ${TINT}]`)],
  ['DeviceN', space(`[/DeviceN[/Cyan]/DeviceRGB ${TINT}]`)],
  ['process color', space(`[/DeviceN[/Cyan]${CAL_RGB} ${TINT}<</Process<</ColorSpace/DeviceRGB>>>>]`)],
  ['image', image('/DeviceRGB')],
  ['Indexed image', image('[/Indexed/DeviceRGB 0<000000>]')],
  ['inline image', { content: 'BI /W 1 /H 1 /BPC 8 /CS /RGB ID xxx EI' }],
  ['Indexed inline image', { content: 'BI /W 1 /H 1 /BPC 8 /CS [/I /RGB 0 <000000>] ID x EI' }],
  ['stencil', { content: '/DeviceRGB cs BI /W 1 /H 1 /IM true ID x EI' }],
  ['shading', { content: '/S sh', resources: '/Shading<</S<</ColorSpace/DeviceRGB>>>>' }],
  [
    'shading pattern',
    {
      content: '/Pattern cs /P scn',
      resources: '/Pattern<</P<</PatternType 2/Shading<</ColorSpace/DeviceRGB>>>>>>',
    },
  ],
  ['page group', { page: '/Group<</S/Transparency/CS/DeviceRGB>>' }],
  ['colored pattern', pattern(1, '', '1 0 0 rg')],
  ['colored glyph', glyph('1 0 d0 1 0 0 rg')],
  ['default color space of another page', { content: '1 0 0 rg', resources: `/ColorSpace<</DefaultGray ${CAL_RGB}>>` }],
]

/** Files that don't use DeviceRGB or DeviceGray. */
const UNUSED: [string, SmallPdf][] = [
  ['default color space', { content: '1 0 0 rg', resources: `/ColorSpace<</DefaultRGB ${CAL_RGB}>>` }],
  ['default gray at the start', { content: 'f', resources: `/ColorSpace<</DefaultGray ${CAL_RGB}>>` }],
  [
    'default color space inside Indexed',
    { content: '/C cs', resources: `/ColorSpace<</C[/Indexed/DeviceRGB 0<00>]/DefaultRGB ${CAL_RGB}>>` },
  ],
  ['names of object members', { content: '/toString cs /constructor scn BI /constructor /toString ID x EI' }],
  ['unused resource', { resources: '/ColorSpace<</C/DeviceRGB>>' }],
  ['stencil in another color', { ...space(CAL_RGB), content: '/C cs BI /W 1 /H 1 /IM true /CS /RGB ID x EI' }],
  ['uncolored pattern', pattern(2, '', '1 0 0 rg f S')],
  ['uncolored glyph', glyph('1 0 0 0 1 1 d1 1 0 0 rg f')],
  [
    'soft mask in graphics state',
    {
      content: '/G gs',
      resources: '/ExtGState<</G<</SMask<</S/Luminosity/G @group>>>>>>',
      objects: { group: ['/Subtype/Form/BBox[0 0 1 1]', '1 0 0 rg f'] },
    },
  ],
]

describe('device color spaces', () => {
  it.each(USED)('counts %s', (_name, file) => {
    expect(brokenRules(file, 'pdfa-1b')).toContain(RULES_1.rgb)
    expect(brokenRules(file, 'pdfa-2b')).toContain(RULES_2.rgb)
    const rgb = outputIntent()
    const valid = { ...file, ...rgb, objects: { ...file.objects, ...rgb.objects } }
    expect(brokenRules(valid, 'pdfa-2b')).not.toContain(RULES_2.rgb)
  })

  it.each(UNUSED)('does not count %s', (_name, file) => {
    const broken = brokenRules(file, 'pdfa-2b')
    expect(broken).not.toContain(RULES_2.rgb)
    expect(broken).not.toContain(RULES_2.gray)
  })

  it.each([
    ['k', RULES_1.cmyk, RULES_2.cmyk, outputIntent('CMYK', 4)],
    ['g', RULES_1.gray, RULES_2.gray, outputIntent('CMYK', 4)],
    ['S', RULES_1.gray, RULES_2.gray, outputIntent()],
  ])('compares %s with the output intent', async (content, first, second, intent) => {
    expect(brokenRules({ content }, 'pdfa-1b')).toContain(first)
    expect(brokenRules({ content }, 'pdfa-3b')).toContain(second)
    expect(brokenRules({ ...intent, content }, 'pdfa-1b')).not.toContain(first)
    expect(brokenRules({ ...intent, content }, 'pdfa-3b')).not.toContain(second)
  })
})

describe('output intent', () => {
  it('has the color space of its profile', () => {
    const read = (file: SmallPdf): string | undefined => outputIntentSpace(openDocument(writeSmallPdf(file), LIMITS))
    expect(read(outputIntent('CMYK', 4))).toBe('CMYK')
    expect(
      read({ catalog: '/OutputIntents[<</S/GTS_PDFX/DestOutputProfile @p>>]', objects: { p: ['', iccProfile()] } }),
    ).toBe(undefined)
    expect(read({})).toBe(undefined)
  })

  it('reads headers', () => {
    expect(readIccHeader(iccProfile('GRAY', { version: 4, kind: 'prtr' }))).toEqual({
      version: 4,
      deviceClass: 'prtr',
      colorSpace: 'GRAY',
    })
    expect(readIccHeader(Buffer.alloc(4))).toEqual({})
  })
})
