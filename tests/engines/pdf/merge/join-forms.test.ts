import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { addForm, addSignature, addXfa } from '../../../fixtures/features'
import { makeBook } from '../../../fixtures/make-fixtures'
import { replaceText } from '../../../fixtures/damaged'
import { readPdf } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

interface FieldOptions {
  value?: string
  name?: string
  type?: string
  /** Further entries of the field. */
  entries?: string
  width?: number
  /** Entries of a parent field whose name is `above`. */
  above?: string
}

/** One page with one field that is merged with its widget. */
function withField({
  value,
  name = 'field',
  type = 'Tx',
  entries = '',
  width = 200,
  above,
}: FieldOptions = {}): Buffer {
  const draft = new Draft({ pages: 1, salt: `${name} ${value} ${type}` })
  const { pdf } = draft
  const page = draft.page(1)
  const drawn = pdf.addStream(
    `/Type/XObject/Subtype/Form/BBox[0 0 ${width} 20]/Resources<</Font<</Helv ${draft.font} 0 R>>>>`,
    `/Tx BMC BT /Helv 10 Tf 2 5 Td (${value ?? ''}) Tj ET EMC`,
  )
  const parent = above === undefined ? 0 : pdf.reserve()
  const states =
    type === 'Btn' ? `/AP<</N<</${value ?? 'Yes'} ${drawn} 0 R>>>>/AS/${value ?? 'Off'}` : `/AP<</N ${drawn} 0 R>>`
  const stated = value === undefined ? '' : type === 'Btn' ? `/V/${value}` : `/V(${value})`
  const field = pdf.add(
    `<</Type/Annot/Subtype/Widget/T(${name})${parent ? `/Parent ${parent} 0 R` : `/FT/${type}`}${stated}/DA(/Helv ` +
      `10 Tf 0 g)/F 4/Rect[60 460 ${60 + width} 480]/P ${page.ref} 0 R${states}${entries}>>`,
  )
  if (parent) pdf.set(parent, `<</T(above)/FT/${type}${above}/Kids[${field} 0 R]>>`)
  page.annotations.push(`${field} 0 R`)
  draft.catalog.push(
    `/AcroForm<</Fields[${parent || field} 0 R]/CO[${field} 0 R]/DR<</Font<</Helv ${draft.font} 0 R>>>>>>`,
  )
  return draft.write()
}

async function merge(
  files: Buffer[],
  formFields: string,
): Promise<{ bytes: Buffer; strict: StrictPdf; warnings: string[] }> {
  const { bytes, warnings } = await runOn('merge-pdf', files, { formFields })
  const strict = readSound(bytes)
  return { bytes, strict, warnings }
}

async function fieldsOf(bytes: Buffer): Promise<string[][]> {
  return (await readPdf(bytes)).pages.map(page => page.fields.map(field => `${field.name}: ${field.value}`))
}

/** The state of each button, in page order. */
function statesOf(strict: StrictPdf): (string | undefined)[] {
  return strict.pages
    .flatMap(({ dict }) => strict.array(dict.get('Annots')).map(annotation => strict.dict(annotation)))
    .filter(annotation => annotation.has('AS'))
    .map(annotation => strict.text(annotation.get('AS')))
}

/** The text of the pages after the form is flattened. */
async function drawn(bytes: Buffer): Promise<string[]> {
  return (await readPdf((await runOn('flatten-pdf', bytes)).bytes)).pages.map(page => page.text.replace(/\s+/g, ' '))
}

