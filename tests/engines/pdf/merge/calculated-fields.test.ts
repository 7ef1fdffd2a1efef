import { describe, expect, it } from 'vitest'
import { FormDraft, type Place } from '../../../fixtures/forms'
import { hasProgram, qpdfComplaints } from '../../../support/other-programs'
import { withPdfjs } from '../../../support/pdfjs-document'
import { runOn } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'
import type { PdfDict } from '../../../support/pdf-syntax'

/** The merged files of all tests, for qpdf. */
const results: Buffer[] = []

const PLACE: Place = [60, 400, 100, 20]

const script = (code: string): string => `<</S/JavaScript/JS(${code})>>`

/** All actions that a field merged with its widget may have, in no particular order. */
const ALL = ['E', 'K', 'X', 'F', 'D', 'V', 'U', 'C', 'Fo', 'Bl', 'PO', 'PC', 'PV', 'PI']

const ALL_ACTIONS = `/AA<<${ALL.map(key => `/${key}${script(`${key}()`)}`).join('')}>>`

/** Two fields on two pages and a third field with their sum. If `above` is true, the third field has a parent. */
function makeSum({ total = ALL_ACTIONS, order = true, above = false } = {}): Buffer {
  const form = new FormDraft({ pages: 2 })
  form.field('/FT/Tx/T(a)/V(1)', PLACE)
  form.field('/FT/Tx/T(b)/V(2)', PLACE, 2)
  let sum = 0
  const add = (parent: string): void => {
    sum = form.field(`${parent}/FT/Tx/T(sum)/V(3)${total}`, PLACE)
  }
  if (above) form.above('/T(group)', add)
  else add('')
  return form.write({ entries: order ? `/CO[${sum} 0 R]` : '' })
}

function open(bytes: Buffer): StrictPdf {
  const strict = readSound(bytes)
  results.push(bytes)
  return strict
}

const keysOf = (strict: StrictPdf, dict: PdfDict): string[] => [...strict.dict(dict.get('AA')).keys()]

/** The calculated fields. Each has the actions of the field and of its widgets. */
function calculated(bytes: Buffer): { name: string | undefined; actions: string[]; widgets: string[][] }[] {
  const strict = open(bytes)
  return strict.array(strict.dict(strict.catalog.get('AcroForm')).get('CO')).map(value => {
    const field = strict.dict(value)
    const widgets = strict.array(field.get('Kids')).map(kid => keysOf(strict, strict.dict(kid)))
    return { name: strict.text(field.get('T')), actions: keysOf(strict, field), widgets }
  })
}

/** A field as PDF.js sees it. */
interface SeenField {
  id: string
  kidIds?: string[]
  actions: Record<string, string[]>
}

const FIELD = ['K', 'F', 'V', 'C']
const WIDGET = ALL.filter(key => !FIELD.includes(key))

