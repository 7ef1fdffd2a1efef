import { expect } from 'vitest'
import { readPageTexts } from '../../../support/page-texts'
import { withPdfjs } from '../../../support/pdfjs-document'
import { readFieldsAndNotes } from '../../../support/pdfjs-objects'
import { readZip } from '../../../support/read-zip'
import { readPdf, renderPage, type SeenPdf } from '../../../support/reader'

/** What a judge knows of the output of a sample. */
export interface Output {
  bytes: Buffer
  /** The sample files that the request sent, in its order. */
  inputs: Buffer[]
}

/** Throws if the output isn't what the title of the sample says. */
export type Judge = (output: Output) => Promise<void> | void

/** Judges the output as PDFium reads it. */
export const pdf =
  (check: (seen: SeenPdf, output: Output) => Promise<void> | void): Judge =>
  async output =>
    check(await readPdf(output.bytes), output)

/** Judges the number of pages. */
export const pageCount = (count: number): Judge =>
  pdf(({ pages }) => {
    expect(pages.length).toBe(count)
  })

/** Judges the pages by a text that each has, in their order. */
export const pagesWith =
  (...texts: string[]): Judge =>
  async ({ bytes }) => {
    const seen = await readPageTexts(bytes)
    expect(seen.map((text, index) => (text.includes(texts[index] ?? '\0') ? texts[index] : text))).toEqual(texts)
  }

/** Judges that the input has a text which the output lacks, and that the output has other texts. */
export const removed =
  (gone: RegExp, ...kept: string[]): Judge =>
  async ({ bytes, inputs }) => {
    const [before, after] = [await readAll(inputs[0] ?? bytes), await readAll(bytes)]
    expect(before).toMatch(gone)
    expect(after).not.toMatch(gone)
    for (const text of kept) expect(after).toContain(text)
  }

/** Judges that the output has texts which the input lacks. */
export const added =
  (...texts: string[]): Judge =>
  async ({ bytes, inputs }) => {
    const [before, after] = [await readAll(inputs[0] ?? bytes), await readAll(bytes)]
    for (const text of texts) {
      expect(before).not.toContain(text)
      expect(after).toContain(text)
    }
  }

/** Judges the rotation of each page in degrees clockwise. */
export const rotations = (...degrees: number[]): Judge =>
  pdf(({ pages }) => {
    expect(pages.map(({ rotation }) => rotation)).toEqual(degrees)
  })

/** Judges the files in a ZIP by their names, and each PDF by its number of pages. */
export const zip =
  (...files: [name: string, pages?: number][]): Judge =>
  async ({ bytes }) => {
    const entries = readZip(bytes)
    expect(entries.map(({ name }) => name)).toEqual(files.map(([name]) => name))
    for (const [index, [, pages]] of files.entries())
      if (pages !== undefined)
        expect((await readPdf(entries[index]?.bytes ?? Buffer.alloc(0))).pages.length).toBe(pages)
  }

/** Judges a JSON report. */
export const json =
  (expected: object): Judge =>
  ({ bytes }) => {
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject(expected)
  }

/** Judges a text file. */
export const text =
  (...parts: string[]): Judge =>
  ({ bytes }) => {
    for (const part of parts) expect(bytes.toString('utf8')).toContain(part)
  }

/** Judges that the output has fewer bytes, and shows the same texts. */
export const smaller: Judge = async ({ bytes, inputs: [input = Buffer.alloc(0)] }) => {
  expect(bytes.length).toBeLessThan(input.length)
  expect(await readPageTexts(bytes)).toEqual(await readPageTexts(input))
}

/** Judges that a page looks different on the given part of it, and the same elsewhere. Lengths are fractions. */
export const newInk =
  (page: number, { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number }): Judge =>
  async ({ bytes, inputs: [input = Buffer.alloc(0)] }) => {
    const [before, after] = [await renderPage(input, page), await renderPage(bytes, page)]
    const { width, height } = after
    expect([before.width, before.height]).toEqual([width, height])
    const counts = { inside: 0, outside: 0 }
    for (let pixel = 0; pixel < width * height; pixel++) {
      if (before.pixels.readUInt32LE(pixel * 4) === after.pixels.readUInt32LE(pixel * 4)) continue
      const [x, y] = [(pixel % width) / width, Math.floor(pixel / width) / height]
      counts[x >= left && x <= right && y >= top && y <= bottom ? 'inside' : 'outside']++
    }
    expect(counts.inside).toBeGreaterThan(20)
    expect(counts.outside).toBe(0)
  }

/** Judges that PDF.js can't open the output without a password, or with `open`, and can with `password`. */
export const locked =
  (password: string): Judge =>
  async ({ bytes }) => {
    const countPages = (secret?: string) => withPdfjs(bytes, one => Promise.resolve(one.numPages), secret)
    await expect(countPages()).rejects.toThrow(/password/i)
    expect(await countPages(password)).toBe(5)
  }

/** Judges the information of a document as PDF.js reads it. */
export const information =
  (expected: Record<string, unknown>): Judge =>
  async ({ bytes }) => {
    const info = await withPdfjs(
      bytes,
      async document => (await document.getMetadata()).info as Record<string, unknown>,
    )
    for (const [name, value] of Object.entries(expected)) expect(info[name], name).toEqual(value)
  }

/** Judges the kinds of annotations as PDF.js reads them. */
export const annotations =
  (...kinds: string[]): Judge =>
  async ({ bytes }) => {
    const { annotations: seen } = await readFieldsAndNotes(bytes)
    expect(seen.map(({ subtype }) => subtype).toSorted()).toEqual(kinds)
  }

/** All of the judges. */
export const all =
  (...judges: Judge[]): Judge =>
  async output => {
    for (const judge of judges) await judge(output)
  }

async function readAll(bytes: Buffer): Promise<string> {
  return (await readPageTexts(bytes)).join('\n')
}
