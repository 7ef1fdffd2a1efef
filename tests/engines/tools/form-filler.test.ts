import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../fixtures/draft'
import { addSignature, addXfa } from '../../fixtures/features'
import { FormDraft, makeApplication, type Place, PLACES } from '../../fixtures/forms'
import { readZip } from '../../support/read-zip'
import { readPdf, renderPage, type SeenPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'
import type { PdfDict } from '../../support/pdf-syntax'
import { findTraces } from '../../support/traces'

interface Filled {
  bytes: Buffer
  file: StrictPdf
  seen: SeenPdf
  warnings: string[]
}

async function fill(source: Buffer, options: unknown): Promise<Filled> {
  const { bytes, warnings } = await runOn('form-filler', source, options)
  const file = new StrictPdf(bytes)
  expect(file.problems).toEqual([])
  return { bytes, file, seen: await readPdf(bytes), warnings }
}

const fillApplication = (fields: unknown, options: object = {}): Promise<Filled> =>
  fill(makeApplication(), { fields, ...options })

async function refuse(
  source: Buffer,
  options: unknown,
  reason = 'options_invalid',
): Promise<{ param?: string; message: string }[]> {
  const error: unknown = await runOn('form-filler', source, options).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'EngineError', reason })
  return (error as { problems: { param?: string; message: string }[] }).problems
}