describe('calculated fields', () => {
  for (const above of [false, true]) {
    it(`are calculated once after a page is repeated (${above ? 'below a name' : 'at the top'})`, async () => {
      const { bytes } = await runOn('organize-pdf', makeSum({ above }), { pageOrder: [1, 2, 1, 1] })
      expect(calculated(bytes)).toEqual([{ name: 'sum', actions: FIELD, widgets: [WIDGET, WIDGET, WIDGET] }])
      await withPdfjs(bytes, async document => {
        const ids = (await document.getCalculationOrderIds()) as unknown as string[]
        const fields = ((await document.getFieldObjects()) ?? {}) as unknown as Record<string, SeenField[]>
        const [field, ...widgets] = fields[above ? 'group.sum' : 'sum'] ?? []
        expect(ids).toEqual([field?.id])
        expect(field?.kidIds).toHaveLength(3)
        expect(widgets.map(widget => widget.actions.Calculate)).toEqual([['C()'], ['C()'], ['C()']])
        expect(widgets.map(widget => widget.actions['Mouse Enter'])).toEqual([['E()'], ['E()'], ['E()']])
      })
    })
  }

  it('keep actions in a shared dictionary unchanged', async () => {
    const form = new FormDraft({ pages: 1 })
    const actions = form.draft.pdf.add(`<</C${script('C()')}/E${script('E()')}>>`)
    const fields = ['one', 'two'].map(name => form.field(`/FT/Tx/T(${name})/AA ${actions} 0 R`, PLACE))
    const file = form.write({ entries: `/CO[${fields.map(field => `${field} 0 R`).join(' ')}]` })
    const widgets = [['E'], ['E']]
    expect(calculated((await runOn('organize-pdf', file, { preset: 'duplicate' })).bytes)).toEqual([
      { name: 'one', actions: ['C'], widgets },
      { name: 'two', actions: ['C'], widgets },
    ])
  })

  it('are calculated once if two files share them', async () => {
    const { bytes } = await runOn('merge-pdf', [makeSum(), makeSum(), makeSum()], { formFields: 'share' })
    expect(calculated(bytes)).toEqual([{ name: 'sum', actions: FIELD, widgets: [WIDGET, WIDGET, WIDGET] }])
    const group = await runOn('merge-pdf', [makeSum({ above: true }), makeSum({ above: true })], {
      formFields: 'share',
    })
    expect(calculated(group.bytes)).toEqual([{ name: 'sum', actions: FIELD, widgets: [WIDGET, WIDGET] }])
  })

  it('keep their actions if files share them, and get the actions that they lack', async () => {
    const entryOf = (name: string): string => `/${name[0]}${script(name)}`
    const action = (...names: string[]): string => `/AA<<${names.map(entryOf).join('')}>>`
    const one = makeSum({ total: action('Fone', 'Eone'), order: false })
    const files = [one, makeSum({ total: action('Ktwo', 'Ftwo', 'Ctwo', 'Xtwo') })]
    const { bytes } = await runOn('merge-pdf', files, { formFields: 'share' })
    expect(calculated(bytes)).toEqual([{ name: 'sum', actions: ['F', 'C'], widgets: [['E'], ['X']] }])
    expect(bytes.includes('Fone') && !bytes.includes('Ftwo')).toBe(true)
  })

  it('are referenced by their field if a file references one of its widgets', async () => {
    const form = new FormDraft({ pages: 1 })
    const widgets = [PLACE, [60, 300, 100, 20] as const].map(place => ({ place }))
    const ref = form.group(`/FT/Tx/T(sum)/AA<</C${script('C()')}>>`, widgets)
    const body = form.draft.pdf.bodies[ref - 1]
    const kids = /Kids\[(.*?)\]/.exec(typeof body === 'string' ? body : '')?.[1]
    const { bytes } = await runOn('merge-pdf', [makeSum(), form.write({ entries: `/CO[${kids}]` })])
    const seen = calculated(bytes).map(({ name, actions }) => [name, actions.includes('C')])
    expect(seen).toEqual([
      ['sum', true],
      ['sum_2', true],
    ])
  })

  it('lose their place in the order of calculation if their pages are removed', async () => {
    const form = new FormDraft({ pages: 2 })
    const fields: number[] = []
    form.above('/T(group)', parent => {
      for (const page of [1, 2]) {
        fields.push(form.field(`${parent}/FT/Tx/T(f${page})/AA<</C${script('C()')}>>`, PLACE, page))
      }
    })
    const file = form.write({ entries: `/CO[${fields.map(field => `${field} 0 R`).join(' ')}]` })
    const { bytes } = await runOn('delete-pages', file, { pages: [1] })
    expect(calculated(bytes).map(({ name }) => name)).toEqual(['f2'])
  })
})

it.skipIf(!hasProgram('qpdf'))('qpdf finds no problem in the merged files', () => {
  expect(results.flatMap(qpdfComplaints)).toEqual([])
})
