import { expect, test } from 'vitest'
import { brokenRules, type Element } from './tagged-file'

type Parts = Parameters<typeof brokenRules>[0]

/** A file with one annotation, in an element if there is one. */
function annotated(entries: string, element?: Element, parts: Parts = {}): Parts {
  return {
    elements: [{ kids: ['0'] }, ...(element ? [{ ...element, kids: ['<</Type/OBJR/Obj X1>>'] }] : [])],
    parents: element ? { 0: '[E1]', 1: 'E2' } : { 0: '[E1]' },
    annotations: ['X1'],
    objects: [`<</Type/Annot/Rect[9 9 90 90]${element ? '/StructParent 1' : ''}${entries}>>`],
    ...parts,
  }
}

const link = '/Subtype/Link/Contents(a)'
const widget = '/Subtype/Widget/FT/Tx/T(a)'

test.each<[rules: string[], what: string, parts: Parts]>([
  [[], 'a stamp', annotated('/Subtype/Stamp/Contents(a)', { type: 'Annot' })],
  [[], 'a stamp with the text of its element', annotated('/Subtype/Stamp', { type: 'Annot', entries: '/Alt(a)' })],
  [['7.18.1-1'], 'a stamp in another element', annotated('/Subtype/Stamp/Contents(a)', { type: 'Span' })],
  [['7.18.1-1'], 'a stamp without an element', annotated('/Subtype/Stamp/Contents(a)')],
  [['7.18.1-2'], 'a stamp without a text', annotated('/Subtype/Stamp/Contents()', { type: 'Annot' })],
  [[], 'a hidden stamp', annotated('/Subtype/Stamp/F 2')],
  [[], 'a stamp outside the crop box', annotated('/Subtype/Stamp/Rect[400 0 450 50]')],
  [['7.18.1-1', '7.18.1-2'], 'a stamp across the crop box', annotated('/Subtype/Stamp/Rect[399 0 450 50]')],
  [['7.18.2-1'], 'a trap network', annotated('/Subtype/TrapNet/Contents(a)', { type: 'Annot' })],
  [[], 'a hidden trap network', annotated('/Subtype/TrapNet/F 2')],
  [[], 'a link', annotated(link, { type: 'Link' })],
  [['7.18.5-1'], 'a link in another element', annotated(link, { type: 'Span' })],
  [['7.18.5-2'], 'a link without a text', annotated('/Subtype/Link', { type: 'Link', entries: '/Alt(a)' })],
  [[], 'a hidden link', annotated('/Subtype/Link/F 2')],
  [[], 'a widget', annotated(`${widget}/TU(a)`, { type: 'Form' })],
  [[], 'a widget of a field with a name', annotated('/Subtype/Widget/Parent<</T(a)/TU(a)>>', { type: 'Form' })],
  [[], 'a widget with the text of its element', annotated(widget, { type: 'Form', entries: '/Alt(a)' })],
  [['7.18.1-3'], 'a widget without a text', annotated(widget, { type: 'Form' })],
  [['7.18.4-1'], 'a widget in another element', annotated(`${widget}/TU(a)`, { type: 'Span' })],
  [[], 'a hidden widget', annotated(`${widget}/F 2`)],
  [[], 'a printer’s mark', annotated('/Subtype/PrinterMark/Contents(a)')],
  [['7.18.8-1'], 'a tagged printer’s mark', annotated('/Subtype/PrinterMark/Contents(a)', { type: 'Annot' })],
  [['7.18.3-1'], 'a page without tab order', annotated('/Subtype/Stamp/F 2', undefined, { page: '/Annots[X1]' })],
  [['7.18.3-1'], 'another tab order', annotated('/Subtype/Stamp/F 2', undefined, { page: '/Annots[X1]/Tabs/R' })],
  [[], 'no annotations', { page: '/Annots[]' }],
])('%s: %s', async (rules, _what, parts) => {
  expect(brokenRules(parts)).toEqual(rules)
})

test.each<[rules: string[], what: string, parts: Parts]>([
  [['7.2-24'], 'contents', annotated('/Subtype/Stamp/Contents(a)', { type: 'Annot' })],
  [[], 'contents in an element with a language', annotated(link, { type: 'Link', entries: '/Lang(en)' })],
  [['7.2-25'], 'a field name', annotated(`${widget}/TU(a)`, { type: 'Form' })],
  [
    [],
    'a field name in an element with a language',
    annotated(`${widget}/TU(a)`, { type: 'Form', entries: '/Lang(en)' }),
  ],
])('without a language in the catalog, %s: %s', async (rules, _what, parts) => {
  const catalog = { Lang: '', AcroForm: '<</Fields[X1]>>' }
  const found = brokenRules({ ...parts, catalog })
  expect(found.filter(id => id !== '7.2-34')).toEqual(rules)
})

test.each<[rules: string[], clip: string]>([
  [[], '/CT(video/mp4)/Alt[(en)(A film)()(Ein Film)]'],
  [['7.18.6.2-1'], '/Alt[(en)(A film)]'],
  [['7.18.6.2-2'], '/CT(video/mp4)'],
  [['7.18.6.2-2'], '/CT(video/mp4)/Alt(A film)'],
  [['7.18.6.2-2'], '/CT(video/mp4)/Alt[(en)]'],
  [['7.18.6.2-2'], '/CT(video/mp4)/Alt[(en)()]'],
  [['7.18.6.2-2'], '/CT(video/mp4)/Alt[(en)/A]'],
])('%s: a media clip with %s', async (rules, clip) => {
  const action = `<</S/Rendition/R<</S/MR/C<</S/MCD${clip}>>>>>>`
  expect(brokenRules(annotated(`/Subtype/Screen/F 2/A ${action}`))).toEqual(rules)
  expect(brokenRules({ catalog: { OpenAction: `<</S/GoTo/Next[${action}]>>` } })).toEqual(rules)
})
