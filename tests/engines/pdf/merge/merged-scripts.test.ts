import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { FormDraft, type Place } from '../../../fixtures/forms'
import { hasProgram, qpdfComplaints } from '../../../support/other-programs'
import type { PdfDict, PdfValue } from '../../../support/pdf-syntax'
import { withPdfjs } from '../../../support/pdfjs-document'
import { runOn } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'

/** The merged files of all tests, for qpdf. */
const results: Buffer[] = []

const PLACE: Place = [60, 400, 100, 20]

const action = (code: string, next = ''): string => `<</S/JavaScript/JS(${escaped(code)})${next}>>`

const escaped = (code: string): string => code.replace(/[\\()]/g, '\\$&')

const wide = (code: string): string => `<FEFF${Buffer.from(code, 'utf16le').swap16().toString('hex')}>`

interface Options {
  /** Document scripts by name. */
  scripts?: Record<string, string>
  /** Further fields. Each has its entries. */
  fields?: string[]
  /** The script that calculates `total`. */
  calculate?: string
}

/** A form with `total`, which is calculated from `a`, and further fields. */
function makeForm(make: (form: FormDraft) => Options = () => ({})): Buffer {
  const form = new FormDraft()
  const { scripts = {}, fields = [], calculate = 'event.value = this.getField("a").value' } = make(form)
  form.field('/FT/Tx/T(a)/V(1)', PLACE)
  const total = form.field(`/FT/Tx/T(total)/AA<</C${action(calculate)}>>`, PLACE)
  for (const entries of fields) form.field(entries, PLACE)
  const entries = Object.entries(scripts).map(([name, code]) => `(${name})${action(code)}`)
  if (entries.length) form.draft.names.push(`/JavaScript<</Names[${entries.join('')}]>>`)
  return form.write({ entries: `/CO[${total} 0 R]` })
}

async function merge(files: Buffer[], formFields = 'rename'): Promise<{ bytes: Buffer; strict: StrictPdf }> {
  const { bytes } = await runOn('merge-pdf', files, { formFields })
  const strict = readSound(bytes)
  results.push(bytes)
  return { bytes, strict }
}

type Actions = Record<string, string[]>

/** The document scripts in the order in which they run, and the scripts of fields, as PDF.js reads them. */
function readScripts(bytes: Buffer): Promise<{ document: string[]; fields: Record<string, Actions> }> {
  return withPdfjs(bytes, async document => {
    const scripts = ((await document.getJSActions()) ?? {}) as Actions
    const objects = ((await document.getFieldObjects()) ?? {}) as unknown as Record<string, { actions?: Actions }[]>
    const fields = Object.entries(objects).map(([name, seen]) => [name, seen.find(one => one.actions)?.actions ?? {}])
    return { document: Object.values(scripts).flat(), fields: Object.fromEntries(fields) as Record<string, Actions> }
  })
}

/** Runs the document scripts and then the script of every calculated field. Returns the values that the scripts set. */
async function calculate(bytes: Buffer, values: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { document, fields } = await readScripts(bytes)
  const event: { value?: unknown; target: { name: string } } = { target: { name: '' } }
  const getField = (name: string): unknown => ({ value: values[name] })
  // As in viewers, all scripts share their declarations.
  const context = createContext({ getField, event })
  for (const script of document) runInContext(script, context)
  const results: Record<string, unknown> = {}
  for (const [name, actions] of Object.entries(fields)) {
    for (const script of actions.Calculate ?? []) {
      runInContext(script, context)
      results[name] = event.value
    }
  }
  return results
}

/** The action of an annotation on a page. */
function actionOn(strict: StrictPdf, page: number, index: number): PdfDict {
  const annotation = strict.array(strict.pages[page]?.dict.get('Annots'))[index]
  return strict.dict(strict.dict(annotation).get('A'))
}

const texts = (strict: StrictPdf, value: PdfValue | undefined): (string | undefined)[] => {
  return strict.array(value).map(item => strict.text(item))
}

