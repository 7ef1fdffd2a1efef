import { describe, expect, it } from 'vitest'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import { Draft } from '../../../../fixtures/draft'
import { listBrokenRules, validateFile } from '../../../../support/conformance'

interface Case {
  /** Entries of an annotation on page 1. `FORM` stands for an appearance stream. */
  annotation?: string
  catalog?: string
  page?: string
  profile?: ProfileId
}

function write({ annotation, catalog = '', page = '' }: Case): Buffer {
  const draft = new Draft({ pages: 1 })
  const form = draft.pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<>>', '0 0 9 9 re f')
  const insert = (text: string): string => text.replaceAll('FORM', `${form} 0 R`)
  const one = draft.pdf.add('<</Type/OCG/Name(One)>>')
  const layers = (text: string): string => text.replaceAll('LAYER', `${one} 0 R`)
  if (annotation !== undefined) draft.page(1).annotations.push(`<</Type/Annot/Rect[10 10 60 60]${insert(annotation)}>>`)
  draft.catalog.push(layers(catalog))
  draft.page(1).entries.push(page)
  return draft.write()
}

const STAMP = '/Subtype/Stamp/F 4/AP<</N FORM>>'
const FIELD = '/Subtype/Widget/FT/Btn/T(b)/F 4/AP<</N<</Off FORM>>>>'

/** Changes that break a rule. The rules of PDF/A-2 come first, and those of PDF/A-1 after a slash. */
const BROKEN: [rule: string, first: string | undefined, part: Case][] = [
  ['6.3.1-1', '6.5.2-1', { annotation: '/Subtype/Movie/F 4/AP<</N FORM>>' }],
  ['6.3.1-1', '6.5.2-1', { annotation: '/F 4/AP<</N FORM>>' }],
  ['6.3.2-1', '6.5.3-2', { annotation: '/Subtype/Stamp/AP<</N FORM>>' }],
  ['6.3.2-2', '6.5.3-2', { annotation: '/Subtype/Stamp/F 6/AP<</N FORM>>' }],
  ['6.3.2-2', '6.5.3-2', { annotation: '/Subtype/Stamp/F 0/AP<</N FORM>>' }],
  ['6.3.2-2', undefined, { annotation: '/Subtype/Stamp/F 260/AP<</N FORM>>' }],
  ['6.3.3-1', undefined, { annotation: '/Subtype/Stamp/F 4' }],
  ['6.3.3-2', '6.5.3-4', { annotation: '/Subtype/Stamp/F 4/AP<</N FORM/D FORM>>' }],
  ['6.3.3-3', '6.5.3-5', { annotation: '/Subtype/Widget/FT/Btn/T(b)/F 4/AP<</N FORM>>' }],
  ['6.3.3-4', '6.5.3-6', { annotation: '/Subtype/Stamp/F 4/AP<</N<</On FORM>>>>' }],
  ['6.4.1-1', '6.6.1-3', { annotation: `${FIELD}/A<</S/GoTo/D[0/Fit]>>` }],
  ['6.4.1-1', '6.6.2-1', { annotation: `${FIELD}/AA<<>>` }],
  ['6.4.1-2', '6.6.2-2', { catalog: '/AcroForm<</Fields[<</T(f)/FT/Tx/AA<<>>>>]>>' }],
  ['6.4.1-3', '6.9-1', { catalog: '/AcroForm<</Fields[]/NeedAppearances true>>' }],
  ['6.4.2-1', undefined, { catalog: '/AcroForm<</Fields[]/XFA[]>>' }],
  ['6.5.1-1', '6.6.1-1', { catalog: '/OpenAction<</S/JavaScript/JS()>>' }],
  ['6.5.1-1', '6.6.1-1', { annotation: '/Subtype/Link/F 4/A<</S/Launch/F(a)>>' }],
  ['6.5.1-1', '6.6.1-1', { annotation: '/Subtype/Link/F 4/A<</S/GoTo/D[0/Fit]/Next[<</S/Hide>>]>>' }],
  ['6.5.1-1', '6.6.1-1', { annotation: '/Subtype/Link/F 4/A<</URI(a)>>' }],
  ['6.5.1-2', '6.6.1-2', { annotation: '/Subtype/Link/F 4/A<</S/Named/N/Print>>' }],
  ['6.5.2-1', '6.6.2-3', { catalog: '/AA<<>>' }],
  ['6.5.2-2', undefined, { page: '/AA<<>>' }],
  ['6.9-1', undefined, { catalog: '/OCProperties<</OCGs[]/D<<>>>>' }],
  ['6.9-2', undefined, { catalog: '/OCProperties<</OCGs[]/D<</Name(a)>>/Configs[<</Name(a)>>]>>' }],
  ['6.9-3', undefined, { catalog: '/OCProperties<</OCGs[LAYER]/D<</Name(a)/Order[]>>>>' }],
  ['6.9-4', undefined, { catalog: '/OCProperties<</OCGs[]/D<</Name(a)/AS[]>>>>' }],
  ['6.10-1', undefined, { catalog: '/Names<</AlternatePresentations<</Names[]>>>>' }],
  ['6.10-2', undefined, { page: '/PresSteps<<>>' }],
]

