import { readPdf } from '../../support/reader'

/** The numbers that the pages of a PDF contain as text, in page order. */
export async function pageNumbers(bytes: Buffer): Promise<number[]> {
  return (await readPdf(bytes)).pages.map(page => Number(/PAGE (\d+) OF/.exec(page.text)?.[1]))
}
