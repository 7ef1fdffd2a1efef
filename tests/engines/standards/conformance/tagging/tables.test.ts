import { expect, test } from 'vitest'
import { brokenRules, type Element } from './tagged-file'

const text = { kids: ['0'] }
const table = (...kids: Element[]): Element => ({ type: 'Table', kids })
const row = (...kids: Element[]): Element => ({ type: 'TR', kids })
const group = (type: string, ...kids: Element[]): Element => ({ type, kids })
const cell = (type: string, attributes = '', entries = ''): Element => ({
  type,
  entries: `${attributes && `/A<</O/Table${attributes}>>`}${entries}`,
})
const td = (attributes = ''): Element => cell('TD', attributes)
const th = (attributes = '', entries = ''): Element => cell('TH', attributes, entries)
const body = group('TBody', row(td()))
const caption = { type: 'Caption' }

test.each<[rule: string | undefined, what: string, table: Element]>([
  [undefined, 'rows of cells', table(caption, row(td(), td()), row(td(), td()))],
  [undefined, 'groups of rows', table(group('THead', row(td())), body, body, group('TFoot', row(td())), caption)],
  [undefined, 'rows in grouping elements', table(group('Div', row(group('NonStruct', td()))))],
  [undefined, 'no rows', table()],
  ['7.2-3', 'a paragraph in a table', table({ type: 'P' })],
  ['7.2-4', 'a row outside a table', row(td())],
  ['7.2-5', 'THead outside a table', group('THead')],
  ['7.2-6', 'TBody outside a table', group('TBody')],
  ['7.2-7', 'TFoot outside a table', group('TFoot')],
  ['7.2-8', 'TH outside a row', th()],
  ['7.2-9', 'TD outside a row', td()],
  ['7.2-10', 'a paragraph in a row', table(row(td(), { type: 'P' }))],
  ['7.2-11', 'two THead', table(group('THead'), group('THead'), group('TBody'))],
  ['7.2-12', 'two TFoot', table(group('TFoot'), group('TFoot'), group('TBody'))],
  ['7.2-13', 'TFoot without TBody', table(group('TFoot'))],
  ['7.2-14', 'THead without TBody', table(group('THead'))],
  ['7.2-16', 'a caption in the middle', table(row(td()), caption, row(td()))],
  ['7.2-39', 'two captions', table(caption, row(td()), caption)],
  ['7.2-36', 'a paragraph in THead', table(group('THead', { type: 'P' }), body)],
  ['7.2-37', 'a paragraph in TBody', table(group('TBody', { type: 'P' }))],
  ['7.2-38', 'a paragraph in TFoot', table(body, group('TFoot', { type: 'P' }))],
  ['7.2-15', 'overlapping cells', table(row(td(), td('/RowSpan 2')), row(td('/ColSpan 2')))],
  ['7.2-41', 'a span below the last row', table(row(td(), td('/RowSpan 3')), row(td()))],
  ['7.2-41', 'a span below the last row in the first column', table(row(td('/RowSpan 3'), td()), row(td(), td()))],
  ['7.2-42', 'a row with too many columns', table(row(td()), row(td(), td()))],
  ['7.2-43', 'a row with too few columns', table(row(td('/ColSpan 2')), row(td()))],
  [undefined, 'spans that fit', table(row(td('/RowSpan 2'), td('/ColSpan 2')), row(td(), td()))],
  [undefined, 'spans of zero and wrong types', table(row(td('/ColSpan 0'), td('/RowSpan/x'), td('/ColSpan -1')))],
  [undefined, 'header cells with scopes', table(row(th('/Scope/Column'), th('/Scope/Row')), row(td(), td()))],
  [undefined, 'columns below scopes', table(row(th(), th('/Scope/Column')), row(th('/Scope/Row'), td()))],
  [undefined, 'a scope behind another header', table(row(th('/Scope/Column')), row(th()), row(td()), row(td()))],
  [
    '7.5-1',
    'a scope behind a data cell and a header',
    table(row(th('/Scope/Column')), row(td()), row(th()), row(td())),
  ],
  ['7.5-1', 'header cells without scopes', table(row(th()), row(td()))],
  ['7.5-1', 'a scope in the other direction', table(row(th('/Scope/Row'), th()), row(td(), td()))],
  ['7.5-2', 'an unknown ID', table(row(th('', '/ID(a)')), row(td('/Headers[(b)]')))],
  [undefined, 'a known ID', table(row(th('', '/ID(a)')), row(td('/Headers[(a)]')))],
])('%s: %s', async (rule, _what, element) => {
  expect(brokenRules({ elements: [text, element] })).toEqual(rule === undefined ? [] : [rule])
})

test('attributes in arrays with revision numbers, and from classes', async () => {
  const spans = { type: 'TD', entries: '/A[<</O/Layout>> 0 <</O/Table/ColSpan 2>> 1]' }
  const wide = { type: 'TD', entries: '/C[/None /Wide]' }
  const narrow = row(td(), td())
  const root = '/ClassMap<</Wide<</O/Table/ColSpan 2>>>>'
  expect(brokenRules({ elements: [text, table(row(spans), row(wide), narrow)], root })).toEqual([])
})

test('a grid that is too large is left undecided', async () => {
  const huge = table(row(td('/RowSpan 100000'), td('/ColSpan 100000')))
  expect(brokenRules({ elements: [text, huge] })).toEqual([])
})
