import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { addThread } from '../../../fixtures/features'
import { type PdfDict, PdfRef } from '../../../support/pdf-syntax'
import { readZip } from '../../../support/read-zip'
import { runOn } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'

/** The pages, from 1, of each thread of a file. The function checks every rule of the ring. */
function readThreads(bytes: Buffer): Record<string, number[]> {
  const strict = readSound(bytes)
  const threads: Record<string, number[]> = {}
  const listed: number[] = []
  const numberOf = (dict: PdfDict, key: string): number => {
    const value = dict.get(key)
    return value instanceof PdfRef ? value.number : -1
  }
  for (const value of strict.array(strict.catalog.get('Threads'))) {
    const thread = strict.dict(value)
    const first = numberOf(thread, 'F')
    const pages: number[] = []
    let last = -1
    let at = first
    do {
      const bead = strict.dict(strict.objects.get(at)?.value)
      expect(bead.has('R')).toBe(true)
      if (last >= 0) expect(numberOf(bead, 'V')).toBe(last)
      const page = strict.pages.findIndex(({ number }) => number === numberOf(bead, 'P'))
      pages.push(page + 1)
      const own = strict.array(strict.pages[page]?.dict.get('B'))
      expect(own.some(one => one instanceof PdfRef && one.number === at)).toBe(true)
      listed.push(at)
      last = at
      at = numberOf(bead, 'N')
    } while (at !== first && pages.length < 100)
    const start = strict.dict(strict.objects.get(first)?.value)
    expect(numberOf(start, 'V')).toBe(last)
    expect(strict.dict(start.get('T'))).toBe(thread)
    threads[strict.text(strict.dict(thread.get('I')).get('Title')) ?? ''] = pages
  }
  const onPages = strict.pages
    .flatMap(({ dict }) => strict.array(dict.get('B')))
    .map(bead => (bead instanceof PdfRef ? bead.number : -1))
  expect(onPages.sort((a, b) => a - b)).toEqual(listed.sort((a, b) => a - b))
  const beads = [...strict.objects.values()].filter(
    ({ value }) => strict.text(strict.dict(value).get('Type')) === 'Bead',
  )
  expect(beads).toHaveLength(listed.length)
  return threads
}

/** A thread through all six pages, one through pages 2 and 5 with two beads on each, and one on page 4 alone. */
function make(): Draft {
  const draft = new Draft({ pages: 6, salt: 'articles' })
  const { pdf } = draft
  const articles = [
    { title: 'All', pages: [1, 2, 3, 4, 5, 6] },
    { title: 'Some', pages: [2, 2, 5, 5] },
    { title: 'One', pages: [4] },
  ]
  const beadsOf = new Map<number, number[]>()
  const threads = articles.map(({ title, pages }) => {
    const thread = pdf.reserve()
    const beads = pages.map(() => pdf.reserve())
    for (const [index, number] of pages.entries()) {
      const bead = beads[index] ?? 0
      const around = `/N ${beads[(index + 1) % beads.length]} 0 R/V ${beads.at(index - 1)} 0 R`
      const first = index === 0 ? `/T ${thread} 0 R` : ''
      pdf.set(bead, `<</Type/Bead${first}${around}/P ${draft.page(number).ref} 0 R/R[${index} 0 9 9]>>`)
      beadsOf.set(number, [...(beadsOf.get(number) ?? []), bead])
    }
    return pdf.set(thread, `<</Type/Thread/F ${beads[0]} 0 R/I<</Title(${title})>>>>`)
  })
  for (const [number, beads] of beadsOf) {
    draft.page(number).entries.push(`/B[${beads.map(bead => `${bead} 0 R`).join(' ')}]`)
  }
  draft.catalog.push(`/Threads[${threads.map(thread => `${thread} 0 R`).join(' ')}]`)
  return draft
}