/** The dictionary of a field by its partial name. */
function fieldOf(file: StrictPdf, name: string): PdfDict {
  const found = [...file.objects.values()]
    .map(({ value }) => file.dict(value))
    .find(dict => file.text(dict.get('T')) === name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

/** The share of a field's pixels that are dark, as PDFium draws its page. */
async function inkOf(bytes: Buffer, [x, y, width, height]: Place, { inset = 0, pageIndex = 0 } = {}): Promise<number> {
  const image = await renderPage(bytes, pageIndex, { hasFields: true })
  let count = 0
  for (let row = image.height - y - height + inset; row < image.height - y - inset; row++) {
    for (let column = x + inset; column < x + width - inset; column++)
      if ((image.pixels[(row * image.width + column) * 4] ?? 255) < 140) count++
  }
  return count / (width * height)
}

const valueOf = ({ seen }: Filled, name: string): string | undefined =>
  seen.pages.flatMap(page => page.fields).find(field => field.name === name)?.value
const checkedOf = ({ seen }: Filled, name: string): boolean[] =>
  seen.pages
    .flatMap(page => page.fields)
    .filter(field => field.name === name)
    .map(field => field.isChecked)

describe('form-filler', () => {
  const texts: [string, string][] = [
    ['Polish', 'Żaneta Źdźbło'],
    ['Greek', 'Ελένη'],
    ['Russian', 'Мария Щука'],
    ['Japanese', '山田太郎'],
    ['Arabic', 'محمد'],
    ['Hebrew', 'רחל'],
    ['Devanagari', 'नमस्ते'],
    ['signs', '45 € ₹ 10'],
  ]
  it.each(texts)('stores and draws a value in %s', async (_script, value) => {
    const filled = await fillApplication({ fullName: value })
    expect(valueOf(filled, 'fullName')).toBe(value)
    expect(await inkOf(filled.bytes, PLACES.fullName)).toBeGreaterThan(0.005)
    expect(await inkOf(makeApplication(), PLACES.fullName)).toBe(0)
  })

  it('turns values into text if it flattens, and leaves no form', async () => {
    const { seen, file, bytes } = await fillApplication(
      { fullName: 'Żaneta 山田', notes: 'one\ntwo', country: 'JP', agree: true, transport: 'road' },
      { flatten: true },
    )
    expect(file.catalog.has('AcroForm')).toBe(false)
    expect(seen.pages[0]?.fields).toEqual([])
    for (const text of ['Żaneta 山田', 'one', 'two', 'Japan', 'REF-77120']) expect(seen.pages[0]?.text).toContain(text)
    expect(await inkOf(bytes, PLACES.agree, { inset: 3 })).toBeGreaterThan(0.1)
  })

  it('checks and clears boxes by true, false, state and null, and sets /AS', async () => {
    const filled = await fillApplication({ agree: true, newsletter: false, plain: true })
    expect([checkedOf(filled, 'agree'), checkedOf(filled, 'newsletter'), checkedOf(filled, 'plain')]).toEqual([
      [true],
      [false],
      [true],
    ])
    const states = ['agree', 'newsletter', 'plain'].map(name =>
      ['V', 'AS'].map(key => filled.file.text(fieldOf(filled.file, name).get(key))),
    )
    expect(states).toEqual([
      ['Ja bitte', 'Ja bitte'],
      ['Off', 'Off'],
      ['Yes', 'Yes'],
    ])
    expect(await inkOf(filled.bytes, PLACES.plain, { inset: 2 })).toBeGreaterThan(0.05)
    expect(checkedOf(await fillApplication({ agree: 'Ja bitte' }), 'agree')).toEqual([true])
    expect(checkedOf(await fillApplication({ newsletter: null }), 'newsletter')).toEqual([false])
  })

  it('selects radio buttons by state, label and position, and clears them', async () => {
    const chosen = async (fields: unknown) => {
      const filled = await fillApplication(fields)
      return [
        checkedOf(filled, 'transport'),
        checkedOf(filled, 'seat'),
        ['transport', 'seat'].map(name => filled.file.text(fieldOf(filled.file, name).get('V'))),
      ]
    }
    expect(await chosen({ transport: 'sea', seat: 'Aisle' })).toEqual([
      [false, true, false],
      [false, true],
      ['sea', '1'],
    ])
    expect(await chosen({ transport: '#3', seat: '0' })).toEqual([
      [false, false, true],
      [true, false],
      ['road', '0'],
    ])
    expect(await chosen({ transport: false, seat: null })).toEqual([
      [false, false, false],
      [false, false],
      ['Off', 'Off'],
    ])
  })

  it('names buttons with the same label by their position', async () => {
    const form = new FormDraft()
    const widget = (state: string, x: number) => ({
      place: [x, 500, 14, 14] as const,
      entries: `/AS/Off/TU(Tip)${form.states(state)}`,
    })
    form.group('/FT/Btn/Ff 49152/T(size)/Opt[(Small)(Large)(Large)]/V/2', [
      widget('0', 100),
      widget('1', 140),
      widget('2', 180),
    ])
    const file = form.write()
    const { fields } = JSON.parse((await runOn('form-filler', file, { listOnly: true })).bytes.toString())
    expect(fields[0].options).toEqual(['Small', '#2', '#3'].map(value => ({ value, label: 'Tip' })))
    for (const value of ['Large', 'Tip'])
      await expect(fill(file, { fields: { size: value } })).rejects.toThrow(
        `must name one button. Got "${value}", which ${value === 'Tip' ? 3 : 2} buttons have. Use "Small", "#2" or "#3"`,
      )
    const filled = await fill(file, { fields: { size: '#3' } })
    expect(checkedOf(filled, 'size')).toEqual([false, false, true])
    const again = JSON.parse((await runOn('form-filler', filled.bytes, { listOnly: true })).bytes.toString())
    expect(again.fields[0].value).toBe('#3')
  })

  it('turns radio buttons with the same state on together only if the form says so', async () => {
    const states = async (flags: number) => {
      const form = new FormDraft()
      form.group(
        `/FT/Btn/Ff ${flags}/T(same)`,
        [0, 40].map(x => ({ place: [100 + x, 500, 14, 14] as const, entries: `/AS/Off${form.states('x')}` })),
      )
      const { file } = await fill(form.write(), { fields: { same: 'x' } })
      return file.array(fieldOf(file, 'same').get('Kids')).map(kid => file.text(file.dict(kid).get('AS')))
    }
    expect(await states(49152)).toEqual(['x', 'Off'])
    expect(await states(49152 | (1 << 25))).toEqual(['x', 'x'])
  })

  it('accepts options by export value and label, free text if allowed, several values if a list allows them', async () => {
    const filled = await fillApplication({ country: 'Norway', city: 'Łódź', size: 'medium', colors: ['blue', 'red'] })
    expect([valueOf(filled, 'country'), valueOf(filled, 'city')]).toEqual(['NO', 'Łódź'])
    const { file } = filled
    expect(file.text(fieldOf(file, 'size').get('V'))).toBe('medium')
    expect(file.array(fieldOf(file, 'colors').get('V')).map(value => file.text(value))).toEqual(['red', 'blue'])
    expect(file.array(fieldOf(file, 'colors').get('I'))).toEqual([0, 2])
    for (const name of ['country', 'city', 'size', 'colors'] as const)
      expect(await inkOf(filled.bytes, PLACES[name])).toBeGreaterThan(0.005)
    const cleared = await fill(filled.bytes, { fields: { colors: [], size: null, country: '' } })
    for (const name of ['colors', 'size', 'country'])
      expect(['V', 'I'].filter(key => fieldOf(cleared.file, name).has(key))).toEqual([])
  })

  it('distributes the characters of a comb, and sets several lines', async () => {
    const { bytes } = await fillApplication({ code: 'HHHHHHHH', notes: 'first\nsecond\nthird' })
    const [x, y, width, height] = PLACES.code
    for (let cell = 0; cell < 8; cell++)
      expect(await inkOf(bytes, [x + (cell * width) / 8 + 4, y + 3, width / 8 - 8, height - 6])).toBeGreaterThan(0.1)
    const [left, bottom, , notesHeight] = PLACES.notes
    const rows = await Promise.all(
      [0, 1, 2, 3].map(line => inkOf(bytes, [left, bottom + notesHeight - 15 - 13 * line, 60, 10])),
    )
    expect(rows.map(ink => ink > 0.02)).toEqual([true, true, true, false])
  })

  it('shows stars for a password', async () => {
    const { seen } = await fillApplication({ secret: 'abc' }, { flatten: true })
    expect(seen.pages[0]?.text).toContain('***')
    expect(seen.pages[0]?.text).not.toContain('abc')
  })

  it('keeps other fields, except rich text, and locks or clears them if requested', async () => {
    const form = new FormDraft()
    form.field('/FT/Tx/T(rich)/Ff 33554432/V(old)/RV(<p>OLDRICHTEXT</p>)', [100, 500, 200, 20])
    form.field('/FT/Tx/T(other)/V(kept)', [100, 460, 200, 20])
    const source = form.write()
    const filled = await fill(source, { fields: { rich: 'new' } })
    expect([valueOf(filled, 'rich'), valueOf(filled, 'other')]).toEqual(['new', 'kept'])
    expect(findTraces(filled.bytes, ['OLDRICHTEXT'])).toEqual([])
    const cleared = await fill(source, { fields: { rich: 'new' }, clearOthers: true, lock: true })
    expect(valueOf(cleared, 'other')).toBe('')
    expect(cleared.file.get(fieldOf(cleared.file, 'other').get('Ff'))).toBe(1)
    expect(cleared.file.get(fieldOf(cleared.file, 'rich').get('Ff'))).toBe(33554433)
  })

  it('finds fields by full path and by unique last part, and lists all names if nothing matches', async () => {
    const form = new FormDraft()
    const place = (index: number): Place => [100, 600 - 30 * index, 200, 20]
    form.above('/T(home)', parent => {
      form.field(`${parent}/FT/Tx/T(street)`, place(0))
      form.field(`${parent}/FT/Tx/T(zip)`, place(1))
    })
    form.above('/T(work)/FT/Tx/V(inherited)', parent => form.field(`${parent}/T(street)`, place(2)))
    form.field('/FT/Tx/T(__proto__)', place(3))
    const source = form.write()
    const filled = await fill(source, {
      fields: JSON.parse('{"home.street": "A", "zip": 12345, "__proto__": "P", "work.street": ""}') as unknown,
    })
    expect(['home.street', 'home.zip', '__proto__', 'work.street'].map(name => valueOf(filled, name))).toEqual([
      'A',
      '12345',
      'P',
      '',
    ])
    expect(await refuse(source, { fields: { street: 'x', home: 'y', zip: '1', 'home.zip': '2' } })).toEqual([
      {
        param: 'options.fields.street',
        message:
          'options.fields.street: "street" is the last part of 2 field names: "home.street", "work.street". Send a ' +
          'full name.',
      },
      {
        param: 'options.fields.home',
        message: 'options.fields.home: unknown field "home". It is a group of "home.street", "home.zip".',
      },
      {
        param: 'options.fields["home.zip"]',
        message:
          'options.fields["home.zip"]: "zip" and "home.zip" are names of the same field "home.zip". Send only one of them.',
      },
    ])
  })

  const refusals: [string, unknown, ...string[]][] = [
    ['a value beyond /MaxLen', { short: 'far too long' }, 'Got "far too long", which has 12', 'at most 5'],
    ['an option that is not there', { country: 'Atlantis' }, '"Atlantis"', '"PL" ("Poland")', '"NO" ("Norway")'],
    ['a radio button that is not there', { transport: 'rocket' }, '"rocket"', '"air", "sea" or "road"', '"#3"'],
    ['a place beyond the group', { transport: '#4' }, '"#4"'],
    ['a text for a check box', { agree: 'perhaps' }, '"perhaps"', 'true, false or "Ja bitte"'],
    ['true for a group of radio buttons', { seat: true }, 'true is ambiguous'],
    ['true for a text field', { fullName: true }, 'text field'],
    ['a list for a dropdown', { country: ['PL'] }, 'single value'],
    ['several values for a list of one', { size: ['small', 'large'] }, 'single value', 'Got 2 values'],
    ['line breaks in one line', { fullName: 'a\nb' }, 'single line'],
    ['characters that no font has', { fullName: 'a\u{10fffd}' }, 'U+10FFFD'],
    ['a push button', { send: true }, 'push button'],
    ['a signature', { signature: 'x' }, 'signature field'],
  ]
  it('refuses an unknown name, with the nearest', async () => {
    const problems = await refuse(makeApplication(), { fields: { fulName: 'X' } }, 'field_missing')
    expect(problems).toHaveLength(1)
    for (const word of ['"fulName"', '"fullName"', '17 fields']) expect(problems[0]?.message).toContain(word)
  })

  it.each(refusals)('refuses %s', async (_what, fields, ...says) => {
    const problems = await refuse(makeApplication(), { fields })
    expect(problems).toHaveLength(1)
    for (const word of says) expect(problems[0]?.message).toContain(word)
  })

  it('reports all errors at once, also for several records', async () => {
    expect(
      (await refuse(makeApplication(), { fields: { nope: 1, short: '123456', size: 'huge' } })).map(
        problem => problem.param,
      ),
    ).toEqual(['options.fields.nope', 'options.fields.short', 'options.fields.size'])
    expect(
      (await refuse(makeApplication(), { records: [{ short: '1' }, { short: '123456' }, { 'no name': 1 }] })).map(
        problem => problem.param,
      ),
    ).toEqual(['options.records[1].short', 'options.records[2]["no name"]'])
    expect(
      await refuse(
        makeApplication(),
        { fields: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`nope${index}`, 1])) },
        'field_missing',
      ),
    ).toHaveLength(21)
  })

  it('ignores unknown names with a warning, and refuses read-only fields if requested', async () => {
    const filled = await fillApplication({ nope: 'x', fullName: 'Ada', reference: 'NEW' }, { onUnknown: 'ignore' })
    expect([filled.warnings, valueOf(filled, 'fullName'), valueOf(filled, 'reference')]).toEqual([
      ['unknown-field'],
      'Ada',
      'NEW',
    ])
    expect((await refuse(makeApplication(), { fields: { reference: 'NEW' }, readOnly: false }))[0]?.message).toContain(
      'read-only',
    )
  })

  it('sets the requested font size, also for viewers that lay out the text again', async () => {
    const filled = await fillApplication({ fullName: 'Hxg' }, { fontSize: 16 })
    expect(filled.file.text(fieldOf(filled.file, 'fullName').get('DA'))).toBe('/Helv 16 Tf 0 g')
    expect(await inkOf(filled.bytes, PLACES.fullName)).toBeGreaterThan(
      1.5 * (await inkOf((await fillApplication({ fullName: 'Hxg' }, { fontSize: 8 })).bytes, PLACES.fullName)),
    )
    const long = 'a text that is much too long for its field '.repeat(3)
    expect(
      (await fillApplication({ fullName: long }, { fontSize: 'auto', flatten: true })).seen.pages[0]?.text,
    ).toContain(long.trim())
  })

  it('fills the form once per record, into files in a ZIP or into one document', async () => {
    const records = [{ fullName: 'Ada' }, { fullName: 'Мария', agree: false }]
    const options = { fields: { agree: true }, records, nameTemplate: '{index} {fullName}' }
    const { bytes } = await runOn('form-filler', makeApplication(), options)
    const parts = readZip(bytes)
    expect(parts.map(part => part.name)).toEqual(['1 Ada.pdf', '2 Мария.pdf'])
    const seen = await Promise.all(parts.map(part => readPdf(part.bytes)))
    expect(
      seen.map(pdf =>
        pdf.pages[0]?.fields
          .filter(field => ['fullName', 'agree'].includes(field.name))
          .map(field => [field.value, field.isChecked]),
      ),
    ).toEqual([
      [
        ['Ada', false],
        ['Ja bitte', true],
      ],
      [
        ['Мария', false],
        ['Off', false],
      ],
    ])
    const merged = await fill(makeApplication(), { ...options, nameTemplate: undefined, output: 'pdf', flatten: true })
    expect(merged.seen.pages).toHaveLength(10)
    expect(
      [merged.seen.pages[0]?.text, merged.seen.pages[5]?.text].map(text => [
        text?.includes('Ada'),
        text?.includes('Мария'),
      ]),
    ).toEqual([
      [true, false],
      [false, true],
    ])
    expect((await refuse(makeApplication(), { records, nameTemplate: '{nme}' }))[0]).toMatchObject({
      param: 'options.nameTemplate',
    })
  })

  it('lists the fields without changing the file', async () => {
    const { bytes, contentType } = await runOn('form-filler', makeApplication(), { listOnly: true })
    expect(contentType).toBe('application/json')
    const { count, fields } = JSON.parse(bytes.toString()) as { count: number; fields: Record<string, unknown>[] }
    expect(count).toBe(17)
    const byName = new Map(fields.map(field => [field['name'], field]))
    expect(byName.get('fullName')).toEqual({
      name: 'fullName',
      type: 'text',
      value: null,
      page: 1,
      rect: { x: 200, y: 700, width: 300, height: 20 },
      label: 'Full name',
      hidden: false,
      readOnly: false,
      required: false,
      multiline: false,
      password: false,
      comb: false,
    })
    expect(byName.get('newsletter')).toMatchObject({
      type: 'checkbox',
      value: true,
      options: [{ value: 'Yes', label: 'Yes' }],
    })
    expect(byName.get('seat')).toMatchObject({
      type: 'radio',
      value: null,
      options: [
        { value: 'Window', label: '0' },
        { value: 'Aisle', label: '1' },
      ],
      places: [{ page: 1 }, { page: 1 }],
    })
    expect(byName.get('country')).toMatchObject({
      type: 'dropdown',
      editable: false,
      options: [
        { value: 'PL', label: 'Poland' },
        { value: 'JP', label: 'Japan' },
        { value: 'NO', label: 'Norway' },
      ],
    })
    expect(byName.get('code')).toMatchObject({ comb: true, maxLength: 8 })
    expect(byName.get('reference')).toMatchObject({ value: 'REF-77120', readOnly: true })
    expect(byName.get('send')).toMatchObject({ type: 'button', value: null })
  })

  it('draws every field of a form with NeedAppearances, and removes the flag', async () => {
    const { file, bytes } = await fill(makeApplication({ entries: '/NeedAppearances true' }), {
      fields: { fullName: 'Ada' },
    })
    expect(file.dict(file.catalog.get('AcroForm')).has('NeedAppearances')).toBe(false)
    expect(await inkOf(bytes, PLACES.reference)).toBeGreaterThan(0.01)
    expect(await inkOf(bytes, [200, 300, 80, 20])).toBeGreaterThan(0.01)
  })

  it('drops or refuses XFA beside AcroForm fields, and refuses a form that is only XFA', async () => {
    const draft = new Draft({ pages: 1 })
    addXfa(draft)
    const source = draft.write()
    const { warnings, file } = await fill(source, { fields: { twin: 'x' } })
    expect(warnings).toEqual(['xfa-dropped'])
    expect(file.dict(file.catalog.get('AcroForm')).has('XFA')).toBe(false)
    expect((await refuse(source, { fields: { twin: 'x' }, xfa: 'error' }))[0]?.param).toBe('options.xfa')
    for (const fields of ['', '<</T(a)/FT/Tx>>', '<</T(form1)/Kids[<</T(a)>>]>>']) {
      const dynamic = new Draft({ pages: 1 })
      const ref = fields && `${dynamic.pdf.add(fields)} 0 R`
      dynamic.catalog.push(`/AcroForm<</Fields[${ref}]/XFA(<xdp/>)>>`)
      expect((await refuse(dynamic.write(), { fields: { a: 'x' } }))[0]?.message).toContain('only XFA')
    }
    expect((await refuse(numbered(), { fields: { a: 'x' } }))[0]?.message).toContain('no form fields')
  })

  it('warns if the document was signed', async () => {
    const draft = new Draft({ pages: 2 })
    addSignature(draft, 2)
    const source = draft.write()
    expect((await refuse(source, { fields: { signature: 'x' } }))[0]?.message).toContain('signature field')
    expect((await fill(source, { fields: {}, lock: true })).warnings).toContain('signatures-invalidated')
  })

  it('refuses contradictory options', async () => {
    const mistakes = async (options: unknown): Promise<string> =>
      runOn('form-filler', makeApplication(), options).then(
        () => 'none',
        (error: unknown) => (error instanceof Error ? error.message : 'none'),
      )
    expect(await mistakes({})).toContain('set listOnly to true to list the names')
    expect(await mistakes({ listOnly: true, fields: {} })).toContain('fills no fields')
    expect(await mistakes({ fields: {}, lock: true, flatten: true })).toContain('removes all fields')
    expect(await mistakes({ fields: {}, output: 'pdf' })).toContain('only applies to records')
    expect(await mistakes({ fields: { a: {} } })).not.toBe('none')
    expect(await mistakes({ fields: { a: 'x\u0007' } })).toContain('U+0007')
    for (const fontSize of [0, 10_000]) expect(await mistakes({ fields: {}, fontSize })).not.toBe('none')
  })
})

