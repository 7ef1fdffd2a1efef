import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { SOUND, makeBook } from '../../../fixtures/make-fixtures'
import { FileBytes, appendRevision, latin } from '../../../fixtures/pdf-writer'
import { readPdf } from '../../../support/reader'
import { LIMITS, runOn } from '../../../support/run-on'
import { findTraces } from '../../../support/traces'

describe('readXref', () => {
  for (const [name, make] of Object.entries(SOUND)) {
    it(`reads the valid file "${name}" without repairing anything`, async () => {
      const input = make()
      const { bytes, warnings } = await runOn('rotate-pdf', input, { angle: 180 })
      expect(warnings.filter(warning => warning === 'repaired')).toEqual([])
      const [before, after] = [await readPdf(input), await readPdf(bytes)]
      expect(after.pages.map(page => page.text)).toEqual(before.pages.map(page => page.text))
      expect(after.outline).toEqual(before.outline)
      expect(after.pages.map(page => page.links)).toEqual(before.pages.map(page => page.links))
      expect(after.pages.map(page => page.fields)).toEqual(before.pages.map(page => page.fields))
      expect(after).toMatchObject({
        attachments: before.attachments,
        scripts: before.scripts,
        title: before.title,
        namedDestinations: before.namedDestinations,
      })
    })
  }

  it.each([
    [
      'of the page tree in the table',
      (file: string) => {
        const number = Number(/(\d+) 0 obj\s*<<[^>]*\/Type ?\/Pages\b/.exec(file)?.[1])
        let index = -1
        return file.replace(/^(\d{10}) (\d{5}) [nf]/gm, entry =>
          ++index === number ? `${entry.slice(0, 10)} 2147483647 n` : entry,
        )
      },
    ],
    ['of an object', (file: string) => file.replace(/(\d+) 0 obj(?=\s*<<[^>]*\/Type ?\/Pages?\b)/g, '$1 7 obj')],
    ['of all objects', (file: string) => file.replace(/(\d+) 0 obj/g, '$1 2147483647 obj')],
  ])('writes objects that readers find if the generation %s is wrong', async (_, damage) => {
    const input = new Draft({ pages: 2, salt: 'generation' }).write()
    const damaged = latin(damage(input.toString('latin1')))
    expect(damaged.equals(input)).toBe(false)
    for (const tool of ['rotate-pdf', 'compress-pdf']) {
      const { bytes, warnings } = await runOn(tool, damaged, tool === 'rotate-pdf' ? { angle: 90 } : {})
      expect(warnings).toContain('repaired')
      const texts = (await readPdf(bytes)).pages.map(page => page.text)
      expect(texts).toEqual((await readPdf(input)).pages.map(page => page.text))
    }
  })

  it('takes objects from the newest revision, and writes nothing of older revisions', async () => {
    const draft = new Draft({ pages: 2, salt: 'old' })
    const first = draft.write()
    const content = first.toString('latin1').match(/\/Contents (\d+) 0 R/)?.[1] ?? ''
    const data = latin('BT /F1 16 Tf 60 600 Td (NEWER TEXT) Tj ET')
    const second = appendRevision(first, {
      objects: new Map([[Number(content), { dictionary: '', data }]]),
      trailer: `/Size 20/Root ${draft.root} 0 R`,
    })
    const { bytes, warnings } = await runOn('rotate-pdf', second, { angle: 90 })
    expect((await readPdf(bytes)).pages.map(page => page.text)).toEqual([
      'NEWER TEXT',
      expect.stringContaining('PAGE 2'),
    ])
    expect(findTraces(bytes, draft.words(1))).toEqual([])
    expect(bytes.toString('latin1').match(/%%EOF/g)).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('ignores an object that a newer revision freed', async () => {
    const draft = new Draft({ pages: 2, salt: 'freed' })
    const content = /\/Contents (\d+) 0 R/.exec(draft.write().toString('latin1'))?.[1]
    const again = new Draft({ pages: 2, salt: 'freed' })
    const file = appendRevision(again.write(), {
      objects: new Map(),
      freed: [Number(content)],
      trailer: `/Size 20/Root ${again.root} 0 R`,
    })
    const { bytes } = await runOn('rotate-pdf', file, { angle: 90 })
    expect((await readPdf(bytes)).pages.map(page => page.text)).toEqual(['', expect.stringContaining('PAGE 2')])
    expect(findTraces(bytes, draft.words(1))).toEqual([])
  })

  it('reads a file whose first-page table comes first, as in linearized files', async () => {
    const draft = new Draft({ pages: 3, salt: 'linear' })
    draft.finish()
    const { bodies } = draft.pdf
    const front = new Set([draft.root, draft.page(1).ref])
    const file = new FileBytes('1.4')
    // Fixed widths make the offsets known before the file is written.
    const rows = (numbers: number[]): string =>
      numbers
        .map(number => `${number} 1\n${String(file.offsets.get(number) ?? 0).padStart(10, '0')} 00000 n \n`)
        .join('')
    const build = (mainTable: number): FileBytes => {
      const next = new FileBytes('1.4')
      next.object(bodies.length + 1, `<</Linearized 1/L 1/O ${draft.page(1).ref}/E 1/N 3/T 1>>`)
      const at = next.length
      next.push(
        `xref\n${rows([...front])}trailer\n<</Size ${bodies.length + 2}/Root ${draft.root} 0 R/Prev ` +
          `${String(mainTable).padStart(10, '0')}>>\nstartxref\n0\n%%EOF\n`,
      )
      for (const number of front) next.object(number, bodies[number - 1] ?? 'null')
      for (const [index, body] of bodies.entries()) if (!front.has(index + 1)) next.object(index + 1, body)
      const main = next.length
      for (const [number, offset] of next.offsets) file.offsets.set(number, offset)
      next.push(
        `xref\n0 1\n0000000000 65535 f ` +
          `\n${rows(bodies.map((_, index) => index + 1).filter(number => !front.has(number)))}trailer\n<</Size ` +
          `${bodies.length + 1}>>\nstartxref\n${at}\n%%EOF\n`,
      )
      return main === mainTable ? next : build(main)
    }
    const { bytes, warnings } = await runOn('rotate-pdf', build(0).bytes(), { angle: 90 })
    expect((await readPdf(bytes)).pages.map(page => page.text.match(/PAGE \d/)?.[0])).toEqual([
      'PAGE 1',
      'PAGE 2',
      'PAGE 3',
    ])
    expect(warnings).toEqual([])
    expect(bytes.includes('Linearized')).toBe(false)
  })

  it('reads the compressed objects of a hybrid file, which its table marks as free', async () => {
    const seen = await readPdf((await runOn('rotate-pdf', makeBook().write('hybrid'), { angle: 90 })).bytes)
    expect(seen.outline).toHaveLength(9)
    expect(seen.pages).toHaveLength(6)
  })

  it('ends a cyclic chain of revisions', async () => {
    const draft = new Draft({ pages: 1 })
    const file = draft.write()
    const start = /startxref\n(\d+)/.exec(file.toString('latin1'))?.[1]
    const looped = latin(file.toString('latin1').replace(/trailer\n<</, `trailer\n<</Prev ${start}`))
    expect((await readPdf((await runOn('rotate-pdf', looped, { angle: 90 })).bytes)).pages).toHaveLength(1)
  })

  it('refuses more objects than the limit allows', async () => {
    const file = new Draft({ pages: 40 }).write()
    await expect(runOn('rotate-pdf', file, { angle: 90 }, { maxObjects: 50 })).rejects.toMatchObject({
      reason: 'too_large',
    })
    await expect(runOn('rotate-pdf', file, { angle: 90 }, { maxObjects: LIMITS.maxObjects })).resolves.toMatchObject({
      name: 'input-rotated.pdf',
    })
  })

  it('refuses more pages than the limit allows, in one file or in all files together', async () => {
    const file = new Draft({ pages: 6 }).write()
    await expect(runOn('rotate-pdf', file, { angle: 90 }, { maxPagesIn: 5 })).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('more than 5 pages') as string,
    })
    await expect(runOn('merge-pdf', [file, file], {}, { maxPagesIn: 11 })).rejects.toMatchObject({
      reason: 'too_large',
      problems: [{ param: 'files[1]' }],
    })
  })
})
