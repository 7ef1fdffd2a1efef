import { expect, test } from 'vitest'
import { brokenRules, type Element } from './tagged-file'

type Parts = Parameters<typeof brokenRules>[0]

const text = { kids: ['0'] }
const noLanguage = { catalog: { Lang: '' } }
const of = (...elements: Element[]): Parts => ({ elements: [text, ...elements] })
const inDocument = (type: string, ...kids: string[]): Element => ({ type, kids: kids.map(kid => ({ type: kid })) })
const list = (...kids: Element[]): Element => ({ type: 'L', kids })
const item = (...types: string[]): Element => inDocument('LI', ...types)

test.each<[rule: string | undefined, what: string, parts: Parts]>([
  [undefined, 'a plain file', {}],
  ['7.1-5', 'a type that means nothing', of({ type: 'Chapter' })],
  [undefined, 'a type mapped through another', { ...of({ type: 'A' }), root: '/RoleMap<</A/B/B/Sect>>' }],
  ['7.1-5', 'a type mapped to a type that means nothing', { ...of({ type: 'A' }), root: '/RoleMap<</A/B>>' }],
  ['7.1-6', 'types mapped in a circle', { ...of({ type: 'A' }), root: '/RoleMap<</A/B/B/A>>' }],
  ['7.1-6', 'a standard type mapped to itself', { ...of({ type: 'Sect' }), root: '/RoleMap<</Sect/Sect>>' }],
  ['7.1-7', 'a standard type mapped to another', { ...of({ type: 'Sect' }), root: '/RoleMap<</Sect/Art>>' }],
  ['7.1-7', 'a standard type mapped to nothing', { ...of({ type: 'Sect' }), root: '/RoleMap<</Sect/Any>>' }],
  ['7.1-7', 'a type mapped to a remapped type', { ...of({ type: 'A' }), root: '/RoleMap<</A/Sect/Sect/Art>>' }],
  ['7.1-12', 'an element without a parent', of({ isBare: true })],
  ['7.2-21', 'replacement text', { ...of({ entries: '/ActualText(a)' }), ...noLanguage }],
  ['7.2-22', 'an alternate description', { ...of({ entries: '/Alt(a)' }), ...noLanguage }],
  ['7.2-23', 'an expansion', { ...of({ entries: '/E(a)' }), ...noLanguage }],
  ['7.3-1', 'a figure', of({ type: 'Figure' })],
  ['7.3-1', 'a figure with an empty text', of({ type: 'Figure', entries: '/Alt()' })],
  [undefined, 'a figure with a text', of({ type: 'Figure', entries: '/Alt(a)' })],
  [undefined, 'a figure with empty replacement text', of({ type: 'Figure', entries: '/ActualText()' })],
  ['7.7-1', 'a formula', of({ type: 'Formula' })],
  [undefined, 'a formula with a text', of({ type: 'Formula', entries: '/ActualText(a)' })],
  ['7.9-1', 'a note', of({ type: 'Note' })],
  ['7.9-1', 'a note with an empty ID', of({ type: 'Note', entries: '/ID()' })],
  ['7.9-2', 'notes with one ID', of({ type: 'Note', entries: '/ID(a)' }, { type: 'Note', entries: '/ID<61>' })],
  [undefined, 'notes with IDs', of({ type: 'Note', entries: '/ID(a)' }, { type: 'Note', entries: '/ID(b)' })],
  ['7.4.2-1', 'H2 first', of({ type: 'H2' })],
  ['7.4.2-1', 'H3 after H1', of({ type: 'H1' }, { type: 'H3' })],
  [undefined, 'headings down and up', of({ type: 'H1' }, { type: 'H2' }, { type: 'H3' }, { type: 'H1' })],
  ['7.4.4-1', 'two H in one element', of({ type: 'Sect', kids: [{ type: 'H' }, inDocument('Div', 'H')] })],
  [undefined, 'an H in each element', of(inDocument('Sect', 'H'), inDocument('Sect', 'H'))],
  ['7.2-17', 'an item outside a list', of(item())],
  ['7.2-18', 'a body outside an item', of({ type: 'LBody' })],
  ['7.2-19', 'a paragraph in a list', of(list({ type: 'P' }))],
  ['7.2-20', 'a paragraph in an item', of(list(item('Lbl', 'P')))],
  ['7.2-40', 'a caption after an item', of(list(item(), { type: 'Caption' }))],
  [undefined, 'a list', of(list({ type: 'Caption' }, item('Lbl', 'LBody'), list(item('LBody'))))],
  [
    undefined,
    'a list through grouping elements',
    of(list({ type: 'Div', kids: [{ type: 'NonStruct', kids: [item()] }] })),
  ],
  ['7.2-26', 'a TOCI outside a TOC', of({ type: 'TOCI' })],
  ['7.2-27', 'a paragraph in a TOC', of(inDocument('TOC', 'P'))],
  ['7.2-28', 'a caption after a TOCI', of(inDocument('TOC', 'TOCI', 'Caption'))],
  [undefined, 'a TOC', of(inDocument('TOC', 'Caption', 'TOCI', 'TOC'))],
  ['7.18.4-2', 'a form without a widget', of({ type: 'Form' })],
  ['7.18.4-2', 'a form with a reference to another object', of({ type: 'Form', kids: ['<</Type/OBJR/Obj PAGE>>'] })],
  [undefined, 'a form with a role', of({ type: 'Form', entries: '/A<</O/PrintField/Role/tv>>' })],
  [
    undefined,
    'a form with a role from a class',
    {
      ...of({ type: 'Form', entries: '/C/Box' }),
      root: '/ClassMap<</Box[<</O/Layout>> 0 <</O/PrintField/Role/cb>>]>>',
    },
  ],
  [
    undefined,
    'a form with a widget',
    { ...of({ type: 'Form', kids: ['<</Type/OBJR/Obj X1>>'] }), objects: ['<</Subtype/Widget>>'] },
  ],
])('%s: %s', async (rule, _what, parts) => {
  const rules = brokenRules(parts).filter(id => id !== '7.2-34')
  expect(rules).toEqual(rule === undefined ? [] : [rule])
})

test('both kinds of headings', async () => {
  expect(brokenRules(of({ type: 'H' }, { type: 'H1' }))).toEqual(['7.4.4-2', '7.4.4-3'])
})

test.each(['Alt', 'ActualText', 'E'])('languages for /%s', async key => {
  const entries = `/${key}(a)`
  const inherits = of({ type: 'Sect', entries: '/Lang(en)', kids: [{ entries }] })
  expect(brokenRules({ ...inherits, ...noLanguage })).toEqual(['7.2-34'])
  expect(brokenRules(of({ entries }))).toEqual([])
})

test('elements in a circle and deep trees end', async () => {
  let deep: Element = { type: 'Div' }
  for (let depth = 0; depth < 2000; depth++) deep = { type: 'Div', kids: [deep] }
  expect(brokenRules(of(deep, { type: 'Div', kids: ['E1', 'E2', 'E2'] }))).toEqual([])
  expect(brokenRules({ ...of({ type: 'A' }), root: `/RoleMap<<${chain(3000)}>>` })).toEqual(['7.1-5'])
})

function chain(length: number): string {
  const steps = Array.from({ length }, (_, index) => `/S${index}/S${index + 1}`)
  return `/A/S0${steps.join('')}/S${length}/Sect`
}
