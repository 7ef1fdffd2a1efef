import { expect, test } from 'vitest'
import { brokenRules } from './tagged-file'

type Parts = Parameters<typeof brokenRules>[0]

const words = 'BT /F1 9 Tf (A) Tj ET'
const tagged = (inside: string): string => `/P <</MCID 0>> BDC ${inside} EMC`
const artifact = (inside: string): string => `/Artifact BMC ${inside} EMC`
const form = (data: string, entries = ''): { dictionary: string; data: string } => ({
  dictionary: `/Type/XObject/Subtype/Form/BBox[0 0 9 9]${entries}`,
  data,
})
const image = {
  dictionary: '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8',
  data: '0',
}
const inline = 'BI /W 1 /H 1 /CS /G /BPC 8 ID 0 EI'
const drawn = { resources: '/XObject<</X X1/Y X2>>' }

test.each<[rules: string[], what: string, parts: Parts]>([
  [[], 'tagged text', { content: tagged(words) }],
  [[], 'artifacts', { content: artifact(`${words} 0 0 5 5 re f /S sh ${inline}`) }],
  [[], 'artifacts with properties', { content: `/Artifact <</Type/Page>> BDC ${words} EMC` }],
  [[], 'a path without paint', { content: '0 0 5 5 re n' }],
  [['7.1-1', '7.1-2'], 'an artifact in tagged content', { content: tagged(artifact(words)) }],
  [['7.1-2'], 'tagged content in an artifact', { content: artifact(tagged(words)) }],
  [['7.1-3'], 'text', { content: words }],
  [['7.1-3'], 'a path', { content: '0 0 5 5 re f*' }],
  [['7.1-3'], 'a shading', { content: '/S sh' }],
  [['7.1-3'], 'an inline image', { content: inline }],
  [['7.1-3'], 'an image', { content: '/X Do', ...drawn, objects: [image] }],
  [['7.1-3'], 'a sequence without MCID', { content: `/P BMC ${words} EMC` }],
  [['7.1-3'], 'an MCID that the parent tree lacks', { content: `/P <</MCID 1>> BDC ${words} EMC` }],
  [['7.1-3'], 'a parent tree without the page', { parents: {} }],
  [['7.1-3'], 'a sequence without an end', { content: `/P <</MCID 0>> BDC ${words}` }],
  [[], 'a sequence inside tagged content', { content: tagged(`/Span BMC ${words} EMC`) }],
  [[], 'content behind a superfluous end', { content: `EMC ${tagged(words)}` }],
  [
    [],
    'named properties',
    { content: `/P /M BDC ${words} EMC`, resources: '/Properties<</M X1>>', objects: ['<</MCID 0>>'] },
  ],
  [[], 'a form in tagged content', { content: tagged('/X Do'), ...drawn, objects: [form(words)] }],
  [[], 'a form in an artifact', { content: artifact('/X Do'), ...drawn, objects: [form(words)] }],
  [['7.1-3'], 'a form', { content: '/X Do', ...drawn, objects: [form(words)] }],
  [['7.1-3'], 'a form that is tagged once', { content: `${tagged('/X Do')} /X Do`, ...drawn, objects: [form(words)] }],
  [
    [],
    'a form in a form',
    {
      content: tagged('/X Do'),
      ...drawn,
      objects: [form('/Y Do', '/Resources<</XObject<</Y X2>>>>'), form(words)],
    },
  ],
  [
    [],
    'a form with MCIDs',
    {
      content: '/X Do',
      ...drawn,
      objects: [form(tagged(words), '/StructParents 1')],
      parents: { 0: '[E1]', 1: '[E1]' },
    },
  ],
  [
    ['7.20-2'],
    'a form with MCIDs, drawn twice',
    {
      content: '/X Do /X Do',
      ...drawn,
      objects: [form(tagged(words), '/StructParents 1')],
      parents: { 0: '[E1]', 1: '[E1]' },
    },
  ],
  [
    ['7.20-2'],
    'a form with MCIDs in a form that is drawn twice',
    {
      content: '/X Do /X Do',
      ...drawn,
      objects: [form('/Y Do', '/Resources<</XObject<</Y X2>>>>'), form(tagged(words), '/StructParents 1')],
      parents: { 0: '[E1]', 1: '[E1]' },
    },
  ],
  [
    [],
    'an appearance',
    {
      annotations: ['<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/F 2/AP<</N X1>>>>'],
      objects: [form(words)],
    },
  ],
])('%s: %s', async (rules, _what, parts) => {
  expect(brokenRules(parts)).toEqual(rules)
})

test.each<[rules: string[], what: string, parts: Parts]>([
  [['7.2-34'], 'text', {}],
  [[], 'text with the language of an element', { elements: [{ entries: '/Lang(en)', kids: ['0'] }] }],
  [[], 'text with a language of its own', { content: `/P <</MCID 0/Lang(en)>> BDC ${words} EMC` }],
  [[], 'text inside a sequence with a language', { content: `/Span <</Lang(en)>> BDC ${tagged(words)} EMC` }],
  [['7.2-34'], 'an artifact', { content: artifact(words) }],
  [['7.2-30'], 'replacement text', { content: '/Span <</ActualText(a)>> BDC EMC' }],
  [['7.2-31'], 'an alternate description', { content: '/Span <</Alt(a)>> BDC EMC' }],
  [['7.2-32'], 'an expansion', { content: '/Span <</E(a)>> BDC EMC' }],
  [[], 'texts with a language', { content: '/Span <</Lang(en)/ActualText(a)/Alt(a)/E(a)>> BDC EMC' }],
  [[], 'texts of other tags', { content: '/P <</ActualText(a)/Alt(a)/E(a)>> BDC EMC' }],
])('without a language in the catalog, %s: %s', async (rules, _what, parts) => {
  expect(brokenRules({ catalog: { Lang: '' }, ...parts })).toEqual(rules)
})
