import { describe, expect, it } from 'vitest'
import { brokenRules, outputIntent, type RuleCase, type SmallPdf, validateSmallPdf } from './small-pdf'

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'
const drawForm = (entries: string, more: SmallPdf = {}): SmallPdf => ({
  ...more,
  content: '/X Do',
  resources: '/XObject<</X @form>>',
  objects: { form: [`${FORM}${entries}`, ''] },
})
const state = (entries: string): SmallPdf => ({
  content: '/G gs',
  resources: `/ExtGState<</G<<${entries}>>>>`,
})
const saves = (count: number): SmallPdf => ({ content: 'q '.repeat(count) + 'Q '.repeat(count) })
const halftone = (entries: string): SmallPdf => state(`/HT<<${entries}>>`)
const inherited: SmallPdf = {
  content: '/X Do',
  resources: '/XObject<</X @form>>/ExtGState<</G<</SA true>>>>',
}
const PDF_FORM = `${FORM}/Resources<<>>`

const CASES: RuleCase[] = [
  ['operator', 'pdfa-1b', '6.2.10-1', { content: 'BX foo EX' }, { content: 'q Q BX EX' }],
  ['operator', 'pdfa-2b', '6.2.2-1', { content: 'foo' }, { content: 'q 1 0 0 1 0 0 cm Q BT T* ET' }],
  ['nesting', 'pdfa-1b', '6.1.12-8', saves(29), saves(28)],
  ['nesting', 'pdfa-3b', '6.1.13-8', saves(29), saves(28)],
  [
    'resources of the page in a form',
    'pdfa-2b',
    '6.2.2-2',
    { ...inherited, objects: { form: [PDF_FORM, '/G gs'] } },
    { ...inherited, objects: { form: [`${FORM}/Resources<</ExtGState<</G<<>>>>>>`, '/G gs'] } },
  ],
  [
    'resources of the page tree',
    'pdfa-2b',
    '6.2.2-2',
    { ...state('/SA true'), inherits: true },
    { content: '/DeviceGray cs', inherits: true },
  ],
  ['rendering intent', 'pdfa-1b', '6.2.9-1', { content: '/Other ri' }, { content: '/Perceptual ri' }],
  ['rendering intent', 'pdfa-2b', '6.2.6-1', state('/RI/Other'), state('/RI/Saturation')],
  ['transfer function', 'pdfa-1b', '6.2.8-1', state('/TR/Identity'), state('/TR2/Default')],
  ['transfer function', 'pdfa-2b', '6.2.5-1', state('/TR/Identity'), state('/TR2/Default')],
  ['transfer function', 'pdfa-1b', '6.2.8-2', state('/TR2/Identity'), state('/TR2/Default')],
  ['transfer function', 'pdfa-2b', '6.2.5-2', state('/TR2 4'), state('/TR2/Default')],
  ['halftone origin', 'pdfa-2b', '6.2.5-3', state('/HTP[0 0]'), state('/SA true')],
  ['halftone type', 'pdfa-2b', '6.2.5-4', halftone('/HalftoneType 6'), halftone('/HalftoneType 1')],
  ['halftone type', 'pdfa-2b', '6.2.5-4', state('/HT/Other'), state('/HT/Default')],
  ['halftone name', 'pdfa-2b', '6.2.5-5', halftone('/HalftoneType 1/HalftoneName(h)'), halftone('/HalftoneType 1')],
  [
    'halftone transfer function',
    'pdfa-2b',
    '6.2.5-6',
    halftone('/HalftoneType 5/Cyan<</HalftoneType 1/TransferFunction/Identity>>'),
    halftone('/HalftoneType 5/Spot<</HalftoneType 1/TransferFunction/Identity>>/Default<</HalftoneType 1>>'),
  ],
  [
    'missing halftone transfer function',
    'pdfa-2b',
    '6.2.5-6',
    halftone('/HalftoneType 5/Spot<</HalftoneType 1>>'),
    halftone('/HalftoneType 5/Black<</HalftoneType 1>>'),
  ],
  ['soft mask', 'pdfa-1b', '6.4-1', state('/SMask<</S/Alpha>>'), state('/SMask/None')],
  ['blend mode', 'pdfa-1b', '6.4-4', state('/BM/Multiply'), state('/BM/Compatible')],
  ['blend mode', 'pdfa-1b', '6.4-4', state('/BM[/Normal]'), state('/BM/Normal')],
  ['stroke opacity', 'pdfa-1b', '6.4-5', state('/CA 0.5'), state('/CA 1.0')],
  ['fill opacity', 'pdfa-1b', '6.4-6', state('/ca/None'), state('/ca 1')],
  ['blend mode', 'pdfa-2b', '6.2.10-1', state('/BM/Other'), state('/BM/Luminosity')],
  ['blend mode in an array', 'pdfa-2b', '6.2.10-1', state('/BM[/Normal/Other]'), state('/BM[/Multiply/Normal]')],
  ['form', 'pdfa-1b', '6.2.4-2', drawForm('/OPI<<>>'), drawForm('')],
  ['form', 'pdfa-1b', '6.2.5-1', drawForm('/Subtype2/PS'), drawForm('/Subtype2/Other')],
  ['form', 'pdfa-2b', '6.2.9-1', drawForm('/OPI<<>>'), drawForm('')],
  ['form', 'pdfa-2b', '6.2.9-1', drawForm('/PS @form'), drawForm('')],
  ['reference', 'pdfa-1b', '6.2.6-1', drawForm('/Ref<<>>'), drawForm('')],
  ['reference', 'pdfa-2b', '6.2.9-2', drawForm('/Ref<<>>'), drawForm('')],
  ['reference', 'pdfua-1', '7.20-1', drawForm('/Ref<<>>'), drawForm('')],
  ['form group', 'pdfa-1b', '6.4-3', drawForm('/Group<</S/Transparency>>'), drawForm('/Group<</S/Other>>')],
  ['page group', 'pdfa-1b', '6.4-3', { page: '/Group<</S/Transparency>>' }, { page: '/Group<<>>' }],
]