describe('formFields share', () => {
  it('makes one field of fields with the same name, which shows one value everywhere', async () => {
    const { bytes, strict } = await merge(
      [withField({ value: 'one' }), withField({ value: 'two', width: 120 }), withField({ value: 'three' })],
      'share',
    )
    expect(await fieldsOf(bytes)).toEqual([['field: one'], ['field: one'], ['field: one']])
    expect(strict.array(strict.dict(strict.catalog.get('AcroForm')).get('Fields'))).toHaveLength(1)
    expect(strict.array(strict.dict(strict.catalog.get('AcroForm')).get('CO'))).toHaveLength(1)
    const seen = await drawn(bytes)
    expect(seen.map(text => text.match(/one|two|three/g))).toEqual([['one'], ['one'], ['one']])
    expect(findTraces(bytes, ['(two)', '(three)'])).toEqual([])
  })

  it('uses the value of the first file that has a value', async () => {
    const { bytes } = await merge(
      [withField(), withField({ value: 'two', width: 90 }), withField({ value: 'three' })],
      'share',
    )
    expect(await fieldsOf(bytes)).toEqual([['field: two'], ['field: two'], ['field: two']])
    expect((await drawn(bytes)).map(text => text.match(/one|two|three/g))).toEqual([['two'], ['two'], ['two']])
  })

  it('joins fields below common names, with their inherited attributes', async () => {
    const files = [
      withField({ name: 'a', above: '/V(up)' }),
      withField({ name: 'b', above: '/V(down)/MaxLen 7' }),
      withField({ name: 'a', above: '/V(left)', value: 'own' }),
    ]
    const { bytes, strict } = await merge(files, 'share')
    expect(await fieldsOf(bytes)).toEqual([['above.a: up'], ['above.b: down'], ['above.a: up']])
    const [root] = strict.array(strict.dict(strict.catalog.get('AcroForm')).get('Fields'))
    expect(strict.array(strict.dict(root).get('Kids')).map(kid => strict.dict(kid).get('MaxLen'))).toEqual([
      undefined,
      7,
    ])
  })

  it("renames fields that don't match: another type, other choices, another length, a signature", async () => {
    const names = async (one: Buffer, other: Buffer): Promise<string[]> =>
      (await readPdf((await merge([one, other], 'share')).bytes)).pages.flatMap(page =>
        page.fields.map(field => field.name),
      )
    expect(await names(withField({ value: 'x' }), withField({ value: 'x', type: 'Ch' }))).toEqual(['field', 'field_2'])
    expect(
      await names(
        withField({ type: 'Ch', entries: '/Opt[(a)(b)]' }),
        withField({ type: 'Ch', entries: '/Opt[(a)(c)]' }),
      ),
    ).toEqual(['field', 'field_2'])
    expect(
      await names(
        withField({ type: 'Ch', entries: '/Opt[(a)(b)]' }),
        withField({ type: 'Ch', entries: '/Opt[(a)(b)]' }),
      ),
    ).toEqual(['field', 'field'])
    expect(await names(withField({ entries: '/MaxLen 5' }), withField())).toEqual(['field', 'field_2'])
    expect(await names(withField({ entries: '/Ff 2' }), withField())).toEqual(['field', 'field'])
    const signed = (): Buffer => {
      const draft = new Draft({ pages: 1 })
      addSignature(draft, 1)
      return draft.write()
    }
    expect(await names(signed(), signed())).toEqual(['signature', 'signature_2'])
  })

  it('switches shared check boxes and radio buttons together', async () => {
    const on = withField({ type: 'Btn', value: 'Yes' })
    const off = withField({ type: 'Btn' })
    const states = async (files: Buffer[]) => statesOf((await merge(files, 'share')).strict)
    expect(await states([off, on])).toEqual(['Yes', 'Yes'])
    expect(await states([on, off])).toEqual(['Yes', 'Yes'])
    expect(
      (
        await readPdf((await merge([on, replaceText(withField({ type: 'Btn' }), '/Yes ', '/On ')], 'share')).bytes)
      ).pages.map(page => page.fields[0]?.name),
    ).toEqual(['field', 'field_2'])
  })

  it('keeps files with the same fields valid, however they are packed', async () => {
    const book = (salt: string) => {
      const draft = new Draft({ pages: 3, salt })
      addForm(draft)
      return draft
    }
    for (const layout of ['table', 'streams'] as const) {
      const { bytes, strict } = await merge([book('left').write(), book('right').write(layout)], 'share')
      const pages = await fieldsOf(bytes)
      expect(pages.slice(3)).toEqual(pages.slice(0, 3))
      expect(statesOf(strict)).toEqual(['c1', 'Off', 'Off', 'c1', 'Off', 'Off'])
    }
  })
})

describe('formFields flatten and drop', () => {
  it('draws the fields of all files, each with its own value, and leaves no form', async () => {
    const files = [
      withField({ value: 'one' }),
      withField({ value: 'two' }),
      new Draft({ pages: 1 }).write(),
      makeBook({ pages: 2 }).write('streams'),
    ]
    const { bytes, strict } = await merge(files, 'flatten')
    const seen = (await readPdf(bytes)).pages
    expect(seen.flatMap(page => page.fields)).toEqual([])
    expect(seen.slice(0, 2).map(page => page.text.match(/one|two/g))).toEqual([['one'], ['two']])
    expect(seen.map(page => page.links.length)).toEqual([0, 0, 0, 3, 3])
    expect(strict.catalog.has('AcroForm')).toBe(false)
  })

  it('removes fields with their values and keeps everything else', async () => {
    const draft = makeBook({ pages: 2 })
    const twin = new Draft({ pages: 1 })
    addXfa(twin)
    const { bytes, strict, warnings } = await merge(
      [withField({ value: 'SECRETVALUE' }), draft.write('streams'), twin.write()],
      'drop',
    )
    const seen = (await readPdf(bytes)).pages
    expect(seen.flatMap(page => page.fields)).toEqual([])
    expect(seen.map(page => [page.links.length, page.annotationCount])).toEqual([
      [0, 0],
      [3, 7],
      [3, 7],
      [0, 0],
    ])
    expect(strict.catalog.has('AcroForm')).toBe(false)
    expect(findTraces(bytes, ['SECRETVALUE', ...twin.words(1).slice(1)])).toEqual([])
    expect(warnings).toEqual(['xfa-dropped'])
  })

  it('warns about removed signatures', async () => {
    const signed = new Draft({ pages: 1 })
    addSignature(signed, 1)
    for (const formFields of ['flatten', 'drop'])
      expect((await merge([new Draft({ pages: 1 }).write(), signed.write()], formFields)).warnings).toContain(
        'signatures-invalidated',
      )
  })
})