describe('pruneThreads', () => {
  it.each([
    ['delete-pages', { pages: [3] }, { All: [1, 2, 3, 4, 5], Some: [2, 2, 4, 4], One: [3] }],
    ['delete-pages', { pages: [1, 6] }, { All: [1, 2, 3, 4], Some: [1, 1, 4, 4], One: [3] }],
    ['delete-pages', { pages: [2, 4] }, { All: [1, 2, 3, 4], Some: [3, 3] }],
    ['delete-pages', { pages: [1, 2, 4, 5, 6] }, { All: [1] }],
    ['extract-pages', { pages: [5, 4] }, { All: [2, 1], Some: [1, 1], One: [2] }],
    ['organize-pdf', { pageOrder: [6, 2, 2, 1] }, { All: [4, 2, 1], Some: [2, 2] }],
    ['organize-pdf', { preset: 'duplicate' }, { All: [1, 3, 5, 7, 9, 11], Some: [3, 3, 9, 9], One: [7] }],
    ['reverse-pages', {}, { All: [6, 5, 4, 3, 2, 1], Some: [5, 5, 2, 2], One: [3] }],
    ['add-blank-page', { position: 'start' }, { All: [2, 3, 4, 5, 6, 7], Some: [3, 3, 6, 6], One: [5] }],
  ])('%s %j keeps the remaining part of each thread', async (tool, options, threads) => {
    for (const layout of ['table', 'streams'] as const) {
      expect(readThreads((await runOn(tool, make().write(layout), options)).bytes)).toEqual(threads)
    }
  })

  it('keeps threads in parts and in merged files', async () => {
    const parts = readZip((await runOn('split-pdf', make().write(), { mode: 'every', every: 2 })).bytes)
    const expected = [
      { All: [1, 2], Some: [2, 2] },
      { All: [1, 2], One: [2] },
      { All: [1, 2], Some: [1, 1] },
    ]
    expect(parts.map(({ bytes }) => readThreads(bytes))).toEqual(expected)
    const other = new Draft({ pages: 3 })
    addThread(other)
    const files = [other.write(), make().write()]
    const whole = { Thread: [1, 2, 3], All: [4, 5, 6, 7, 8, 9], Some: [5, 5, 8, 8], One: [7] }
    expect(readThreads((await runOn('merge-pdf', files)).bytes)).toEqual(whole)
    const some = { Thread: [1], All: [2, 3], Some: [2, 2] }
    expect(readThreads((await runOn('merge-pdf', files, { pages: ['3', '2-3'] })).bytes)).toEqual(some)
  })

  it('keeps nothing of a removed thread', async () => {
    const { bytes } = await runOn('delete-pages', make().write(), { pages: [4] })
    expect(bytes.includes('(One)')).toBe(false)
    expect(bytes.includes('(Some)')).toBe(true)
  })

  it('removes beads without a thread, and their targets', async () => {
    const draft = make()
    draft.catalog.length = 0
    expect(readThreads((await runOn('delete-pages', draft.write(), { pages: [1] })).bytes)).toEqual({})
  })

  it('ends on broken or endless rings', async () => {
    const draft = new Draft({ pages: 3 })
    const { pdf } = draft
    const [thread, one, two, bad] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()]
    pdf.set(one, `<</Type/Bead/T ${thread} 0 R/N ${two} 0 R/P ${draft.page(1).ref} 0 R/R[0 0 9 9]>>`)
    pdf.set(two, `<</Type/Bead/N ${two} 0 R/P ${draft.page(3).ref} 0 R/R[0 0 9 9]>>`)
    pdf.set(thread, `<</F ${one} 0 R/I<</Title(Loop)>>>>`)
    pdf.set(bad, '<</F 999 0 R>>')
    draft.page(1).entries.push(`/B[${one} 0 R]`)
    draft.page(3).entries.push(`/B[${two} 0 R null]`)
    draft.catalog.push(`/Threads[${thread} 0 R ${bad} 0 R null]`)
    expect(readThreads((await runOn('delete-pages', draft.write(), { pages: [1] })).bytes)).toEqual({ Loop: [2] })
  })

  it('keeps the targets of actions that refer to threads and beads by index', async () => {
    const draft = make()
    for (const target of ['/D 1/B 2', '/D 2/B 1']) {
      const link = draft.pdf.add(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Thread${target}>>>>`)
      draft.page(5).annotations.push(`${link} 0 R`)
    }
    const strict = new StrictPdf((await runOn('delete-pages', draft.write(), { pages: [1, 4] })).bytes)
    const links = strict.array(strict.pages[2]?.dict.get('Annots'))
    const [link, dead] = links.map(value => strict.dict(strict.dict(value).get('A')))
    expect(strict.text(strict.dict(strict.dict(link?.get('D')).get('I')).get('Title'))).toBe('Some')
    expect(strict.array(strict.dict(link?.get('B')).get('R'))[0]).toBe(2)
    expect([dead?.get('D'), dead?.get('B')].map(value => strict.get(value))).toEqual([null, null])
  })
})