describe('content rules', () => {
  it.each(CASES)('%s, %s: %s', (_name, profile, rule, broken, valid) => {
    expect(brokenRules(broken, profile)).toContain(rule)
    expect(brokenRules(valid, profile)).not.toContain(rule)
  })

  it('finds PostScript XObjects', async () => {
    const file: SmallPdf = { ...drawForm(''), objects: { form: ['/Subtype/PS', ''] } }
    expect(brokenRules(file, 'pdfa-1b')).toContain('6.2.7-1')
    expect(brokenRules(file, 'pdfa-2b')).toContain('6.2.9-3')
  })

  it('leaves rules undecided if content is unreadable', async () => {
    const file: SmallPdf = { ...drawForm(''), objects: { form: [`${FORM}/Filter/Unknown`, 'x'] } }
    const { undecided } = validateSmallPdf(file, 'pdfa-2b')
    expect(undecided).toContainEqual({ clause: '6.2.2', test: 1 })
  })
})

const paint = (entries: string, content = '0 0 1 1 re f'): SmallPdf => ({
  content: `/G gs ${content}`,
  resources: `/ExtGState<</G<<${entries}>>>>`,
})
const TYPE_3 = '<</Type/Font/Subtype/Type3/CharProcs<</a @glyph>>/Resources<</ExtGState<</G<</ca 0>>>>>>>>'

/** Pages with transparency. */
const TRANSPARENT: [string, SmallPdf][] = [
  ['fill', paint('/ca 0.5')],
  ['stroke', paint('/CA 0.5', '0 0 1 1 re S')],
  ['shading', paint('/ca 0.5', '/S sh')],
  ['soft mask', paint('/SMask<<>>')],
  ['blend mode', paint('/BM/Multiply')],
  ['blend mode in an array', paint('/BM[/Normal/Multiply]')],
  ['text', paint('/CA 0.5', 'BT 1 Tr (a) Tj ET')],
  ['form group', drawForm('/Group<</S/Transparency>>')],
  [
    'form content',
    { ...drawForm(''), objects: { form: [`${FORM}/Resources<</ExtGState<</G<</ca 0>>>>>>`, '/G gs f'] } },
  ],
  ['image mask', { ...drawForm(''), objects: { form: ['/Subtype/Image/SMask @form', ''] } }],
  ['alpha in JPEG 2000 data', { ...drawForm(''), objects: { form: ['/Subtype/Image/SMaskInData 1', ''] } }],
  [
    'pattern',
    {
      content: '/Pattern cs /P scn f',
      resources: '/Pattern<</P @form>>',
      objects: { form: ['/PatternType 1/PaintType 1/Resources<</ExtGState<</G<</ca 0>>>>>>', '/G gs f'] },
    },
  ],
  [
    'glyph',
    {
      content: '/F 1 Tf (a) Tj',
      resources: '/Font<</F @font>>',
      objects: { font: TYPE_3, glyph: ['', '/G gs f'] },
    },
  ],
  [
    'annotation',
    {
      page: '/Annots[<</AP<</N @form>>>>]',
      objects: { form: [`${FORM}/Group<</S/Transparency>>`, ''] },
    },
  ],
]

/** Pages without transparency. */
const OPAQUE: [string, SmallPdf][] = [
  ['nothing painted', paint('/ca 0.5', 'n')],
  ['restored state', paint('/SA true', 'q /G gs Q f')],
  ['stroke opacity of a fill', paint('/CA 0.5')],
  ['normal blend mode', paint('/BM/Normal/SMask/None/ca 1')],
  ['invisible text', paint('/ca 0.5', '3 Tr (a) Tj')],
]

describe('page transparency', () => {
  it.each(TRANSPARENT)('%s', (_name, file) => {
    const group = '/Group<</S/Transparency/CS/DeviceRGB>>'
    expect(brokenRules(file, 'pdfa-2b')).toContain('6.2.10-2')
    expect(brokenRules({ ...file, page: `${file.page ?? ''}${group}` }, 'pdfa-2b')).not.toContain('6.2.10-2')
    const intent = outputIntent()
    const objects = { ...file.objects, ...intent.objects }
    expect(brokenRules({ ...file, ...intent, objects }, 'pdfa-2b')).not.toContain('6.2.10-2')
  })

  it.each(OPAQUE)('%s', (_name, file) => {
    expect(brokenRules(file, 'pdfa-2b')).not.toContain('6.2.10-2')
  })
})
