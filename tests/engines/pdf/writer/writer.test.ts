import { deflateSync } from 'node:zlib'
import { PDFName, PDFString } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { writeDocument } from '../../../../engines/pdf/writer/writer'
import { Draft, noise } from '../../../fixtures/draft'
import { SOUND, makeBook } from '../../../fixtures/make-fixtures'
import { appendRevision, type Body, FileBytes, latin } from '../../../fixtures/pdf-writer'
import { readPdf } from '../../../support/reader'
import { LIMITS, runOn } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

describe('writeDocument', () => {
  for (const [name, make] of Object.entries(SOUND)) {
    it(`writes "${name}" as the standard requires, hardly larger than the input, with the same bytes each time`, async () => {
      const input = make()
      const { bytes } = await runOn('rotate-pdf', input, { angle: 90 })
      readSound(bytes)
      // The smallest files have no /ID yet. An /ID is 5 % of such a file.
      expect(bytes.length).toBeLessThanOrEqual(Math.max(input.length * 1.05, input.length + 250))
      expect((await runOn('rotate-pdf', input, { angle: 90 })).bytes.equals(bytes)).toBe(true)
    })
  }

  it('copies unchanged objects byte for byte', () => {
    const draft = new Draft({ pages: 1 })
    const odd = '<< /Odd\t\t[ 1  2 ]  % a comment\r\n /String (a\\\nb) >>'
    draft.catalog.push(`/Odd ${draft.pdf.add(odd)} 0 R`)
    expect(Buffer.from(writeDocument(openDocument(draft.write(), LIMITS)).join()).includes(`obj\n${odd}\nendobj`)).toBe(
      true,
    )
  })

  it('writes objects anew that it puts into object streams, because stray tokens would spoil their neighbors', () => {
    const draft = new Draft({ pages: 1 })
    draft.catalog.push(`/Odd ${draft.pdf.add('<< /Odd\t\t[ 1  2 ] ) /String (a\\nb) >>')} 0 R`)
    const document = openDocument(draft.write(), LIMITS)
    document.saving.packsObjects = true
    const bytes = Buffer.from(writeDocument(document).join())
    const strict = new StrictPdf(bytes)
    expect(strict.problems.concat(strict.malformed)).toEqual([])
    expect(bytes.toString('latin1')).not.toContain('/Odd')
  })

  it('writes integers of more than 64 bits as reals, because some readers refuse such integers', async () => {
    const draft = new Draft({ pages: 1 })
    draft.catalog.push(
      `/Odd ${draft.pdf.add('[16593120448960454421 -16593120448960454421 9223372036854775807000]')} 0 R`,
      `/Fits ${draft.pdf.add('[ 922337203685477580 -922337203685477580 ]')} 0 R`,
    )
    const { bytes, warnings } = await runOn('rotate-pdf', draft.write(), { angle: 90 })
    expect(bytes.toString('latin1')).toMatch(
      /\[1659312044896045\d{4}\.0 -1659312044896045\d{4}\.0 9223372036854\d{9}\.0\]/,
    )
    expect(bytes.includes('[ 922337203685477580 -922337203685477580 ]')).toBe(true)
    expect(warnings).toEqual(['repaired'])
  })

  it("copies streams without inflating them, also streams that can't be inflated", () => {
    const draft = new Draft({ pages: 1 })
    const data = noise('opaque', 5000)
    draft.catalog.push(`/Opaque ${draft.pdf.addPlainStream('/Filter/FlateDecode', data)} 0 R`)
    expect(Buffer.from(writeDocument(openDocument(draft.write('streams'), LIMITS)).join()).includes(data)).toBe(true)
  })

  it('writes only objects that the trailer reaches', () => {
    for (const layout of ['table', 'streams'] as const) {
      const draft = new Draft({ pages: 1 })
      draft.pdf.add('<</Lost(UNREACHABLEWORD)>>')
      const file = draft.write(layout)
      expect(findTraces(file, ['UNREACHABLEWORD'])).toHaveLength(1)
      expect(findTraces(writeDocument(openDocument(file, LIMITS)).join(), ['UNREACHABLEWORD'])).toEqual([])
    }
  })

  it('keeps object streams without changed objects, and rebuilds the others', async () => {
    const draft = makeBook({ pages: 30, salt: 'streams' })
    const input = draft.write('streams')
    const { bytes } = await runOn('delete-pages', input, { pages: [30] })
    readSound(bytes)
    expect(bytes.toString('latin1').match(/\/Type\/ObjStm/g)?.length).toBeGreaterThan(1)
    expect(bytes.length).toBeLessThan(input.length)
    expect(findTraces(bytes, draft.words(30))).toEqual([])
  })

  it('never keeps text between the objects of an object stream', () => {
    const draft = new Draft({ pages: 1 })
    const hidden = draft.pdf.add('<</Kept true>>')
    draft.catalog.push(`/Kept ${hidden} 0 R`)
    draft.finish()
    const file = new FileBytes('1.5')
    for (const [index, body] of draft.pdf.bodies.entries()) if (index + 1 !== hidden) file.object(index + 1, body)
    file.objectStream(draft.pdf.bodies.length + 1, [
      { number: hidden, body: '<</Kept true>> <</Slack(HIDDENINSLACK)>>' },
    ])
    const input = file.closeWithStream(draft.pdf.bodies.length + 2, `/Root ${draft.root} 0 R`)
    expect(findTraces(input, ['HIDDENINSLACK'])).toHaveLength(1)
    expect(findTraces(writeDocument(openDocument(input, LIMITS)).join(), ['HIDDENINSLACK'])).toEqual([])
  })

  it('copies nothing of a removed object that was not closed before another object', async () => {
    const draft = new Draft({ pages: 2 })
    const open = draft.pdf.add('<</Open[1 2')
    draft.catalog.push(`/Open ${open} 0 R`)
    draft.page(2).entries.push('/Secret(REMOVEDBEHINDOPEN)')
    draft.finish()
    const file = new FileBytes('1.5')
    const page = draft.page(2).ref
    for (const [index, body] of draft.pdf.bodies.entries())
      if (![open, page].includes(index + 1)) file.object(index + 1, body)
    file.objectStream(
      draft.pdf.bodies.length + 1,
      [open, page].map(number => ({ number, body: textOf(draft.pdf.bodies[number - 1]) })),
    )
    const { bytes } = await runOn(
      'delete-pages',
      file.closeWithStream(draft.pdf.bodies.length + 2, `/Root ${draft.root} 0 R`),
      { pages: [2] },
    )
    const strict = new StrictPdf(bytes)
    expect(strict.problems.concat(strict.malformed)).toEqual([])
    expect(findTraces(bytes, ['REMOVEDBEHINDOPEN'])).toEqual([])
  })

  it('rebuilds an object stream with fewer objects than it says, because some readers reject it', async () => {
    const file = new Draft({ pages: 2 }).write('streams').toString('latin1')
    const damaged = Buffer.from(file.replace(/(\/Type\/ObjStm[^]*?\/N) ?\d+/, '$1 99'), 'latin1')
    const { bytes, warnings } = await runOn('compress-pdf', damaged, { level: 'lossless' })
    expect(damaged.toString('latin1')).toContain('/N 99')
    expect(warnings).toEqual(['repaired'])
    expect((await readPdf(bytes)).pages).toHaveLength(2)
  })

  it('rebuilds a damaged object stream', async () => {
    const file = makeBook().write('streams')
    const start = file.indexOf('/Type/ObjStm')
    const end = file.indexOf('\nendstream', start)
    const damaged = Buffer.from(file)
    damaged.writeUInt32BE(0, end - 4)
    const { bytes, warnings } = await runOn('rotate-pdf', damaged, { angle: 90 })
    readSound(bytes)
    expect(warnings).toEqual(['repaired'])
  })

  it.each(['/Type/ObjSTm/N ', '/Type/ObjStm/N '])('rebuilds an object stream that states %s99', async entries => {
    const file = makeBook().write('streams')
    const damaged = Buffer.from(
      file.toString('latin1').replace(/\/Type\/ObjStm\/N \d+/, given => entries.padEnd(given.length, '9')),
      'latin1',
    )
    const bytes = (await runOn('rotate-pdf', damaged, { angle: 90 })).bytes
    readSound(bytes)
    expect((await readPdf(bytes)).pages).toHaveLength(6)
  })

  it('leaves out bytes after the value of an object', async () => {
    const draft = new Draft({ pages: 1 })
    draft.catalog.push(`/Odd ${draft.pdf.add('<</Kept[1 2]>> BEHIND (BEHIND) ')} 0 R`)
    const { bytes, warnings } = await runOn('rotate-pdf', draft.write(), { angle: 90 })
    expect(['Kept', 'BEHIND'].map(word => bytes.includes(word))).toEqual([true, false])
    expect(warnings).toEqual(['repaired'])
  })

  it('keeps generation numbers of objects and of references to them', async () => {
    const draft = new Draft({ pages: 1 })
    const file = latin(
      draft
        .write()
        .toString('latin1')
        .replaceAll(`${draft.font} 0 obj`, `${draft.font} 3 obj`)
        .replaceAll(`${draft.font} 0 R`, `${draft.font} 3 R`),
    )
    const table = latin(
      file
        .toString('latin1')
        .replace(
          new RegExp(`(xref\\n0 \\d+\\n(?:.{19}\\n){${draft.font}}\\d{10}) 00000 n`),
          (_, head: string) => `${head} 00003 n`,
        ),
    )
    const { bytes, warnings } = await runOn('rotate-pdf', table, { angle: 90 })
    readSound(bytes)
    expect(warnings).toEqual([])
    expect((await readPdf(bytes)).pages[0]?.text).toContain('PAGE 1')
  })

  it('finds objects that are only referenced across a comment', async () => {
    const draft = new Draft({ pages: 1 })
    const extra = draft.pdf.add('(REACHED)')
    draft.catalog.push(`/Extra ${extra} % comment\n 0 R`)
    const { bytes } = await runOn('rotate-pdf', draft.write(), { angle: 90 })
    expect(new StrictPdf(bytes).dangling).toEqual([])
    expect(bytes.includes('(REACHED)')).toBe(true)
  })

  it('keeps references to free numbers of the file, and replaces numbers beyond by null', async () => {
    const draft = new Draft({ pages: 1 })
    const [free, beyond] = [draft.pdf.reserve(), 4711]
    draft.catalog.push(
      `/Free ${free} 0 R/Beyond ${beyond} 0 R/Copied ${draft.pdf.add(`[${free} 0 R ${beyond} 0 R]`)} 0 R`,
    )
    const file = latin(
      draft
        .write()
        .toString('latin1')
        .replace(new RegExp(`\\b${free} 0 obj[^]*?endobj\n`), found => ' '.repeat(found.length)),
    )
    const { bytes } = await runOn('rotate-pdf', file, { angle: 90 })
    const strict = new StrictPdf(bytes)
    expect(strict.problems).toEqual([])
    expect(bytes.toString('latin1')).toContain(`[${free} 0 R null]`)
  })

  it.each(['table', 'streams'] as const)(
    'keeps dangling references apart from new objects with the same number (%s)',
    async layout => {
      const dangling = () => {
        const draft = new Draft({ pages: 1 })
        const refs = Array.from({ length: 80 }, (_, index) => `${draft.pdf.bodies.length + 8 + index} 0 R`)
        draft.catalog.push(`/Here[${refs.join(' ')}]/There ${draft.pdf.add(`[ ${refs.join(' ')} ]`)} 0 R`)
        draft.page(1).entries.push(`/Page[${refs.join(' ')}]`)
        return draft.write(layout)
      }
      const made = [
        (await runOn('merge-pdf', [dangling(), dangling()], {})).bytes,
        (await runOn('add-watermark', dangling(), { type: 'text', text: 'NEW' })).bytes,
      ]
      for (const bytes of made) {
        const strict = new StrictPdf(bytes)
        const catalog = strict.dict(strict.trailer.get('Root'))
        const lists = [catalog.get('Here'), catalog.get('There'), ...strict.pages.map(({ dict }) => dict.get('Page'))]
        expect(strict.problems).toEqual([])
        expect(lists.map(list => strict.array(list).filter(item => item === null).length)).toEqual(lists.map(() => 80))
      }
    },
  )

  it('states the highest version of its inputs, and at least 1.5 if there are object streams', async () => {
    const version = async (files: Buffer[]): Promise<string> =>
      (await runOn('merge-pdf', files)).bytes.toString('latin1', 0, 8)
    const old = new Draft({ pages: 1 }).write()
    const recent = latin(new Draft({ pages: 1 }).write().toString('latin1').replace('%PDF-1.4', '%PDF-2.0'))
    expect(await version([old, old])).toBe('%PDF-1.4')
    expect(await version([old, recent])).toBe('%PDF-2.0')
    expect(await version([old, new Draft({ pages: 1 }).write('streams')])).toBe('%PDF-1.5')
  })

  it.each([
    ['scattered', 2, false],
    ['far apart', 20_000, true],
  ])(
    'lists unused object numbers in a cross-reference stream if size matters most and that is shorter: %s',
    async (_name, step, hasIndex) => {
      const draft = new Draft({ pages: 1 })
      const document = openDocument(draft.write(), LIMITS)
      document.saving.packsObjects = true
      document.saving.deflate = data => deflateSync(data)
      const kept = []
      for (let index = 0; index < 40; index++) {
        for (let unused = 1; unused < step; unused++) document.context.nextRef()
        kept.push(document.register(PDFString.of(`kept ${index}`)))
        if (step > 1000 && index === 10) break
      }
      document.editCatalog().set(PDFName.of('Odd'), document.context.obj(kept))
      const file = Buffer.from(writeDocument(document).join())
      readSound(file)
      expect(file.includes('/Index[')).toBe(hasIndex)
      expect(await readPdf(file)).toEqual(await readPdf(draft.write()))
    },
  )

  it('keeps the first half of /ID and derives the second from the content', async () => {
    const draft = new Draft({ pages: 2 })
    draft.trailer.push('/ID[<0123456789ABCDEF><0123456789ABCDEF>]')
    const ids = await Promise.all(
      [90, 180].map(async angle =>
        new StrictPdf((await runOn('rotate-pdf', draft.write(), { angle })).bytes).trailer.get('ID'),
      ),
    )
    expect(ids[0]).toMatchObject([{ bytes: Buffer.from('0123456789ABCDEF', 'hex').toString('latin1') }, {}])
    expect(ids[0]).not.toEqual(ids[1])
  })

  it('reduces a file with several revisions to one', async () => {
    const draft = makeBook()
    let file = draft.write()
    for (const title of ['Second', 'Third'])
      file = appendRevision(file, {
        objects: new Map([[900, `<</Title(${title})>>`]]),
        trailer: `/Size 901/Root ${draft.root} 0 R/Info 900 0 R`,
      })
    const { bytes } = await runOn('rotate-pdf', file, { angle: 90 })
    readSound(bytes)
    expect((await readPdf(bytes)).title).toBe('Third')
    expect(findTraces(bytes, ['Second', 'Title of book'])).toEqual([])
  })
})

function textOf(body: Body | undefined): string {
  return typeof body === 'string' ? body : 'null'
}