describe('form-filler on unusual forms', () => {
  it('fills fields with the same name together, on rotated and shifted pages', async () => {
    const form = new FormDraft({ pages: 2, rotate: { 1: 90 }, origin: [50, -30] })
    form.field('/FT/Tx/T(name)', [100, 500, 200, 20])
    form.field('/FT/Tx/T(name)', [100, 400, 200, 20], 2)
    const { seen } = await fill(form.write(), { fields: { name: 'Ada' } })
    expect(seen.pages.map(page => page.fields.map(field => field.value))).toEqual([['Ada'], ['Ada']])
  })

  it('inherits type, flags, alignment and length from parent fields, and works without a default appearance', async () => {
    const form = new FormDraft({ look: '' })
    form.above('/T(all)/FT/Tx/Q 2/MaxLen 4/DA(nonsense)', parent =>
      form.field(`${parent}/T(right)`, [100, 500, 200, 20]),
    )
    form.field('/FT/Tx/T(bare)', [100, 460, 200, 20])
    const source = form.write()
    const { bytes, file } = await fill(source, { fields: { 'all.right': 'abcd', bare: 'Ada' } })
    expect(await inkOf(bytes, [100, 500, 100, 20])).toBe(0)
    expect(await inkOf(bytes, [200, 500, 100, 20])).toBeGreaterThan(0.01)
    expect(file.text(fieldOf(file, 'bare').get('DA'))).toBe('/Helv 0 Tf 0 g')
    expect((await refuse(source, { fields: { right: 'abcde' } }))[0]?.message).toContain('at most 4')
  })

  it('draws upright in a rotated field', async () => {
    const form = new FormDraft()
    form.field('/FT/Tx/T(up)/MK<</R 90>>', [100, 300, 20, 200])
    const { bytes } = await fill(form.write(), { fields: { up: 'upwards' } })
    expect(await inkOf(bytes, [100, 302, 20, 30])).toBeGreaterThan(0.03)
    expect(await inkOf(bytes, [100, 400, 20, 100])).toBe(0)
  })

  it('fills fields without widgets, with widgets on no page or without area, and boxes without a state', async () => {
    const form = new FormDraft()
    form.group('/FT/Tx/T(nowhere)', [])
    form.field('/FT/Tx/T(flat)', [100, 500, 0, 0])
    const lost = form.field('/FT/Tx/T(lost)', [100, 460, 100, 20])
    form.draft.page(1).annotations.splice(1, 1)
    form.field('/FT/Btn/T(stateless)/AP<</N<<>>>>', [100, 420, 14, 14])
    expect(lost).toBeGreaterThan(0)
    const { file, bytes } = await fill(form.write(), {
      fields: { nowhere: 'a', flat: 'b', lost: 'c', stateless: true },
    })
    expect(['nowhere', 'flat', 'lost', 'stateless'].map(name => file.text(fieldOf(file, name).get('V')))).toEqual([
      'a',
      'b',
      'c',
      'Yes',
    ])
    expect(await inkOf(bytes, [100, 420, 14, 14])).toBeGreaterThan(0.05)
  })

  it('includes fields that only pages list', async () => {
    const draft = new Draft({ pages: 1 })
    // The field names the page as its parent, as some files do.
    const field = draft.pdf.add(
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(orphan)/Rect[100 500 300 520]/F 4/Parent ${draft.page(1).ref} 0 R>>`,
    )
    draft.page(1).annotations.push(`${field} 0 R`)
    const { file, bytes } = await fill(draft.write(), { fields: { orphan: 'found' } })
    expect(file.array(file.dict(file.catalog.get('AcroForm')).get('Fields'))).toHaveLength(1)
    expect(await inkOf(bytes, [100, 500, 200, 20])).toBeGreaterThan(0.005)
  })

  it('handles cyclic fields', async () => {
    const form = new FormDraft()
    const loop = form.draft.pdf.reserve()
    form.draft.pdf.set(loop, `<</T(loop)/FT/Tx/Parent ${loop} 0 R/Kids[${loop} 0 R]>>`)
    form.field(`/FT/Tx/T(leaf)/Parent ${loop} 0 R`, [100, 500, 200, 20])
    const { file } = await fill(form.write(), { fields: { leaf: 'x' } })
    expect(file.text(fieldOf(file, 'leaf').get('V'))).toBe('x')
  })

  it('writes the same bytes each time, in every layout', async () => {
    for (const layout of ['table', 'streams', 'hybrid'] as const) {
      const source = makeApplication({ layout })
      const options = { fields: { fullName: '山田 Żółw', agree: true, notes: 'a\nb' } }
      expect((await fill(source, options)).bytes.equals((await fill(source, options)).bytes)).toBe(true)
    }
  })
})
