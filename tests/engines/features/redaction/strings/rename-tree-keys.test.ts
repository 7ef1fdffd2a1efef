import { PDFArray } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { stringBytes } from '../../../../../engines/pdf/document/name-tree'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import * as Name from '../../../../../engines/pdf/syntax/names'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { withPdfjs } from '../../../../support/pdfjs-document'
import { LIMITS, runOn } from '../../../../support/run-on'
import { findTraces } from '../../../../support/traces'

const SECRET = 'QUIMBYOLDFIELD'

/** The keys of the tree, in order. Each leads to the page at its position. */
const KEYS = ['Alpha', 'Hotel', SECRET, `${SECRET} beta`, `${SECRET}${SECRET}`, `Quince ${SECRET}`, `Zulu`]

/** A page for each key, with a link to the destination of that key. Even pages name it by an action. */
function makeFile(): Buffer {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const pages = KEYS.map((key, at) => {
    const link = pdf.add(
      `<</Type/Annot/Subtype/Link/Rect[10 10 90 30]${at % 2 ? `/Dest(${key})` : `/A<</S/GoTo/D<${Buffer.from(key).toString('hex')}>>>`}>>`,
    )
    return pdf.add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${100 + at} 100]/Contents ${pdf.addStream('', '0 g')} 0 R/Annots[${link} 0 R]>>`,
    )
  })
  const leaf = (from: number, to: number): number =>
    pdf.add(
      `<</Limits[(${KEYS[from]})(${KEYS[to - 1]})]/Names[${KEYS.slice(from, to)
        .map((key, at) => `(${key})[${pages[from + at]} 0 R/Fit]`)
        .join('')}]>>`,
    )
  const files = pdf.add(
    `<</Type/Filespec/F(a.txt)/EF<</F ${pdf.addStream('/Type/EmbeddedFile', Buffer.from('nothing'))} 0 R>>>>`,
  )
  pdf.set(tree, `<</Type/Pages/Count ${pages.length}/Kids[${pages.map(page => `${page} 0 R`).join(' ')}]>>`)
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${tree} 0 R/Names<</Dests<</Kids[${leaf(0, 3)} 0 R ${leaf(3, 7)} 0 R]>>` +
      `/EmbeddedFiles<</Names[(${SECRET})${files} 0 R]>>>>>>`,
  )
  return pdf.write({ root })
}

/** Reads a name tree and checks the rules of ISO 32000-2, 7.9.6. */
function readTree(bytes: Uint8Array, key: typeof Name.Dests): string[] {
  const document = openDocument(bytes, LIMITS)
  const keys: string[] = []
  const read = (value: PDFObject | undefined): void => {
    const node = document.peekDict(value)
    const first = keys.length
    const names = document.peekArray(node?.get(Name.Names))
    for (let at = 0; names && at < names.size(); at += 2) keys.push(stringBytes(names.get(at)) ?? '')
    for (const kid of document.peekArray(node?.get(Name.Kids))?.asArray() ?? []) read(kid)
    const limits = document.peek(node?.get(Name.Limits))
    if (limits instanceof PDFArray) expect(limits.asArray().map(stringBytes)).toEqual([keys[first], keys.at(-1)])
  }
  read(document.peekDict(document.catalog.get(Name.Names))?.get(key))
  expect(keys).toEqual([...new Set(keys)].sort())
  expect(keys).not.toContain('')
  return keys
}

describe('the keys of name trees', () => {
  it.each([undefined, 'AAA', 'ZZZ'])('stay sorted and unique, and links follow: %s', async replacementText => {
    const search = [{ text: SECRET, replacementText }]
    const { bytes } = await runOn('pdf-redaction', makeFile(), { search })
    expect(findTraces(bytes, [SECRET])).toEqual([])
    const keys = readTree(bytes, Name.Dests)
    expect(keys).toHaveLength(KEYS.length)
    expect(keys).toEqual(expect.arrayContaining(['Alpha', 'Hotel', 'Zulu']))
    expect(readTree(bytes, Name.EmbeddedFiles)).toHaveLength(1)
    const shown = await withPdfjs(bytes, async document => {
      const indexes: (number | null)[] = []
      for (const [at] of KEYS.entries()) {
        const page = await document.getPage(at + 1)
        const [link] = (await page.getAnnotations()) as { dest: string }[]
        const place = (await document.getDestination(link?.dest ?? '')) as [{ num: number; gen: number }] | null
        indexes.push(place && (await document.getPageIndex(place[0])))
      }
      return indexes
    })
    expect(shown).toEqual([...KEYS.keys()])
  })
})