const SOUND: [what: string, part: Case][] = [
  ['a stamp with an appearance', { annotation: STAMP }],
  ['a button with one state', { annotation: FIELD }],
  ['a link without an appearance', { annotation: '/Subtype/Link/F 4/A<</S/URI/URI(https://example.com)>>' }],
  ['a turn to the next page', { annotation: '/Subtype/Link/F 4/A<</S/Named/N/NextPage>>' }],
  ['layers in order', { catalog: '/OCProperties<</OCGs[LAYER]/D<</Name(a)/Order[[LAYER]]>>>>' }],
]

/** The rules that this file is about. */
const OWN_2 = /^6\.(3|4|5|9|10)(\.|-)/
const OWN_1 = /^6\.(5|6|9)(\.|-)/

describe('annotations, actions, forms and layers', () => {
  it.each(BROKEN)('break %s, in PDF/A-1 %s: %j', (rule, first, part) => {
    const file = write(part)
    expect(listBrokenRules(file, 'pdfa-2b')).toContain(rule)
    expect(listBrokenRules(file, 'pdfa-3u')).toContain(rule)
    if (first !== undefined) expect(listBrokenRules(file, 'pdfa-1b')).toContain(first)
  })

  it.each(SOUND)('break no rule: %s', (_what, part) => {
    const file = write(part)
    expect(listBrokenRules(file, 'pdfa-2b').filter(rule => OWN_2.test(rule))).toEqual([])
    expect(listBrokenRules(file, 'pdfa-1b').filter(rule => OWN_1.test(rule))).toEqual([])
  })

  it('break rules of PDF/A-1 only', () => {
    const polygon = write({ annotation: '/Subtype/Polygon/F 4/CA 0.5/AP<</N FORM>>' })
    expect(listBrokenRules(polygon, 'pdfa-1b')).toEqual(expect.arrayContaining(['6.5.2-1', '6.5.3-1']))
    expect(listBrokenRules(polygon, 'pdfa-2b').filter(rule => OWN_2.test(rule))).toEqual([])
    const widget = write({ annotation: '/Subtype/Widget/FT/Tx/F 4' })
    expect(listBrokenRules(widget, 'pdfa-1b')).toContain('6.9-2')
    const colored = write({ annotation: `${STAMP}/C[1 0 0]` })
    expect(listBrokenRules(colored, 'pdfa-1b')).toContain('6.5.3-3')
  })

  it('are reported with their places', () => {
    const { failures } = validateFile(write({ annotation: '/Subtype/Sound/F 4/AP<</N FORM>>' }), 'pdfa-2b')
    const failure = failures.find(({ clause }) => clause === '6.3.1')
    expect(failure).toMatchObject({ test: 1, count: 1, places: [{ page: 1, found: '/Subtype /Sound' }] })
    expect(failure?.places[0]?.object).toMatch(/^\d+ 0$/)
  })

  it('break the rules of PDF/UA on layers', () => {
    const file = write({ catalog: '/OCProperties<</OCGs[]/D<</AS[]>>>>' })
    expect(listBrokenRules(file, 'pdfua-1')).toEqual(expect.arrayContaining(['7.10-1', '7.10-2']))
  })
})