describe('scripts of merged files', () => {
  it("use the names of their own file's fields", async () => {
    const script = 'event.value = this.getField("a").value * 2; if (event.target.name == "total") 0'
    const { bytes } = await merge([makeForm(), makeForm(() => ({ calculate: script })), makeForm()])
    const { fields } = await readScripts(bytes)
    expect(fields.total?.Calculate).toEqual(['event.value = this.getField("a").value'])
    expect(fields.total_2?.Calculate).toEqual([script.replace('"a"', '"a_2"').replace('"total"', '"total_2"')])
    expect(fields.total_3?.Calculate).toEqual(['event.value = this.getField("a_3").value'])
    expect(await calculate(bytes, { a: 1, a_2: 5, a_3: 7 })).toEqual({ total: 1, total_2: 10, total_3: 7 })
  })

  it('use these names also if only some fields are shared', async () => {
    const calculate = 'getField("kind"); getField("a")'
    const second = makeForm(() => ({ fields: ['/FT/Ch/T(kind)/Opt[(x)]'], calculate }))
    const first = makeForm(() => ({ fields: ['/FT/Tx/T(kind)'], calculate: '' }))
    const bare = new FormDraft()
    bare.field('/FT/Tx/T(total)', PLACE)
    bare.field('/FT/Tx/T(kind)', PLACE)
    for (const file of [first, bare.write()]) {
      const { fields } = await readScripts((await merge([file, second], 'share')).bytes)
      expect(Object.keys(fields).sort()).toEqual(['a', 'kind', 'kind_2', 'total'])
      if (file !== first) expect(fields.total?.Calculate).toEqual(['getField("kind_2"); getField("a")'])
    }
    const nested = (type: string): Buffer => {
      const form = new FormDraft()
      form.above('/T(group)', parent => {
        form.field(`${parent}/T(x)/FT/${type}/AA<</K${action("getField('group.x')")}>>`, PLACE)
      })
      return form.write()
    }
    const { fields } = await readScripts((await merge([nested('Tx'), nested('Ch')], 'share')).bytes)
    expect(fields['group.x_2']?.Keystroke).toEqual(["getField('group.x_2')"])
  })

  it('are renamed at every place, and in every form of string', async () => {
    const second = makeForm(({ draft }) => {
      const { pdf } = draft
      const page = draft.page(1)
      const stream = pdf.addStream('', '\xef\xbb\xbf/* \xc5\xbc */ getField("total").hidden = true // \xc5\xbc')
      const shared = pdf.add(`<</S/JavaScript/JS ${pdf.add('(getField\\("a"\\))')} 0 R>>`)
      const next = `/Next[${action("getField('a')")}<</S/JavaScript/JS ${wide('/* \u017c */ "total"; "\u017c"')}>>]`
      for (const value of [action('"total"', next), `${shared} 0 R`, `${shared} 0 R`]) {
        page.annotations.push(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A ${value}>>`)
      }
      page.entries.push(`/AA<</O${action('"a";')}>>`)
      const item = pdf.reserve()
      const outline = pdf.add(`<</First ${item} 0 R/Last ${item} 0 R/Count 1>>`)
      pdf.set(item, `<</Title(Go)/Parent ${outline} 0 R/A${action('"a" + 1')}>>`)
      draft.catalog.push(`/Outlines ${outline} 0 R`)
      const button = `/FT/Btn/Ff 65536/T(button)/A<</S/JavaScript/JS ${stream} 0 R>>`
      return { scripts: { start: 'var first = getField("a")' }, fields: [button] }
    })
    const { bytes, strict } = await merge([makeForm(), second])
    const actions = [0, 1, 2].map(index => actionOn(strict, 1, index))
    expect(strict.text(actions[0]?.get('JS'))).toBe('"total_2"')
    const following = strict.array(actions[0]?.get('Next')).map(value => strict.dict(value))
    expect(strict.text(following[0]?.get('JS'))).toBe("getField('a_2')")
    const expected = Buffer.from('\ufeff/* \u017c */ "total_2"; "\u017c"', 'utf16le').swap16()
    expect(following[1]?.get('JS')).toMatchObject({ bytes: expected.toString('latin1') })
    expect(strict.text(actions[1]?.get('JS'))).toBe('getField("a_2")')
    expect(actions[1]).toBe(actions[2])
    const onPage = await withPdfjs(bytes, async document => (await document.getPage(2)).getJSActions())
    expect(onPage).toEqual({ PageOpen: ['"a_2";'] })
    const seen = await readScripts(bytes)
    expect(seen.document).toEqual(['var first = getField("a_2")'])
    expect(seen.fields.button?.Action).toEqual(['/* ż */ getField("total_2").hidden = true // ż'])
    const item = strict.dict(strict.dict(strict.catalog.get('Outlines')).get('First'))
    expect(strict.text(strict.dict(item.get('A')).get('JS'))).toBe('"a_2" + 1')
  })

  it('are renamed together with actions and locks that name fields', async () => {
    const second = makeForm(form => {
      const { pdf, pages } = form.draft
      const field = form.field('/FT/Tx/T(other)', PLACE)
      const list = pdf.add(`[(total)(group.x)${field} 0 R(free)]`)
      const actions = [
        `/S/ResetForm/Fields ${list} 0 R`,
        '/S/SubmitForm/F(https://example.com)/Fields[(a)]',
        '/S/Hide/T(total)',
        `/S/Hide/T[${wide('total')} ${field} 0 R]`,
        '/S/URI/URI(total)',
      ]
      for (const value of actions) {
        pages[0]?.annotations.push(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<<${value}>>>>`)
      }
      const lock = pdf.add('<</Type/SigFieldLock/Action/Include/Fields[(total)(free)]>>')
      return { fields: [`/FT/Sig/T(sign)/Lock ${lock} 0 R`, '/FT/Tx/T(group.x)', '/FT/Tx/T(free)'] }
    })
    const { strict } = await merge([makeForm(() => ({ fields: ['/FT/Tx/T(group.x)'] })), second])
    const at = (index: number): PdfDict => actionOn(strict, 1, index + 1)
    const reset = strict.array(at(0).get('Fields'))
    const names = [0, 1, 3].map(index => strict.text(reset[index]))
    expect(names).toEqual(['total_2', 'group.x_2', 'free'])
    expect(strict.text(strict.dict(reset[2]).get('T'))).toBe('other')
    expect(texts(strict, at(1).get('Fields'))).toEqual(['a_2'])
    expect(strict.text(at(2).get('T'))).toBe('total_2')
    expect(strict.text(strict.array(at(3).get('T'))[0])).toBe('total_2')
    expect(strict.text(at(4).get('URI'))).toBe('total')
    const annotations = strict.array(strict.pages[1]?.dict.get('Annots')).map(value => strict.dict(value))
    const lock = strict.dict(annotations.find(dict => dict.has('Lock'))?.get('Lock'))
    expect(texts(strict, lock.get('Fields'))).toEqual(['total_2', 'free'])
  })

  it('keep functions and variables of their own', async () => {
    const make = (factor: number): Buffer =>
      makeForm(() => ({
        scripts: { lib: `var factor = ${factor};\nfunction scale(name) { return this.getField(name).value * factor }` },
        calculate: 'event.value = scale("a")',
      }))
    const { bytes } = await merge([make(2), make(10), make(100)])
    const seen = await readScripts(bytes)
    expect(seen.document.map(script => /function (\w+)/.exec(script)?.[1])).toEqual(['scale', 'scale_2', 'scale_3'])
    expect(await calculate(bytes, { a: 1, a_2: 3, a_3: 5 })).toEqual({ total: 2, total_2: 30, total_3: 500 })
  })

  it('are kept once if the document scripts are the same', async () => {
    const make = (name: string, further: string): Buffer =>
      makeForm(() => ({
        scripts: { [name]: 'function double(x) { return x * 2 }', further },
        calculate: 'event.value = double(getField("a").value)',
      }))
    const { bytes } = await merge([make('lib', 'var one'), make('lib', 'var two'), make('library', 'var one')])
    const texts = ['var one', 'var two', 'function double(x) { return x * 2 }', 'function double_2(x) { return x * 2 }']
    expect((await readScripts(bytes)).document).toEqual(texts)
    expect(await calculate(bytes, { a: 1, a_2: 3, a_3: 5 })).toEqual({ total: 2, total_2: 6, total_3: 10 })
  })
})

it.skipIf(!hasProgram('qpdf'))('qpdf finds no problem in the merged files', () => {
  expect(results.flatMap(qpdfComplaints)).toEqual([])
})
