import { expect, test } from 'vitest'
import { brokenRules } from './tagged-file'

type Parts = Parameters<typeof brokenRules>[0]

const outline = ['<</First X2/Last X2/Count 1>>', '<</Title(a)/Parent X1>>']
const config = (dynamic: string): { dictionary: string; data: string } => ({
  dictionary: '',
  data: `<config><acrobat><acrobat7><dynamicRender>${dynamic}</dynamicRender></acrobat7></acrobat></config>`,
})

test.each<[rules: string[], what: string, parts: Parts]>([
  [['6.2-1'], 'no mark information', { catalog: { MarkInfo: '' } }],
  [['6.2-1'], 'an unmarked file', { catalog: { MarkInfo: '<</Marked false>>' } }],
  [['7.1-4'], 'suspects', { catalog: { MarkInfo: '<</Marked true/Suspects true>>' } }],
  [[], 'no suspects', { catalog: { MarkInfo: '<</Marked true/Suspects false>>' } }],
  [['7.1-10'], 'no preferences', { catalog: { ViewerPreferences: '' } }],
  [['7.1-10'], 'another title', { catalog: { ViewerPreferences: '<</DisplayDocTitle false>>' } }],
  [['7.1-11'], 'no structure tree', { catalog: { StructTreeRoot: '' }, content: '' }],
  [[], 'an outline', { catalog: { Outlines: 'X1' }, objects: outline }],
  [
    ['7.2-2'],
    'an outline without a language',
    { catalog: { Outlines: 'X1', Lang: '' }, objects: outline, content: '' },
  ],
  [['7.10-1'], 'a configuration without a name', { catalog: { OCProperties: '<</OCGs[]/D<<>>>>' } }],
  [['7.10-1'], 'an empty name', { catalog: { OCProperties: '<</D<</Name(a)>>/Configs[<</Name()>>]>>' } }],
  [['7.10-2'], 'automatic states', { catalog: { OCProperties: '<</D<</Name(a)/AS[]>>>>' } }],
  [[], 'configurations', { catalog: { OCProperties: '<</D<</Name(a)>>/Configs[<</Name(b)>>]>>' } }],
  [
    ['7.15-1'],
    'a dynamic form',
    { catalog: { AcroForm: '<</Fields[]/XFA[(config) X1]>>' }, objects: [config('required')] },
  ],
  [[], 'a static form', { catalog: { AcroForm: '<</Fields[]/XFA X1>>' }, objects: [config('forbidden')] }],
])('%s: %s', async (rules, _what, parts) => {
  expect(brokenRules(parts)).toEqual(rules)
})
